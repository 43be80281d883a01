await customElements.whenDefined("home-assistant");
var Te=Object.defineProperty;var Me=Object.getOwnPropertyDescriptor;var m=(s,e,t,r)=>{for(var n=r>1?void 0:r?Me(e,t):e,i=s.length-1,o;i>=0;i--)(o=s[i])&&(n=(r?o(e,t,n):o(n))||n);return r&&n&&Te(e,t,n),n};var d={en:{name:"Ask SAGE",description:"Talk to SAGE on the dashboard, and undo its last change.",agent:"Agent",agent_info:"If the field is empty, the card uses the first agent of SAGE."},de:{name:"SAGE fragen",description:"Sprich auf dem Dashboard mit SAGE und mach seine letzte Änderung rückgängig.",agent:"Agent",agent_info:"Ist das Feld leer, verwendet die Karte den ersten Agenten von SAGE."},fr:{name:"Demander à SAGE",description:"Parlez à SAGE sur le tableau de bord, et annulez sa dernière modification.",agent:"Agent",agent_info:"Si le champ est vide, la carte utilise le premier agent de SAGE."}};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var D=globalThis,j=D.ShadowRoot&&(D.ShadyCSS===void 0||D.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,G=Symbol(),ae=new WeakMap,T=class{constructor(e,t,r){if(this._$cssResult$=!0,r!==G)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(j&&e===void 0){let r=t!==void 0&&t.length===1;r&&(e=ae.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),r&&ae.set(t,e))}return e}toString(){return this.cssText}},le=s=>new T(typeof s=="string"?s:s+"",void 0,G),P=(s,...e)=>{let t=s.length===1?s[0]:e.reduce((r,n,i)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(n)+s[i+1],s[0]);return new T(t,s,G)},ce=(s,e)=>{if(j)s.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let r=document.createElement("style"),n=D.litNonce;n!==void 0&&r.setAttribute("nonce",n),r.textContent=t.cssText,s.appendChild(r)}},F=j?s=>s:s=>s instanceof CSSStyleSheet?(e=>{let t="";for(let r of e.cssRules)t+=r.cssText;return le(t)})(s):s;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:Oe,defineProperty:Ue,getOwnPropertyDescriptor:ze,getOwnPropertyNames:Ne,getOwnPropertySymbols:qe,getPrototypeOf:Le}=Object,W=globalThis,de=W.trustedTypes,De=de?de.emptyScript:"",je=W.reactiveElementPolyfillSupport,M=(s,e)=>s,H={toAttribute(s,e){switch(e){case Boolean:s=s?De:null;break;case Object:case Array:s=s==null?s:JSON.stringify(s)}return s},fromAttribute(s,e){let t=s;switch(e){case Boolean:t=s!==null;break;case Number:t=s===null?null:Number(s);break;case Object:case Array:try{t=JSON.parse(s)}catch{t=null}}return t}},K=(s,e)=>!Oe(s,e),pe={attribute:!0,type:String,converter:H,reflect:!1,useDefault:!1,hasChanged:K};Symbol.metadata??=Symbol("metadata"),W.litPropertyMetadata??=new WeakMap;var v=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=pe){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let r=Symbol(),n=this.getPropertyDescriptor(e,r,t);n!==void 0&&Ue(this.prototype,e,n)}}static getPropertyDescriptor(e,t,r){let{get:n,set:i}=ze(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:n,set(o){let l=n?.call(this);i?.call(this,o),this.requestUpdate(e,l,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??pe}static _$Ei(){if(this.hasOwnProperty(M("elementProperties")))return;let e=Le(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(M("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(M("properties"))){let t=this.properties,r=[...Ne(t),...qe(t)];for(let n of r)this.createProperty(n,t[n])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[r,n]of t)this.elementProperties.set(r,n)}this._$Eh=new Map;for(let[t,r]of this.elementProperties){let n=this._$Eu(t,r);n!==void 0&&this._$Eh.set(n,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let r=new Set(e.flat(1/0).reverse());for(let n of r)t.unshift(F(n))}else e!==void 0&&t.push(F(e));return t}static _$Eu(e,t){let r=t.attribute;return r===!1?void 0:typeof r=="string"?r:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let r of t.keys())this.hasOwnProperty(r)&&(e.set(r,this[r]),delete this[r]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return ce(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,r){this._$AK(e,r)}_$ET(e,t){let r=this.constructor.elementProperties.get(e),n=this.constructor._$Eu(e,r);if(n!==void 0&&r.reflect===!0){let i=(r.converter?.toAttribute!==void 0?r.converter:H).toAttribute(t,r.type);this._$Em=e,i==null?this.removeAttribute(n):this.setAttribute(n,i),this._$Em=null}}_$AK(e,t){let r=this.constructor,n=r._$Eh.get(e);if(n!==void 0&&this._$Em!==n){let i=r.getPropertyOptions(n),o=typeof i.converter=="function"?{fromAttribute:i.converter}:i.converter?.fromAttribute!==void 0?i.converter:H;this._$Em=n;let l=o.fromAttribute(t,i.type);this[n]=l??this._$Ej?.get(n)??l,this._$Em=null}}requestUpdate(e,t,r,n=!1,i){if(e!==void 0){let o=this.constructor;if(n===!1&&(i=this[e]),r??=o.getPropertyOptions(e),!((r.hasChanged??K)(i,t)||r.useDefault&&r.reflect&&i===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,r))))return;this.C(e,t,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:r,reflect:n,wrapped:i},o){r&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),i!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||r||(t=void 0),this._$AL.set(e,t)),n===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[n,i]of this._$Ep)this[n]=i;this._$Ep=void 0}let r=this.constructor.elementProperties;if(r.size>0)for(let[n,i]of r){let{wrapped:o}=i,l=this[n];o!==!0||this._$AL.has(n)||l===void 0||this.C(n,void 0,i,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(t)):this._$EM()}catch(r){throw e=!1,this._$EM(),r}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};v.elementStyles=[],v.shadowRootOptions={mode:"open"},v[M("elementProperties")]=new Map,v[M("finalized")]=new Map,je?.({ReactiveElement:v}),(W.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var te=globalThis,he=s=>s,I=te.trustedTypes,ue=I?I.createPolicy("lit-html",{createHTML:s=>s}):void 0,be="$lit$",_=`lit$${Math.random().toFixed(9).slice(2)}$`,xe="?"+_,We=`<${xe}>`,S=document,U=()=>S.createComment(""),z=s=>s===null||typeof s!="object"&&typeof s!="function",re=Array.isArray,Ke=s=>re(s)||typeof s?.[Symbol.iterator]=="function",X=`[ 	
\f\r]`,O=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ge=/-->/g,me=/>/g,w=RegExp(`>|${X}(?:([^\\s"'>=/]+)(${X}*=${X}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),fe=/'/g,ye=/"/g,_e=/^(?:script|style|textarea|title)$/i,ne=s=>(e,...t)=>({_$litType$:s,strings:e,values:t}),b=ne(1),at=ne(2),lt=ne(3),k=Symbol.for("lit-noChange"),p=Symbol.for("lit-nothing"),ve=new WeakMap,A=S.createTreeWalker(S,129);function $e(s,e){if(!re(s)||!s.hasOwnProperty("raw"))throw Error("invalid template strings array");return ue!==void 0?ue.createHTML(e):e}var Ie=(s,e)=>{let t=s.length-1,r=[],n,i=e===2?"<svg>":e===3?"<math>":"",o=O;for(let l=0;l<t;l++){let a=s[l],c,g,h=-1,y=0;for(;y<a.length&&(o.lastIndex=y,g=o.exec(a),g!==null);)y=o.lastIndex,o===O?g[1]==="!--"?o=ge:g[1]!==void 0?o=me:g[2]!==void 0?(_e.test(g[2])&&(n=RegExp("</"+g[2],"g")),o=w):g[3]!==void 0&&(o=w):o===w?g[0]===">"?(o=n??O,h=-1):g[1]===void 0?h=-2:(h=o.lastIndex-g[2].length,c=g[1],o=g[3]===void 0?w:g[3]==='"'?ye:fe):o===ye||o===fe?o=w:o===ge||o===me?o=O:(o=w,n=void 0);let x=o===w&&s[l+1].startsWith("/>")?" ":"";i+=o===O?a+We:h>=0?(r.push(c),a.slice(0,h)+be+a.slice(h)+_+x):a+_+(h===-2?l:x)}return[$e(s,i+(s[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),r]},N=class s{constructor({strings:e,_$litType$:t},r){let n;this.parts=[];let i=0,o=0,l=e.length-1,a=this.parts,[c,g]=Ie(e,t);if(this.el=s.createElement(c,r),A.currentNode=this.el.content,t===2||t===3){let h=this.el.content.firstChild;h.replaceWith(...h.childNodes)}for(;(n=A.nextNode())!==null&&a.length<l;){if(n.nodeType===1){if(n.hasAttributes())for(let h of n.getAttributeNames())if(h.endsWith(be)){let y=g[o++],x=n.getAttribute(h).split(_),L=/([.?@])?(.*)/.exec(y);a.push({type:1,index:i,name:L[2],strings:x,ctor:L[1]==="."?Q:L[1]==="?"?Z:L[1]==="@"?Y:R}),n.removeAttribute(h)}else h.startsWith(_)&&(a.push({type:6,index:i}),n.removeAttribute(h));if(_e.test(n.tagName)){let h=n.textContent.split(_),y=h.length-1;if(y>0){n.textContent=I?I.emptyScript:"";for(let x=0;x<y;x++)n.append(h[x],U()),A.nextNode(),a.push({type:2,index:++i});n.append(h[y],U())}}}else if(n.nodeType===8)if(n.data===xe)a.push({type:2,index:i});else{let h=-1;for(;(h=n.data.indexOf(_,h+1))!==-1;)a.push({type:7,index:i}),h+=_.length-1}i++}}static createElement(e,t){let r=S.createElement("template");return r.innerHTML=e,r}};function C(s,e,t=s,r){if(e===k)return e;let n=r!==void 0?t._$Co?.[r]:t._$Cl,i=z(e)?void 0:e._$litDirective$;return n?.constructor!==i&&(n?._$AO?.(!1),i===void 0?n=void 0:(n=new i(s),n._$AT(s,t,r)),r!==void 0?(t._$Co??=[])[r]=n:t._$Cl=n),n!==void 0&&(e=C(s,n._$AS(s,e.values),n,r)),e}var J=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:r}=this._$AD,n=(e?.creationScope??S).importNode(t,!0);A.currentNode=n;let i=A.nextNode(),o=0,l=0,a=r[0];for(;a!==void 0;){if(o===a.index){let c;a.type===2?c=new q(i,i.nextSibling,this,e):a.type===1?c=new a.ctor(i,a.name,a.strings,this,e):a.type===6&&(c=new ee(i,this,e)),this._$AV.push(c),a=r[++l]}o!==a?.index&&(i=A.nextNode(),o++)}return A.currentNode=S,n}p(e){let t=0;for(let r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(e,r,t),t+=r.strings.length-2):r._$AI(e[t])),t++}},q=class s{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,r,n){this.type=2,this._$AH=p,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=r,this.options=n,this._$Cv=n?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=C(this,e,t),z(e)?e===p||e==null||e===""?(this._$AH!==p&&this._$AR(),this._$AH=p):e!==this._$AH&&e!==k&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Ke(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==p&&z(this._$AH)?this._$AA.nextSibling.data=e:this.T(S.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:r}=e,n=typeof r=="number"?this._$AC(e):(r.el===void 0&&(r.el=N.createElement($e(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===n)this._$AH.p(t);else{let i=new J(n,this),o=i.u(this.options);i.p(t),this.T(o),this._$AH=i}}_$AC(e){let t=ve.get(e.strings);return t===void 0&&ve.set(e.strings,t=new N(e)),t}k(e){re(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,r,n=0;for(let i of e)n===t.length?t.push(r=new s(this.O(U()),this.O(U()),this,this.options)):r=t[n],r._$AI(i),n++;n<t.length&&(this._$AR(r&&r._$AB.nextSibling,n),t.length=n)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let r=he(e).nextSibling;he(e).remove(),e=r}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},R=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,r,n,i){this.type=1,this._$AH=p,this._$AN=void 0,this.element=e,this.name=t,this._$AM=n,this.options=i,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=p}_$AI(e,t=this,r,n){let i=this.strings,o=!1;if(i===void 0)e=C(this,e,t,0),o=!z(e)||e!==this._$AH&&e!==k,o&&(this._$AH=e);else{let l=e,a,c;for(e=i[0],a=0;a<i.length-1;a++)c=C(this,l[r+a],t,a),c===k&&(c=this._$AH[a]),o||=!z(c)||c!==this._$AH[a],c===p?e=p:e!==p&&(e+=(c??"")+i[a+1]),this._$AH[a]=c}o&&!n&&this.j(e)}j(e){e===p?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Q=class extends R{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===p?void 0:e}},Z=class extends R{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==p)}},Y=class extends R{constructor(e,t,r,n,i){super(e,t,r,n,i),this.type=5}_$AI(e,t=this){if((e=C(this,e,t,0)??p)===k)return;let r=this._$AH,n=e===p&&r!==p||e.capture!==r.capture||e.once!==r.once||e.passive!==r.passive,i=e!==p&&(r===p||n);n&&this.element.removeEventListener(this.name,this,r),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},ee=class{constructor(e,t,r){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(e){C(this,e)}};var Be=te.litHtmlPolyfillSupport;Be?.(N,q),(te.litHtmlVersions??=[]).push("3.3.3");var we=(s,e,t)=>{let r=t?.renderBefore??e,n=r._$litPart$;if(n===void 0){let i=t?.renderBefore??null;r._$litPart$=n=new q(e.insertBefore(U(),i),i,void 0,t??{})}return n._$AI(s),n};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var se=globalThis,$=class extends v{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=we(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return k}};$._$litElement$=!0,$.finalized=!0,se.litElementHydrateSupport?.({LitElement:$});var Ve=se.litElementPolyfillSupport;Ve?.({LitElement:$});(se.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Ae=s=>(e,t)=>{t!==void 0?t.addInitializer(()=>{customElements.define(s,e)}):customElements.define(s,e)};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Ge={attribute:!0,type:String,converter:H,reflect:!1,hasChanged:K},Fe=(s=Ge,e,t)=>{let{kind:r,metadata:n}=t,i=globalThis.litPropertyMetadata.get(n);if(i===void 0&&globalThis.litPropertyMetadata.set(n,i=new Map),r==="setter"&&((s=Object.create(s)).wrapped=!0),i.set(t.name,s),r==="accessor"){let{name:o}=t;return{set(l){let a=e.get.call(this);e.set.call(this,l),this.requestUpdate(o,a,s,!0,l)},init(l){return l!==void 0&&this.C(o,void 0,s,l),l}}}if(r==="setter"){let{name:o}=t;return function(l){let a=this[o];e.call(this,l),this.requestUpdate(o,a,s,!0,l)}}throw Error("Unsupported decorator location: "+r)};function B(s){return(e,t)=>typeof t=="object"?Fe(s,e,t):((r,n,i)=>{let o=n.hasOwnProperty(i);return n.constructor.createProperty(i,r),o?Object.getOwnPropertyDescriptor(n,i):void 0})(s,e,t)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function f(s){return B({...s,state:!0,attribute:!1})}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var E=(s,e,t)=>(t.configurable=!0,t.enumerable=!0,Reflect.decorate&&typeof e!="object"&&Object.defineProperty(s,e,t),t);/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function ie(s,e){return(t,r,n)=>{let i=o=>o.renderRoot?.querySelector(s)??null;if(e){let{get:o,set:l}=typeof r=="object"?t:n??(()=>{let a=Symbol();return{get(){return this[a]},set(c){this[a]=c}}})();return E(t,r,{get(){let a=o.call(this);return a===void 0&&(a=i(this),(a!==null||this.hasUpdated)&&l.call(this,a)),a}})}return E(t,r,{get(){return i(this)}})}}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2021 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function oe(s,e,t){return s.callWS({type:`sage/${e}`,data:t})}function Se({thinking_content:s=""}){return s.replace(/^- /,"").replace(/\\(.)/g,"$1").trim()}var Xe=3600;function ke(s,{text:e,agent:t,conversation:r},n){let{components:i,language:o}=s.config;return o!==s.language||!i.includes("assist_pipeline")?s.callWS({type:"conversation/process",text:e,agent_id:t,language:s.language,conversation_id:r}):Je(s,{type:"assist_pipeline/run",start_stage:"intent",end_stage:"intent",input:{text:e},pipeline:t,conversation_id:r,timeout:Xe},n)}async function Je({connection:s,localize:e},t,r){let n=()=>{},i;try{return await new Promise((o,l)=>{n=()=>l(new Error(e("ui.notification_toast.connection_lost"))),s.addEventListener("disconnected",n);let a=c=>{c.type==="intent-progress"?r(c.data.chat_log_delta??{}):c.type==="intent-end"?o(c.data.intent_output):c.type==="error"&&l(c.data)};i=s.subscribeMessage(a,t,{resubscribe:!1}),i.catch(l)})}finally{s.removeEventListener("disconnected",n),i?.then(o=>o()).catch(()=>{})}}function Ee({entities:s}){return Object.values(s).find(({entity_id:e,platform:t})=>t==="sage"&&e.startsWith("conversation."))?.entity_id}var Pe=P`
  :host {
    color: var(--primary-text-color);
    display: block;
    font-family: var(--ha-font-family-body, Roboto, sans-serif);
    font-size: 14px;
    line-height: 20px;
  }
  h2,
  h3 {
    font-weight: 500;
    margin: 0;
  }
  h2 {
    color: var(--secondary-text-color);
    font-size: 14px;
    line-height: 20px;
    padding: 20px 16px 8px;
  }
  h3 {
    font-size: 14px;
    margin: 20px 0 8px;
  }
  p {
    margin: 8px 0;
  }
  a {
    /* The colour of links has too little contrast in the default theme. */
    color: var(--primary-text-color);
  }
  ha-card,
  .card {
    display: block;
    margin-bottom: 12px;
    overflow-wrap: anywhere;
  }
  ha-card:not(:defined),
  .card {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-radius: var(--ha-card-border-radius, 12px);
  }
  .padded {
    padding: 16px;
  }
  .padded > :first-child {
    margin-top: 0;
  }
  .padded > :last-child {
    margin-bottom: 0;
  }
  .padded > .title {
    font-size: 16px;
  }
  .secondary {
    color: var(--secondary-text-color);
  }
  .unseen {
    clip-path: inset(50%);
    height: 1px;
    overflow: hidden;
    position: absolute;
    white-space: nowrap;
    width: 1px;
  }
  .empty {
    color: var(--secondary-text-color);
    padding: 32px 16px;
    text-align: center;
  }
  .empty ha-icon {
    --mdc-icon-size: 48px;
    display: flex;
    margin: 0 auto 12px;
  }
  .row {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .grow {
    flex: 1 1 160px;
    min-width: 0;
  }
  .end {
    justify-content: flex-end;
  }
  .more {
    display: flex;
    justify-content: center;
    padding: 8px;
  }

  /* Lists: one line each, as in Home Assistant. */
  ul.plain {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  ul.list > li {
    align-items: center;
    display: flex;
  }
  ul.list > li + li {
    border-top: 1px solid var(--divider-color);
  }
  .item {
    align-items: center;
    background: none;
    border: none;
    box-sizing: border-box;
    color: inherit;
    display: flex;
    flex: 1 1 auto;
    font: inherit;
    gap: 16px;
    min-height: 56px;
    min-width: 0;
    padding: 8px 16px;
    text-align: start;
  }
  button.item {
    cursor: pointer;
  }
  button.item:hover {
    background: var(--secondary-background-color);
  }
  .item > ha-icon,
  .item > ha-state-icon,
  .item > ha-domain-icon,
  .item > .spinner {
    --state-icon-color: var(--secondary-text-color);
    color: var(--secondary-text-color);
    flex: none;
  }
  .item > .text {
    display: block;
    flex: 1 1 auto;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .item .headline {
    display: block;
    font-size: 14px;
    line-height: 20px;
  }
  .item .supporting {
    color: var(--secondary-text-color);
    display: -webkit-box;
    font-size: 13px;
    line-height: 18px;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .item > time,
  .item > .meta {
    color: var(--secondary-text-color);
    flex: none;
    font-size: 13px;
  }
  .badge {
    background: var(--secondary-background-color);
    border-radius: 12px;
    color: var(--primary-text-color);
    display: inline-block;
    font-size: 12px;
    line-height: 16px;
    padding: 3px 8px;
    white-space: nowrap;
  }
  .badge.warning {
    background: color-mix(in srgb, var(--warning-color) 25%, var(--card-background-color));
  }
  .badge.error {
    background: color-mix(in srgb, var(--error-color) 20%, var(--card-background-color));
  }

  /* A message stays in sight, below the header, wherever the person has scrolled to. */
  .messages {
    position: sticky;
    top: var(--sage-header-height, 56px);
    z-index: 3;
  }
  .messages ha-alert {
    background: var(--card-background-color);
    border-radius: 8px;
    box-shadow: 0 2px 8px rgb(0 0 0 / 25%);
    display: block;
    margin: 8px 0;
  }
  .message {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-inline-start: 4px solid var(--success-color);
    border-radius: 8px;
    margin: 8px 0;
    padding: 8px 12px;
  }
  .message.error {
    border-inline-start-color: var(--error-color);
  }
  .message.warning {
    border-inline-start-color: var(--warning-color);
  }

  /* A sheet with details at the side; on phones, the whole page. */
  dialog.sheet {
    background: var(--card-background-color);
    border: none;
    box-sizing: border-box;
    color: inherit;
    height: 100dvh;
    inset-block: 0;
    inset-inline: auto 0;
    margin: 0;
    max-height: none;
    max-width: 100vw;
    overscroll-behavior: contain;
    padding: 0;
    width: 480px;
  }
  dialog.sheet .head {
    align-items: center;
    background: var(--card-background-color);
    border-bottom: 1px solid var(--divider-color);
    display: flex;
    gap: 4px;
    min-height: 56px;
    padding: 4px;
    position: sticky;
    top: 0;
    z-index: 4;
  }
  dialog.sheet .head h2 {
    color: inherit;
    font-size: 18px;
    font-weight: 400;
    line-height: 24px;
    overflow-wrap: anywhere;
    padding: 0 8px 0 0;
  }
  dialog.sheet .body {
    --sage-header-height: 64px;
    overflow-wrap: anywhere;
    padding: 8px 20px 24px;
  }
  dialog.sheet .head .grow {
    flex: 1 1 auto;
  }
  dialog.question {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-radius: var(--ha-card-border-radius, 12px);
    color: inherit;
    max-width: min(480px, 90vw);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 50%);
  }
  .buttons {
    justify-content: flex-end;
    padding: 12px 16px 16px;
  }
  @media (prefers-reduced-motion: no-preference) {
    dialog.sheet {
      animation: slide 150ms ease-out;
    }
    @keyframes slide {
      from {
        opacity: 0;
        transform: translateX(40px);
      }
    }
  }

  .fold {
    --expansion-panel-content-padding: 0;
    --expansion-panel-summary-padding: 0;
  }
  ha-card .fold {
    --expansion-panel-summary-padding: 0 16px;
  }
  .fold > [slot="leading-icon"] {
    color: var(--secondary-text-color);
    margin-inline-end: 16px;
  }
  ha-icon,
  ha-state-icon {
    /* Its space is there before the icon is. */
    display: inline-flex;
    height: var(--mdc-icon-size, 24px);
    width: var(--mdc-icon-size, 24px);
  }
  .field {
    --ha-input-padding-bottom: 0;
    flex: 1 1 200px;
    max-width: 100%;
  }

  /* Plain elements, where Home Assistant's own are missing. */
  button.main,
  button.quiet,
  button.danger,
  button.outlined {
    background: none;
    border: 1px solid transparent;
    border-radius: 18px;
    color: var(--primary-text-color);
    cursor: pointer;
    font: inherit;
    font-weight: 500;
    min-height: 36px;
    padding: 4px 16px;
  }
  button.main,
  button.outlined {
    border-color: var(--primary-color);
  }
  button.danger {
    border-color: var(--error-color);
  }
  button:disabled {
    cursor: default;
    opacity: 0.5;
  }
  :focus-visible {
    outline: 2px solid var(--primary-color);
    outline-offset: -2px;
  }
  input:not([type="checkbox"], [type="radio"]),
  textarea,
  select {
    background: var(--card-background-color);
    border: 1px solid var(--outline-color, var(--secondary-text-color));
    border-radius: 8px;
    box-sizing: border-box;
    color: inherit;
    font: inherit;
    max-width: 100%;
    min-height: 40px;
    padding: 8px 12px;
  }
  textarea {
    width: 100%;
  }
  label.field {
    display: grid;
    gap: 4px;
  }
  summary {
    cursor: pointer;
    min-height: 36px;
  }
  pre,
  code {
    font-family: var(--ha-font-family-code, monospace);
    font-size: 13px;
  }
  pre {
    background: var(--secondary-background-color);
    border-radius: 8px;
    overflow-x: auto;
    padding: 8px;
    white-space: pre-wrap;
  }
  .failed {
    color: var(--error-color);
    font-weight: 500;
  }
  progress {
    width: 100%;
  }
`,fr=P`
  svg.day,
  svg.bars {
    display: block;
    width: 100%;
  }
  svg.day {
    height: 32px;
  }
  svg.bars {
    height: 96px;
  }
  svg .empty {
    fill: var(--secondary-background-color);
  }
  svg .so {
    fill: var(--primary-color);
  }
  svg .moment {
    fill: var(--primary-text-color);
  }
  svg .axis {
    stroke: var(--divider-color);
  }
  .hours {
    color: var(--secondary-text-color);
    display: flex;
    font-size: 12px;
    justify-content: space-between;
  }
`;async function Ce(s){let e=await s.loadBackendTranslation("config_panel","sage"),t=(n,i)=>e(`component.sage.config_panel.${n}`,i);return Object.assign(t,{counted:(n,i)=>t(`${n}_${i===1?"one":"other"}`,{count:i.toLocaleString(s.language)})})}async function Re(s,e){let{message:t,translation_key:r,translation_domain:n,translation_placeholders:i}=e;if(r&&n){let l=(await s.loadBackendTranslation("exceptions",n))(`component.${n}.exceptions.${r}.message`,i);if(l)return l}return t??String(e)}var u=class extends ${constructor(){super(...arguments);this.messages=[];this.isWorking=!1;this.step="";this.words="";this.error="";this.question="";this.language="";this.conversation=null}setConfig(t){if(t.agent!==void 0&&typeof t.agent!="string")throw new Error("`agent` has to be the ID of a conversation entity");this.config=t,this.begin()}static getStubConfig(){return{}}static getConfigForm(){return{schema:[{name:"agent",selector:{entity:{filter:{domain:"conversation",integration:"sage"}}}}],computeLabel:()=>V().agent,computeHelper:()=>V().agent_info}}getCardSize(){return 5}getGridOptions(){return{columns:12,min_columns:6,rows:"auto"}}willUpdate(t){t.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,Ce(this.hass).then(r=>this.texts=r))}updated(t){this.log&&["messages","words","isWorking"].some(r=>t.has(r))&&(this.log.scrollTop=this.log.scrollHeight)}get agent(){return this.config?.agent||this.hass&&Ee(this.hass)}begin(){this.messages=[],this.conversation=null,this.error="",this.question="",this.change=void 0,delete this.earlier}async work(t,r){this.isWorking=!0,this.error="";try{this.earlier??=new Set((await this.undoable(t)).map(({id:n})=>n)),await r(),this.change=(await this.undoable(t)).find(({id:n})=>!this.earlier?.has(n))}catch(n){this.error=await Re(t,n)}finally{this.isWorking=!1,this.step="",this.words=""}}async undoable(t){return(await oe(t,"activity/list",{})).commands.filter(({can_undo:r})=>r)}show(t,r){this.messages=[...this.messages,{by:t,text:r}]}async say(t){t.preventDefault();let r=this.input.value.trim(),{hass:n,agent:i}=this;!r||!n||!i||this.isWorking||(this.input.value="",this.question="",this.show("person",r),await this.work(n,async()=>{let o={text:r,agent:i,conversation:this.conversation},l=await ke(n,o,a=>{this.words+=a.content??"",this.step=Se(a)||this.step});this.words="",this.conversation=l.conversation_id,this.show("sage",l.response.speech.plain?.speech??"")}))}async undo(t,r,n){this.isWorking||(this.question="",await this.work(t,async()=>{let i={id:r,language:t.language},o=await oe(t,"activity/undo",n?{...i,agreed:n}:i);this.question=o.question??"",o.done&&this.show("sage",o.done)}),await this.updateComplete,(this.renderRoot.querySelector("[role=group]")??this.input).focus())}render(){let{hass:t,texts:r}=this;return!t||!r?p:b`
      <ha-card>
        <div class="row">
          <h2 class="grow">${r("card.name")}</h2>
          ${this.messages.length?b`<button class="quiet" ?disabled=${this.isWorking} @click=${this.beginAnew}>
                  ${r("card.begin")}
                </button>`:p}
        </div>
        <div
          role="log"
          aria-live="polite"
          aria-busy=${this.isWorking}
          aria-label=${r("card.chat")}
          tabindex="0"
        >
          ${this.messages.length?this.messages.map(n=>this.message(r,n)):b`<p class="secondary">${r("card.intro")}</p>`}
          ${this.words?this.message(r,{by:"sage",text:this.words}):p}
        </div>
        <div role="status">
          ${this.isWorking?b`<p class="secondary">${this.step||r("card.working")}</p>
                  <progress aria-label=${r("card.working")}></progress>`:p}
        </div>
        <div role="alert">${this.trouble(r)}</div>
        ${this.change&&!this.isWorking?this.undoing(t,r,this.change):p}
        <form class="row" @submit=${this.say}>
          <input
            class="grow"
            name="text"
            autocomplete="off"
            enterkeyhint="send"
            aria-label=${r("card.label")}
            placeholder=${r("card.label")}
          />
          <button class="main" ?disabled=${this.isWorking||!this.agent}>
            ${r("card.send")}
          </button>
        </form>
      </ha-card>
    `}beginAnew(){this.begin(),this.input.focus()}trouble(t){let r=this.agent?this.error:t("card.no_agent");return r?b`<p class="failed">${r}</p>`:p}message(t,{by:r,text:n}){return b`<p class="message ${r}">
      <span class="unseen">${t(`card.by.${r}`)}</span>
      <span class="text">${n}</span>
    </p>`}undoing(t,r,n){let{question:i}=this;return i?b`
      <div role="group" aria-label=${i} tabindex="-1">
        <p>${i}</p>
        <div class="row">
          <button class="main" @click=${()=>this.undo(t,n.id,i)}>
            ${r("yes")}
          </button>
          <button class="quiet" @click=${this.decline}>${r("no")}</button>
        </div>
      </div>
    `:b`<button class="undo outlined" @click=${()=>this.undo(t,n.id)}>
        ${r("card.undo",{command:n.command})}
      </button>`}decline(){this.question="",this.input.focus()}};u.styles=[Pe,P`
      ha-card {
        box-sizing: border-box;
        display: flex;
        flex-direction: column;
        gap: 8px;
        overflow-wrap: anywhere;
        padding: 16px;
      }
      h2 {
        color: inherit;
        font-size: 20px;
        font-weight: 400;
        line-height: 28px;
        padding: 0;
      }
      [role="log"] {
        display: flex;
        flex-direction: column;
        max-height: 320px;
        overflow-y: auto;
      }
      .message {
        border-radius: 12px;
        margin: 4px 0;
        max-width: 85%;
        padding: 8px 12px;
      }
      .message .text {
        white-space: pre-line;
      }
      .person {
        align-self: flex-end;
        background: var(--secondary-background-color);
      }
      .sage {
        align-self: flex-start;
        border: 1px solid var(--divider-color);
      }
      .undo {
        align-self: flex-start;
        max-width: 100%;
        text-align: start;
      }
      .unseen {
        clip-path: inset(50%);
        height: 1px;
        overflow: hidden;
        position: absolute;
        white-space: nowrap;
        width: 1px;
      }
    `],m([B({attribute:!1})],u.prototype,"hass",2),m([f()],u.prototype,"config",2),m([f()],u.prototype,"texts",2),m([f()],u.prototype,"messages",2),m([f()],u.prototype,"isWorking",2),m([f()],u.prototype,"step",2),m([f()],u.prototype,"words",2),m([f()],u.prototype,"error",2),m([f()],u.prototype,"change",2),m([f()],u.prototype,"question",2),m([ie("input")],u.prototype,"input",2),m([ie("[role=log]")],u.prototype,"log",2),u=m([Ae("sage-card")],u);var Qe={type:"sage-card",get name(){return V().name},get description(){return V().description}};function V(){return d[document.documentElement.lang.split("-")[0]]??d.en}var Ze=window;(Ze.customCards??=[]).push(Qe);export{u as Card};
