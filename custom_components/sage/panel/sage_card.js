await customElements.whenDefined("home-assistant");
var Te=Object.defineProperty;var Me=Object.getOwnPropertyDescriptor;var m=(s,e,t,n)=>{for(var r=n>1?void 0:n?Me(e,t):e,i=s.length-1,o;i>=0;i--)(o=s[i])&&(r=(n?o(e,t,r):o(r))||r);return n&&r&&Te(e,t,r),r};var d={en:{name:"Ask SAGE",description:"Talk to SAGE on the dashboard, and undo its last change.",agent:"Agent",agent_info:"If the field is empty, the card uses the first agent of SAGE."},de:{name:"SAGE fragen",description:"Sprich auf dem Dashboard mit SAGE und mach seine letzte Änderung rückgängig.",agent:"Agent",agent_info:"Ist das Feld leer, verwendet die Karte den ersten Agenten von SAGE."},fr:{name:"Demander à SAGE",description:"Parlez à SAGE sur le tableau de bord, et annulez sa dernière modification.",agent:"Agent",agent_info:"Si le champ est vide, la carte utilise le premier agent de SAGE."}};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var N=globalThis,j=N.ShadowRoot&&(N.ShadyCSS===void 0||N.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,G=Symbol(),ae=new WeakMap,T=class{constructor(e,t,n){if(this._$cssResult$=!0,n!==G)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(j&&e===void 0){let n=t!==void 0&&t.length===1;n&&(e=ae.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),n&&ae.set(t,e))}return e}toString(){return this.cssText}},le=s=>new T(typeof s=="string"?s:s+"",void 0,G),P=(s,...e)=>{let t=s.length===1?s[0]:e.reduce((n,r,i)=>n+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+s[i+1],s[0]);return new T(t,s,G)},ce=(s,e)=>{if(j)s.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let n=document.createElement("style"),r=N.litNonce;r!==void 0&&n.setAttribute("nonce",r),n.textContent=t.cssText,s.appendChild(n)}},F=j?s=>s:s=>s instanceof CSSStyleSheet?(e=>{let t="";for(let n of e.cssRules)t+=n.cssText;return le(t)})(s):s;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:He,defineProperty:Ue,getOwnPropertyDescriptor:ze,getOwnPropertyNames:De,getOwnPropertySymbols:Le,getPrototypeOf:qe}=Object,W=globalThis,de=W.trustedTypes,Ne=de?de.emptyScript:"",je=W.reactiveElementPolyfillSupport,M=(s,e)=>s,O={toAttribute(s,e){switch(e){case Boolean:s=s?Ne:null;break;case Object:case Array:s=s==null?s:JSON.stringify(s)}return s},fromAttribute(s,e){let t=s;switch(e){case Boolean:t=s!==null;break;case Number:t=s===null?null:Number(s);break;case Object:case Array:try{t=JSON.parse(s)}catch{t=null}}return t}},K=(s,e)=>!He(s,e),pe={attribute:!0,type:String,converter:O,reflect:!1,useDefault:!1,hasChanged:K};Symbol.metadata??=Symbol("metadata"),W.litPropertyMetadata??=new WeakMap;var b=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=pe){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let n=Symbol(),r=this.getPropertyDescriptor(e,n,t);r!==void 0&&Ue(this.prototype,e,r)}}static getPropertyDescriptor(e,t,n){let{get:r,set:i}=ze(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:r,set(o){let l=r?.call(this);i?.call(this,o),this.requestUpdate(e,l,n)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??pe}static _$Ei(){if(this.hasOwnProperty(M("elementProperties")))return;let e=qe(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(M("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(M("properties"))){let t=this.properties,n=[...De(t),...Le(t)];for(let r of n)this.createProperty(r,t[r])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[n,r]of t)this.elementProperties.set(n,r)}this._$Eh=new Map;for(let[t,n]of this.elementProperties){let r=this._$Eu(t,n);r!==void 0&&this._$Eh.set(r,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let n=new Set(e.flat(1/0).reverse());for(let r of n)t.unshift(F(r))}else e!==void 0&&t.push(F(e));return t}static _$Eu(e,t){let n=t.attribute;return n===!1?void 0:typeof n=="string"?n:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let n of t.keys())this.hasOwnProperty(n)&&(e.set(n,this[n]),delete this[n]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return ce(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,n){this._$AK(e,n)}_$ET(e,t){let n=this.constructor.elementProperties.get(e),r=this.constructor._$Eu(e,n);if(r!==void 0&&n.reflect===!0){let i=(n.converter?.toAttribute!==void 0?n.converter:O).toAttribute(t,n.type);this._$Em=e,i==null?this.removeAttribute(r):this.setAttribute(r,i),this._$Em=null}}_$AK(e,t){let n=this.constructor,r=n._$Eh.get(e);if(r!==void 0&&this._$Em!==r){let i=n.getPropertyOptions(r),o=typeof i.converter=="function"?{fromAttribute:i.converter}:i.converter?.fromAttribute!==void 0?i.converter:O;this._$Em=r;let l=o.fromAttribute(t,i.type);this[r]=l??this._$Ej?.get(r)??l,this._$Em=null}}requestUpdate(e,t,n,r=!1,i){if(e!==void 0){let o=this.constructor;if(r===!1&&(i=this[e]),n??=o.getPropertyOptions(e),!((n.hasChanged??K)(i,t)||n.useDefault&&n.reflect&&i===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,n))))return;this.C(e,t,n)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:n,reflect:r,wrapped:i},o){n&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),i!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||n||(t=void 0),this._$AL.set(e,t)),r===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,i]of this._$Ep)this[r]=i;this._$Ep=void 0}let n=this.constructor.elementProperties;if(n.size>0)for(let[r,i]of n){let{wrapped:o}=i,l=this[r];o!==!0||this._$AL.has(r)||l===void 0||this.C(r,void 0,i,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(n=>n.hostUpdate?.()),this.update(t)):this._$EM()}catch(n){throw e=!1,this._$EM(),n}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};b.elementStyles=[],b.shadowRootOptions={mode:"open"},b[M("elementProperties")]=new Map,b[M("finalized")]=new Map,je?.({ReactiveElement:b}),(W.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var te=globalThis,ue=s=>s,B=te.trustedTypes,he=B?B.createPolicy("lit-html",{createHTML:s=>s}):void 0,ve="$lit$",_=`lit$${Math.random().toFixed(9).slice(2)}$`,xe="?"+_,We=`<${xe}>`,k=document,U=()=>k.createComment(""),z=s=>s===null||typeof s!="object"&&typeof s!="function",ne=Array.isArray,Ke=s=>ne(s)||typeof s?.[Symbol.iterator]=="function",X=`[ 	
\f\r]`,H=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ge=/-->/g,me=/>/g,w=RegExp(`>|${X}(?:([^\\s"'>=/]+)(${X}*=${X}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),fe=/'/g,ye=/"/g,_e=/^(?:script|style|textarea|title)$/i,re=s=>(e,...t)=>({_$litType$:s,strings:e,values:t}),v=re(1),at=re(2),lt=re(3),S=Symbol.for("lit-noChange"),p=Symbol.for("lit-nothing"),be=new WeakMap,A=k.createTreeWalker(k,129);function $e(s,e){if(!ne(s)||!s.hasOwnProperty("raw"))throw Error("invalid template strings array");return he!==void 0?he.createHTML(e):e}var Be=(s,e)=>{let t=s.length-1,n=[],r,i=e===2?"<svg>":e===3?"<math>":"",o=H;for(let l=0;l<t;l++){let a=s[l],c,g,u=-1,y=0;for(;y<a.length&&(o.lastIndex=y,g=o.exec(a),g!==null);)y=o.lastIndex,o===H?g[1]==="!--"?o=ge:g[1]!==void 0?o=me:g[2]!==void 0?(_e.test(g[2])&&(r=RegExp("</"+g[2],"g")),o=w):g[3]!==void 0&&(o=w):o===w?g[0]===">"?(o=r??H,u=-1):g[1]===void 0?u=-2:(u=o.lastIndex-g[2].length,c=g[1],o=g[3]===void 0?w:g[3]==='"'?ye:fe):o===ye||o===fe?o=w:o===ge||o===me?o=H:(o=w,r=void 0);let x=o===w&&s[l+1].startsWith("/>")?" ":"";i+=o===H?a+We:u>=0?(n.push(c),a.slice(0,u)+ve+a.slice(u)+_+x):a+_+(u===-2?l:x)}return[$e(s,i+(s[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),n]},D=class s{constructor({strings:e,_$litType$:t},n){let r;this.parts=[];let i=0,o=0,l=e.length-1,a=this.parts,[c,g]=Be(e,t);if(this.el=s.createElement(c,n),A.currentNode=this.el.content,t===2||t===3){let u=this.el.content.firstChild;u.replaceWith(...u.childNodes)}for(;(r=A.nextNode())!==null&&a.length<l;){if(r.nodeType===1){if(r.hasAttributes())for(let u of r.getAttributeNames())if(u.endsWith(ve)){let y=g[o++],x=r.getAttribute(u).split(_),q=/([.?@])?(.*)/.exec(y);a.push({type:1,index:i,name:q[2],strings:x,ctor:q[1]==="."?Q:q[1]==="?"?Z:q[1]==="@"?Y:R}),r.removeAttribute(u)}else u.startsWith(_)&&(a.push({type:6,index:i}),r.removeAttribute(u));if(_e.test(r.tagName)){let u=r.textContent.split(_),y=u.length-1;if(y>0){r.textContent=B?B.emptyScript:"";for(let x=0;x<y;x++)r.append(u[x],U()),A.nextNode(),a.push({type:2,index:++i});r.append(u[y],U())}}}else if(r.nodeType===8)if(r.data===xe)a.push({type:2,index:i});else{let u=-1;for(;(u=r.data.indexOf(_,u+1))!==-1;)a.push({type:7,index:i}),u+=_.length-1}i++}}static createElement(e,t){let n=k.createElement("template");return n.innerHTML=e,n}};function C(s,e,t=s,n){if(e===S)return e;let r=n!==void 0?t._$Co?.[n]:t._$Cl,i=z(e)?void 0:e._$litDirective$;return r?.constructor!==i&&(r?._$AO?.(!1),i===void 0?r=void 0:(r=new i(s),r._$AT(s,t,n)),n!==void 0?(t._$Co??=[])[n]=r:t._$Cl=r),r!==void 0&&(e=C(s,r._$AS(s,e.values),r,n)),e}var J=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,r=(e?.creationScope??k).importNode(t,!0);A.currentNode=r;let i=A.nextNode(),o=0,l=0,a=n[0];for(;a!==void 0;){if(o===a.index){let c;a.type===2?c=new L(i,i.nextSibling,this,e):a.type===1?c=new a.ctor(i,a.name,a.strings,this,e):a.type===6&&(c=new ee(i,this,e)),this._$AV.push(c),a=n[++l]}o!==a?.index&&(i=A.nextNode(),o++)}return A.currentNode=k,r}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(e,n,t),t+=n.strings.length-2):n._$AI(e[t])),t++}},L=class s{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,r){this.type=2,this._$AH=p,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=C(this,e,t),z(e)?e===p||e==null||e===""?(this._$AH!==p&&this._$AR(),this._$AH=p):e!==this._$AH&&e!==S&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Ke(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==p&&z(this._$AH)?this._$AA.nextSibling.data=e:this.T(k.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,r=typeof n=="number"?this._$AC(e):(n.el===void 0&&(n.el=D.createElement($e(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(t);else{let i=new J(r,this),o=i.u(this.options);i.p(t),this.T(o),this._$AH=i}}_$AC(e){let t=be.get(e.strings);return t===void 0&&be.set(e.strings,t=new D(e)),t}k(e){ne(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,n,r=0;for(let i of e)r===t.length?t.push(n=new s(this.O(U()),this.O(U()),this,this.options)):n=t[r],n._$AI(i),r++;r<t.length&&(this._$AR(n&&n._$AB.nextSibling,r),t.length=r)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let n=ue(e).nextSibling;ue(e).remove(),e=n}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},R=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,r,i){this.type=1,this._$AH=p,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=i,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=p}_$AI(e,t=this,n,r){let i=this.strings,o=!1;if(i===void 0)e=C(this,e,t,0),o=!z(e)||e!==this._$AH&&e!==S,o&&(this._$AH=e);else{let l=e,a,c;for(e=i[0],a=0;a<i.length-1;a++)c=C(this,l[n+a],t,a),c===S&&(c=this._$AH[a]),o||=!z(c)||c!==this._$AH[a],c===p?e=p:e!==p&&(e+=(c??"")+i[a+1]),this._$AH[a]=c}o&&!r&&this.j(e)}j(e){e===p?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Q=class extends R{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===p?void 0:e}},Z=class extends R{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==p)}},Y=class extends R{constructor(e,t,n,r,i){super(e,t,n,r,i),this.type=5}_$AI(e,t=this){if((e=C(this,e,t,0)??p)===S)return;let n=this._$AH,r=e===p&&n!==p||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,i=e!==p&&(n===p||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},ee=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){C(this,e)}};var Ie=te.litHtmlPolyfillSupport;Ie?.(D,L),(te.litHtmlVersions??=[]).push("3.3.3");var we=(s,e,t)=>{let n=t?.renderBefore??e,r=n._$litPart$;if(r===void 0){let i=t?.renderBefore??null;n._$litPart$=r=new L(e.insertBefore(U(),i),i,void 0,t??{})}return r._$AI(s),r};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var se=globalThis,$=class extends b{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=we(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return S}};$._$litElement$=!0,$.finalized=!0,se.litElementHydrateSupport?.({LitElement:$});var Ve=se.litElementPolyfillSupport;Ve?.({LitElement:$});(se.litElementVersions??=[]).push("4.2.2");/**
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
 */var Ge={attribute:!0,type:String,converter:O,reflect:!1,hasChanged:K},Fe=(s=Ge,e,t)=>{let{kind:n,metadata:r}=t,i=globalThis.litPropertyMetadata.get(r);if(i===void 0&&globalThis.litPropertyMetadata.set(r,i=new Map),n==="setter"&&((s=Object.create(s)).wrapped=!0),i.set(t.name,s),n==="accessor"){let{name:o}=t;return{set(l){let a=e.get.call(this);e.set.call(this,l),this.requestUpdate(o,a,s,!0,l)},init(l){return l!==void 0&&this.C(o,void 0,s,l),l}}}if(n==="setter"){let{name:o}=t;return function(l){let a=this[o];e.call(this,l),this.requestUpdate(o,a,s,!0,l)}}throw Error("Unsupported decorator location: "+n)};function I(s){return(e,t)=>typeof t=="object"?Fe(s,e,t):((n,r,i)=>{let o=r.hasOwnProperty(i);return r.constructor.createProperty(i,n),o?Object.getOwnPropertyDescriptor(r,i):void 0})(s,e,t)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function f(s){return I({...s,state:!0,attribute:!1})}/**
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
 */function ie(s,e){return(t,n,r)=>{let i=o=>o.renderRoot?.querySelector(s)??null;if(e){let{get:o,set:l}=typeof n=="object"?t:r??(()=>{let a=Symbol();return{get(){return this[a]},set(c){this[a]=c}}})();return E(t,n,{get(){let a=o.call(this);return a===void 0&&(a=i(this),(a!==null||this.hasUpdated)&&l.call(this,a)),a}})}return E(t,n,{get(){return i(this)}})}}/**
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
 */function oe(s,e,t){return s.callWS({type:`sage/${e}`,data:t})}function ke({thinking_content:s=""}){return s.replace(/^- /,"").replace(/\\(.)/g,"$1").trim()}var Xe=3600;function Se(s,{text:e,agent:t,conversation:n},r){let{components:i,language:o}=s.config;return o!==s.language||!i.includes("assist_pipeline")?s.callWS({type:"conversation/process",text:e,agent_id:t,language:s.language,conversation_id:n}):Je(s,{type:"assist_pipeline/run",start_stage:"intent",end_stage:"intent",input:{text:e},pipeline:t,conversation_id:n,timeout:Xe},r)}async function Je({connection:s,localize:e},t,n){let r=()=>{},i;try{return await new Promise((o,l)=>{r=()=>l(new Error(e("ui.notification_toast.connection_lost"))),s.addEventListener("disconnected",r);let a=c=>{c.type==="intent-progress"?n(c.data.chat_log_delta??{}):c.type==="intent-end"?o(c.data.intent_output):c.type==="error"&&l(c.data)};i=s.subscribeMessage(a,t,{resubscribe:!1}),i.catch(l)})}finally{s.removeEventListener("disconnected",r),i?.then(o=>o()).catch(()=>{})}}function Ee({entities:s}){return Object.values(s).find(({entity_id:e,platform:t})=>t==="sage"&&e.startsWith("conversation."))?.entity_id}var Pe=P`
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
`,yn=P`
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
`;async function Ce(s){let e=await s.loadBackendTranslation("config_panel","sage"),t=(r,i)=>e(`component.sage.config_panel.${r}`,i);return Object.assign(t,{counted:(r,i)=>t(`${r}_${i===1?"one":"other"}`,{count:i.toLocaleString(s.language)})})}async function Re(s,e){let{message:t,translation_key:n,translation_domain:r,translation_placeholders:i}=e;if(n&&r){let l=(await s.loadBackendTranslation("exceptions",r))(`component.${r}.exceptions.${n}.message`,i);if(l)return l}return t??String(e)}var h=class extends ${constructor(){super(...arguments);this.messages=[];this.isWorking=!1;this.step="";this.words="";this.error="";this.question="";this.language="";this.conversation=null}setConfig(t){if(t.agent!==void 0&&typeof t.agent!="string")throw new Error("`agent` has to be the ID of a conversation entity");this.config=t,this.begin()}static getStubConfig(){return{}}static getConfigForm(){return{schema:[{name:"agent",selector:{entity:{filter:{domain:"conversation",integration:"sage"}}}}],computeLabel:()=>V().agent,computeHelper:()=>V().agent_info}}getCardSize(){return 5}getGridOptions(){return{columns:12,min_columns:6,rows:"auto"}}willUpdate(t){t.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,Ce(this.hass).then(n=>this.texts=n))}updated(t){this.log&&["messages","words","isWorking"].some(n=>t.has(n))&&(this.log.scrollTop=this.log.scrollHeight)}get agent(){return this.config?.agent||this.hass&&Ee(this.hass)}begin(){this.messages=[],this.conversation=null,this.error="",this.question="",this.change=void 0,delete this.earlier}async work(t,n){this.isWorking=!0,this.error="";try{this.earlier??=new Set((await this.undoable(t)).map(({id:r})=>r)),await n(),this.change=(await this.undoable(t)).find(({id:r})=>!this.earlier?.has(r))}catch(r){this.error=await Re(t,r)}finally{this.isWorking=!1,this.step="",this.words=""}}async undoable(t){return(await oe(t,"activity/list",{})).commands.filter(({can_undo:n})=>n)}show(t,n){this.messages=[...this.messages,{by:t,text:n}]}async say(t){t.preventDefault();let n=this.input.value.trim(),{hass:r,agent:i}=this;!n||!r||!i||this.isWorking||(this.input.value="",this.question="",this.show("person",n),await this.work(r,async()=>{let o={text:n,agent:i,conversation:this.conversation},l=await Se(r,o,a=>{this.words+=a.content??"",this.step=ke(a)||this.step});this.words="",this.conversation=l.conversation_id,this.show("sage",l.response.speech.plain?.speech??"")}))}async undo(t,n,r){this.isWorking||(this.question="",await this.work(t,async()=>{let i={id:n,language:t.language},o=await oe(t,"activity/undo",r?{...i,agreed:r}:i);this.question=o.question??"",o.done&&this.show("sage",o.done)}),await this.updateComplete,(this.renderRoot.querySelector("[role=group]")??this.input).focus())}render(){let{hass:t,texts:n}=this;return!t||!n?p:v`
      <ha-card>
        <div class="row">
          <h2 class="grow">${n("card.name")}</h2>
          ${this.messages.length?v`<button class="quiet" ?disabled=${this.isWorking} @click=${this.beginAnew}>
                  ${n("card.begin")}
                </button>`:p}
        </div>
        <div
          role="log"
          aria-live="polite"
          aria-busy=${this.isWorking}
          aria-label=${n("card.chat")}
          tabindex="0"
        >
          ${this.messages.length?this.messages.map(r=>this.message(n,r)):v`<p class="secondary">${n("card.intro")}</p>`}
          ${this.words?this.message(n,{by:"sage",text:this.words}):p}
        </div>
        <div role="status">
          ${this.isWorking?v`<p class="secondary">${this.step||n("card.working")}</p>
                  <progress aria-label=${n("card.working")}></progress>`:p}
        </div>
        <div role="alert">${this.trouble(n)}</div>
        ${this.change&&!this.isWorking?this.undoing(t,n,this.change):p}
        <form class="row" @submit=${this.say}>
          <input
            class="grow"
            name="text"
            autocomplete="off"
            enterkeyhint="send"
            aria-label=${n("card.label")}
            placeholder=${n("card.label")}
          />
          <button class="main" ?disabled=${this.isWorking||!this.agent}>
            ${n("card.send")}
          </button>
        </form>
      </ha-card>
    `}beginAnew(){this.begin(),this.input.focus()}trouble(t){let n=this.agent?this.error:t("card.no_agent");return n?v`<p class="failed">${n}</p>`:p}message(t,{by:n,text:r}){return v`<p class="message ${n}">
      <span class="unseen">${t(`card.by.${n}`)}</span>
      <span class="text">${r}</span>
    </p>`}undoing(t,n,r){let{question:i}=this;return i?v`
      <div role="group" aria-label=${i} tabindex="-1">
        <p>${i}</p>
        <div class="row">
          <button class="main" @click=${()=>this.undo(t,r.id,i)}>
            ${n("yes")}
          </button>
          <button class="quiet" @click=${this.decline}>${n("no")}</button>
        </div>
      </div>
    `:v`<button class="undo outlined" @click=${()=>this.undo(t,r.id)}>
        ${n("card.undo",{command:r.command})}
      </button>`}decline(){this.question="",this.input.focus()}};h.styles=[Pe,P`
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
    `],m([I({attribute:!1})],h.prototype,"hass",2),m([f()],h.prototype,"config",2),m([f()],h.prototype,"texts",2),m([f()],h.prototype,"messages",2),m([f()],h.prototype,"isWorking",2),m([f()],h.prototype,"step",2),m([f()],h.prototype,"words",2),m([f()],h.prototype,"error",2),m([f()],h.prototype,"change",2),m([f()],h.prototype,"question",2),m([ie("input")],h.prototype,"input",2),m([ie("[role=log]")],h.prototype,"log",2),h=m([Ae("sage-card")],h);var Qe={type:"sage-card",get name(){return V().name},get description(){return V().description}};function V(){return d[document.documentElement.lang.split("-")[0]]??d.en}var Ze=window;(Ze.customCards??=[]).push(Qe);export{h as Card};
