await customElements.whenDefined("home-assistant");
var Me=Object.defineProperty;var He=Object.getOwnPropertyDescriptor;var m=(s,e,t,r)=>{for(var n=r>1?void 0:r?He(e,t):e,i=s.length-1,o;i>=0;i--)(o=s[i])&&(n=(r?o(e,t,n):o(n))||n);return r&&n&&Me(e,t,n),n};var d={en:{name:"Ask SAGE",description:"Talk to SAGE on the dashboard, and undo its last change.",agent:"Agent",agent_info:"If the field is empty, the card uses the first agent of SAGE."},de:{name:"SAGE fragen",description:"Sprich auf dem Dashboard mit SAGE und mach seine letzte Änderung rückgängig.",agent:"Agent",agent_info:"Ist das Feld leer, verwendet die Karte den ersten Agenten von SAGE."},fr:{name:"Demander à SAGE",description:"Parlez à SAGE sur le tableau de bord, et annulez sa dernière modification.",agent:"Agent",agent_info:"Si le champ est vide, la carte utilise le premier agent de SAGE."}};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var z=globalThis,W=z.ShadowRoot&&(z.ShadyCSS===void 0||z.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,G=Symbol(),ae=new WeakMap,T=class{constructor(e,t,r){if(this._$cssResult$=!0,r!==G)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(W&&e===void 0){let r=t!==void 0&&t.length===1;r&&(e=ae.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),r&&ae.set(t,e))}return e}toString(){return this.cssText}},le=s=>new T(typeof s=="string"?s:s+"",void 0,G),C=(s,...e)=>{let t=s.length===1?s[0]:e.reduce((r,n,i)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(n)+s[i+1],s[0]);return new T(t,s,G)},ce=(s,e)=>{if(W)s.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let r=document.createElement("style"),n=z.litNonce;n!==void 0&&r.setAttribute("nonce",n),r.textContent=t.cssText,s.appendChild(r)}},F=W?s=>s:s=>s instanceof CSSStyleSheet?(e=>{let t="";for(let r of e.cssRules)t+=r.cssText;return le(t)})(s):s;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:Ue,defineProperty:De,getOwnPropertyDescriptor:Le,getOwnPropertyNames:Ne,getOwnPropertySymbols:qe,getPrototypeOf:ze}=Object,j=globalThis,de=j.trustedTypes,We=de?de.emptyScript:"",je=j.reactiveElementPolyfillSupport,M=(s,e)=>s,H={toAttribute(s,e){switch(e){case Boolean:s=s?We:null;break;case Object:case Array:s=s==null?s:JSON.stringify(s)}return s},fromAttribute(s,e){let t=s;switch(e){case Boolean:t=s!==null;break;case Number:t=s===null?null:Number(s);break;case Object:case Array:try{t=JSON.parse(s)}catch{t=null}}return t}},K=(s,e)=>!Ue(s,e),ue={attribute:!0,type:String,converter:H,reflect:!1,useDefault:!1,hasChanged:K};Symbol.metadata??=Symbol("metadata"),j.litPropertyMetadata??=new WeakMap;var v=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=ue){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let r=Symbol(),n=this.getPropertyDescriptor(e,r,t);n!==void 0&&De(this.prototype,e,n)}}static getPropertyDescriptor(e,t,r){let{get:n,set:i}=Le(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:n,set(o){let l=n?.call(this);i?.call(this,o),this.requestUpdate(e,l,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??ue}static _$Ei(){if(this.hasOwnProperty(M("elementProperties")))return;let e=ze(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(M("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(M("properties"))){let t=this.properties,r=[...Ne(t),...qe(t)];for(let n of r)this.createProperty(n,t[n])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[r,n]of t)this.elementProperties.set(r,n)}this._$Eh=new Map;for(let[t,r]of this.elementProperties){let n=this._$Eu(t,r);n!==void 0&&this._$Eh.set(n,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let r=new Set(e.flat(1/0).reverse());for(let n of r)t.unshift(F(n))}else e!==void 0&&t.push(F(e));return t}static _$Eu(e,t){let r=t.attribute;return r===!1?void 0:typeof r=="string"?r:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let r of t.keys())this.hasOwnProperty(r)&&(e.set(r,this[r]),delete this[r]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return ce(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,r){this._$AK(e,r)}_$ET(e,t){let r=this.constructor.elementProperties.get(e),n=this.constructor._$Eu(e,r);if(n!==void 0&&r.reflect===!0){let i=(r.converter?.toAttribute!==void 0?r.converter:H).toAttribute(t,r.type);this._$Em=e,i==null?this.removeAttribute(n):this.setAttribute(n,i),this._$Em=null}}_$AK(e,t){let r=this.constructor,n=r._$Eh.get(e);if(n!==void 0&&this._$Em!==n){let i=r.getPropertyOptions(n),o=typeof i.converter=="function"?{fromAttribute:i.converter}:i.converter?.fromAttribute!==void 0?i.converter:H;this._$Em=n;let l=o.fromAttribute(t,i.type);this[n]=l??this._$Ej?.get(n)??l,this._$Em=null}}requestUpdate(e,t,r,n=!1,i){if(e!==void 0){let o=this.constructor;if(n===!1&&(i=this[e]),r??=o.getPropertyOptions(e),!((r.hasChanged??K)(i,t)||r.useDefault&&r.reflect&&i===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,r))))return;this.C(e,t,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:r,reflect:n,wrapped:i},o){r&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),i!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||r||(t=void 0),this._$AL.set(e,t)),n===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[n,i]of this._$Ep)this[n]=i;this._$Ep=void 0}let r=this.constructor.elementProperties;if(r.size>0)for(let[n,i]of r){let{wrapped:o}=i,l=this[n];o!==!0||this._$AL.has(n)||l===void 0||this.C(n,void 0,i,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(t)):this._$EM()}catch(r){throw e=!1,this._$EM(),r}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};v.elementStyles=[],v.shadowRootOptions={mode:"open"},v[M("elementProperties")]=new Map,v[M("finalized")]=new Map,je?.({ReactiveElement:v}),(j.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var te=globalThis,pe=s=>s,B=te.trustedTypes,he=B?B.createPolicy("lit-html",{createHTML:s=>s}):void 0,be="$lit$",x=`lit$${Math.random().toFixed(9).slice(2)}$`,_e="?"+x,Ke=`<${_e}>`,E=document,U=()=>E.createComment(""),D=s=>s===null||typeof s!="object"&&typeof s!="function",re=Array.isArray,Be=s=>re(s)||typeof s?.[Symbol.iterator]=="function",X=`[ 	
\f\r]`,O=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ge=/-->/g,me=/>/g,A=RegExp(`>|${X}(?:([^\\s"'>=/]+)(${X}*=${X}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),fe=/'/g,ye=/"/g,xe=/^(?:script|style|textarea|title)$/i,ne=s=>(e,...t)=>({_$litType$:s,strings:e,values:t}),b=ne(1),lt=ne(2),ct=ne(3),S=Symbol.for("lit-noChange"),u=Symbol.for("lit-nothing"),ve=new WeakMap,w=E.createTreeWalker(E,129);function $e(s,e){if(!re(s)||!s.hasOwnProperty("raw"))throw Error("invalid template strings array");return he!==void 0?he.createHTML(e):e}var Ie=(s,e)=>{let t=s.length-1,r=[],n,i=e===2?"<svg>":e===3?"<math>":"",o=O;for(let l=0;l<t;l++){let a=s[l],c,g,p=-1,y=0;for(;y<a.length&&(o.lastIndex=y,g=o.exec(a),g!==null);)y=o.lastIndex,o===O?g[1]==="!--"?o=ge:g[1]!==void 0?o=me:g[2]!==void 0?(xe.test(g[2])&&(n=RegExp("</"+g[2],"g")),o=A):g[3]!==void 0&&(o=A):o===A?g[0]===">"?(o=n??O,p=-1):g[1]===void 0?p=-2:(p=o.lastIndex-g[2].length,c=g[1],o=g[3]===void 0?A:g[3]==='"'?ye:fe):o===ye||o===fe?o=A:o===ge||o===me?o=O:(o=A,n=void 0);let _=o===A&&s[l+1].startsWith("/>")?" ":"";i+=o===O?a+Ke:p>=0?(r.push(c),a.slice(0,p)+be+a.slice(p)+x+_):a+x+(p===-2?l:_)}return[$e(s,i+(s[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),r]},L=class s{constructor({strings:e,_$litType$:t},r){let n;this.parts=[];let i=0,o=0,l=e.length-1,a=this.parts,[c,g]=Ie(e,t);if(this.el=s.createElement(c,r),w.currentNode=this.el.content,t===2||t===3){let p=this.el.content.firstChild;p.replaceWith(...p.childNodes)}for(;(n=w.nextNode())!==null&&a.length<l;){if(n.nodeType===1){if(n.hasAttributes())for(let p of n.getAttributeNames())if(p.endsWith(be)){let y=g[o++],_=n.getAttribute(p).split(x),q=/([.?@])?(.*)/.exec(y);a.push({type:1,index:i,name:q[2],strings:_,ctor:q[1]==="."?Q:q[1]==="?"?Z:q[1]==="@"?Y:R}),n.removeAttribute(p)}else p.startsWith(x)&&(a.push({type:6,index:i}),n.removeAttribute(p));if(xe.test(n.tagName)){let p=n.textContent.split(x),y=p.length-1;if(y>0){n.textContent=B?B.emptyScript:"";for(let _=0;_<y;_++)n.append(p[_],U()),w.nextNode(),a.push({type:2,index:++i});n.append(p[y],U())}}}else if(n.nodeType===8)if(n.data===_e)a.push({type:2,index:i});else{let p=-1;for(;(p=n.data.indexOf(x,p+1))!==-1;)a.push({type:7,index:i}),p+=x.length-1}i++}}static createElement(e,t){let r=E.createElement("template");return r.innerHTML=e,r}};function P(s,e,t=s,r){if(e===S)return e;let n=r!==void 0?t._$Co?.[r]:t._$Cl,i=D(e)?void 0:e._$litDirective$;return n?.constructor!==i&&(n?._$AO?.(!1),i===void 0?n=void 0:(n=new i(s),n._$AT(s,t,r)),r!==void 0?(t._$Co??=[])[r]=n:t._$Cl=n),n!==void 0&&(e=P(s,n._$AS(s,e.values),n,r)),e}var J=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:r}=this._$AD,n=(e?.creationScope??E).importNode(t,!0);w.currentNode=n;let i=w.nextNode(),o=0,l=0,a=r[0];for(;a!==void 0;){if(o===a.index){let c;a.type===2?c=new N(i,i.nextSibling,this,e):a.type===1?c=new a.ctor(i,a.name,a.strings,this,e):a.type===6&&(c=new ee(i,this,e)),this._$AV.push(c),a=r[++l]}o!==a?.index&&(i=w.nextNode(),o++)}return w.currentNode=E,n}p(e){let t=0;for(let r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(e,r,t),t+=r.strings.length-2):r._$AI(e[t])),t++}},N=class s{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,r,n){this.type=2,this._$AH=u,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=r,this.options=n,this._$Cv=n?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=P(this,e,t),D(e)?e===u||e==null||e===""?(this._$AH!==u&&this._$AR(),this._$AH=u):e!==this._$AH&&e!==S&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Be(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==u&&D(this._$AH)?this._$AA.nextSibling.data=e:this.T(E.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:r}=e,n=typeof r=="number"?this._$AC(e):(r.el===void 0&&(r.el=L.createElement($e(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===n)this._$AH.p(t);else{let i=new J(n,this),o=i.u(this.options);i.p(t),this.T(o),this._$AH=i}}_$AC(e){let t=ve.get(e.strings);return t===void 0&&ve.set(e.strings,t=new L(e)),t}k(e){re(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,r,n=0;for(let i of e)n===t.length?t.push(r=new s(this.O(U()),this.O(U()),this,this.options)):r=t[n],r._$AI(i),n++;n<t.length&&(this._$AR(r&&r._$AB.nextSibling,n),t.length=n)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let r=pe(e).nextSibling;pe(e).remove(),e=r}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},R=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,r,n,i){this.type=1,this._$AH=u,this._$AN=void 0,this.element=e,this.name=t,this._$AM=n,this.options=i,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=u}_$AI(e,t=this,r,n){let i=this.strings,o=!1;if(i===void 0)e=P(this,e,t,0),o=!D(e)||e!==this._$AH&&e!==S,o&&(this._$AH=e);else{let l=e,a,c;for(e=i[0],a=0;a<i.length-1;a++)c=P(this,l[r+a],t,a),c===S&&(c=this._$AH[a]),o||=!D(c)||c!==this._$AH[a],c===u?e=u:e!==u&&(e+=(c??"")+i[a+1]),this._$AH[a]=c}o&&!n&&this.j(e)}j(e){e===u?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Q=class extends R{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===u?void 0:e}},Z=class extends R{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==u)}},Y=class extends R{constructor(e,t,r,n,i){super(e,t,r,n,i),this.type=5}_$AI(e,t=this){if((e=P(this,e,t,0)??u)===S)return;let r=this._$AH,n=e===u&&r!==u||e.capture!==r.capture||e.once!==r.once||e.passive!==r.passive,i=e!==u&&(r===u||n);n&&this.element.removeEventListener(this.name,this,r),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},ee=class{constructor(e,t,r){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(e){P(this,e)}};var Ve=te.litHtmlPolyfillSupport;Ve?.(L,N),(te.litHtmlVersions??=[]).push("3.3.3");var Ae=(s,e,t)=>{let r=t?.renderBefore??e,n=r._$litPart$;if(n===void 0){let i=t?.renderBefore??null;r._$litPart$=n=new N(e.insertBefore(U(),i),i,void 0,t??{})}return n._$AI(s),n};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var se=globalThis,$=class extends v{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Ae(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return S}};$._$litElement$=!0,$.finalized=!0,se.litElementHydrateSupport?.({LitElement:$});var Ge=se.litElementPolyfillSupport;Ge?.({LitElement:$});(se.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var we=s=>(e,t)=>{t!==void 0?t.addInitializer(()=>{customElements.define(s,e)}):customElements.define(s,e)};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Fe={attribute:!0,type:String,converter:H,reflect:!1,hasChanged:K},Xe=(s=Fe,e,t)=>{let{kind:r,metadata:n}=t,i=globalThis.litPropertyMetadata.get(n);if(i===void 0&&globalThis.litPropertyMetadata.set(n,i=new Map),r==="setter"&&((s=Object.create(s)).wrapped=!0),i.set(t.name,s),r==="accessor"){let{name:o}=t;return{set(l){let a=e.get.call(this);e.set.call(this,l),this.requestUpdate(o,a,s,!0,l)},init(l){return l!==void 0&&this.C(o,void 0,s,l),l}}}if(r==="setter"){let{name:o}=t;return function(l){let a=this[o];e.call(this,l),this.requestUpdate(o,a,s,!0,l)}}throw Error("Unsupported decorator location: "+r)};function I(s){return(e,t)=>typeof t=="object"?Xe(s,e,t):((r,n,i)=>{let o=n.hasOwnProperty(i);return n.constructor.createProperty(i,r),o?Object.getOwnPropertyDescriptor(n,i):void 0})(s,e,t)}/**
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
 */var k=(s,e,t)=>(t.configurable=!0,t.enumerable=!0,Reflect.decorate&&typeof e!="object"&&Object.defineProperty(s,e,t),t);/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function ie(s,e){return(t,r,n)=>{let i=o=>o.renderRoot?.querySelector(s)??null;if(e){let{get:o,set:l}=typeof r=="object"?t:n??(()=>{let a=Symbol();return{get(){return this[a]},set(c){this[a]=c}}})();return k(t,r,{get(){let a=o.call(this);return a===void 0&&(a=i(this),(a!==null||this.hasUpdated)&&l.call(this,a)),a}})}return k(t,r,{get(){return i(this)}})}}/**
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
 */function oe(s,e,t){return s.callWS({type:`sage/${e}`,data:t})}function Ee({thinking_content:s=""}){return s.replace(/^- /,"").replace(/\\(.)/g,"$1").trim()}var Je=3600;function Se(s,{text:e,agent:t,conversation:r},n){let{components:i,language:o}=s.config;return o!==s.language||!i.includes("assist_pipeline")?s.callWS({type:"conversation/process",text:e,agent_id:t,language:s.language,conversation_id:r}):Qe(s,{type:"assist_pipeline/run",start_stage:"intent",end_stage:"intent",input:{text:e},pipeline:t,conversation_id:r,timeout:Je},n)}async function Qe({connection:s,localize:e},t,r){let n=()=>{},i;try{return await new Promise((o,l)=>{n=()=>l(new Error(e("ui.notification_toast.connection_lost"))),s.addEventListener("disconnected",n);let a=c=>{c.type==="intent-progress"?r(c.data.chat_log_delta??{}):c.type==="intent-end"?o(c.data.intent_output):c.type==="error"&&l(c.data)};i=s.subscribeMessage(a,t,{resubscribe:!1}),i.catch(l)})}finally{s.removeEventListener("disconnected",n),i?.then(o=>o()).catch(()=>{})}}function ke(s,e){return s.preventDefault(),String(new FormData(s.target).get(e)??"").trim()}function Ce({entities:s}){return Object.values(s).find(({entity_id:e,platform:t})=>t==="sage"&&e.startsWith("conversation."))?.entity_id}var Pe=C`
  :host {
    display: block;
    color: var(--primary-text-color);
    font-family: var(--ha-font-family-body, Roboto, sans-serif);
    font-size: 14px;
    line-height: 20px;
  }
  h2 {
    font-size: 20px;
    font-weight: 400;
    line-height: 28px;
    margin: 24px 0 8px;
  }
  h3 {
    font-size: 16px;
    font-weight: 500;
    margin: 0 0 8px;
  }
  p {
    margin: 8px 0;
  }
  a {
    /* The colour of links has too little contrast in the default theme. */
    color: var(--primary-text-color);
  }
  .card {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-radius: var(--ha-card-border-radius, 12px);
    box-sizing: border-box;
    margin: 0 0 12px;
    overflow-wrap: anywhere;
    padding: 16px;
  }
  .card > :first-child {
    margin-top: 0;
  }
  .card > :last-child {
    margin-bottom: 0;
  }
  .card > * + .row,
  .card > * + button,
  .card > * + details,
  section > * + .row {
    margin-top: 12px;
  }
  summary > h2 {
    display: inline;
    margin: 0;
  }
  details:has(> summary > h2) {
    margin-top: 24px;
  }
  .secondary {
    color: var(--secondary-text-color);
  }
  .error {
    border-inline-start: 4px solid var(--error-color);
    padding-inline-start: 12px;
  }
  .notice {
    border-inline-start: 4px solid var(--success-color);
    padding-inline-start: 12px;
  }
  .messages {
    /* A message stays in sight, below the header, wherever the person has scrolled to. */
    position: sticky;
    top: var(--sage-header-height, 64px);
    z-index: 3;
  }
  .message {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-radius: 8px;
    box-shadow: 0 2px 8px rgb(0 0 0 / 25%);
    margin: 8px 0;
    padding: 0 8px;
  }
  .message .close {
    border: none;
    padding: 4px 12px;
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
  ul.plain {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  button,
  .button {
    background: none;
    border: 1px solid var(--outline-color, var(--divider-color));
    border-radius: 18px;
    color: var(--primary-text-color);
    cursor: pointer;
    font: inherit;
    font-weight: 500;
    min-height: 36px;
    padding: 4px 16px;
  }
  button:hover {
    background: var(--secondary-background-color);
  }
  button.primary {
    background: var(--primary-text-color);
    border-color: var(--primary-text-color);
    color: var(--card-background-color);
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
    outline-offset: 2px;
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
    min-height: 36px;
    padding: 6px 10px;
  }
  textarea {
    width: 100%;
  }
  label {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  input[type="search"] {
    width: min(100%, 320px);
  }
  summary {
    cursor: pointer;
    min-height: 28px;
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
  dialog {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-radius: var(--ha-card-border-radius, 12px);
    color: var(--primary-text-color);
    max-width: min(480px, 90vw);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 50%);
  }
  .failed {
    color: var(--error-color);
    font-weight: 500;
  }
  progress {
    width: 100%;
  }
`,br=C`
  svg.day,
  svg.bars {
    display: block;
    width: 100%;
  }
  svg.day {
    height: 32px;
  }
  svg.bars {
    height: 60px;
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
`;async function Re(s){let e=await s.loadBackendTranslation("config_panel","sage"),t=(n,i)=>e(`component.sage.config_panel.${n}`,i);return Object.assign(t,{counted:(n,i)=>t(`${n}_${i===1?"one":"other"}`,{count:i.toLocaleString(s.language)})})}async function Te(s,e){let{message:t,translation_key:r,translation_domain:n,translation_placeholders:i}=e;if(r&&n){let l=(await s.loadBackendTranslation("exceptions",n))(`component.${n}.exceptions.${r}.message`,i);if(l)return l}return t??String(e)}var h=class extends ${constructor(){super(...arguments);this.messages=[];this.isWorking=!1;this.step="";this.words="";this.error="";this.question="";this.language="";this.conversation=null}setConfig(t){if(t.agent!==void 0&&typeof t.agent!="string")throw new Error("`agent` has to be the ID of a conversation entity");this.config=t,this.begin()}static getStubConfig(){return{}}static getConfigForm(){return{schema:[{name:"agent",selector:{entity:{filter:{domain:"conversation",integration:"sage"}}}}],computeLabel:()=>V().agent,computeHelper:()=>V().agent_info}}getCardSize(){return 5}getGridOptions(){return{columns:12,min_columns:6,rows:"auto"}}willUpdate(t){t.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,Re(this.hass).then(r=>this.texts=r))}updated(t){this.log&&["messages","words","isWorking"].some(r=>t.has(r))&&(this.log.scrollTop=this.log.scrollHeight)}get agent(){return this.config?.agent||this.hass&&Ce(this.hass)}begin(){this.messages=[],this.conversation=null,this.error="",this.question="",this.change=void 0,delete this.earlier}async work(t,r){this.isWorking=!0,this.error="";try{this.earlier??=new Set((await this.undoable(t)).map(({id:n})=>n)),await r(),this.change=(await this.undoable(t)).find(({id:n})=>!this.earlier?.has(n))}catch(n){this.error=await Te(t,n)}finally{this.isWorking=!1,this.step="",this.words=""}}async undoable(t){return(await oe(t,"activity/list",{})).commands.filter(({can_undo:r})=>r)}show(t,r){this.messages=[...this.messages,{by:t,text:r}]}async say(t){let r=ke(t,"text"),{hass:n,agent:i}=this;!r||!n||!i||this.isWorking||(this.input.value="",this.question="",this.show("person",r),await this.work(n,async()=>{let o={text:r,agent:i,conversation:this.conversation},l=await Se(n,o,a=>{this.words+=a.content??"",this.step=Ee(a)||this.step});this.words="",this.conversation=l.conversation_id,this.show("sage",l.response.speech.plain?.speech??"")}))}async undo(t,r,n){this.isWorking||(this.question="",await this.work(t,async()=>{let i={id:r,language:t.language},o=await oe(t,"activity/undo",n?{...i,agreed:n}:i);this.question=o.question??"",o.done&&this.show("sage",o.done)}),await this.updateComplete,(this.renderRoot.querySelector("[role=group]")??this.input).focus())}render(){let{hass:t,texts:r}=this;return!t||!r?u:b`
      <ha-card>
        <div class="row">
          <h2 class="grow">${r("card.name")}</h2>
          ${this.messages.length?b`<button ?disabled=${this.isWorking} @click=${this.beginAnew}>
                ${r("card.begin")}
              </button>`:u}
        </div>
        <div
          role="log"
          aria-live="polite"
          aria-busy=${this.isWorking}
          aria-label=${r("card.chat")}
          tabindex="0"
        >
          ${this.messages.length?this.messages.map(n=>this.message(r,n)):b`<p class="secondary">${r("card.intro")}</p>`}
          ${this.words?this.message(r,{by:"sage",text:this.words}):u}
        </div>
        <div role="status">
          ${this.isWorking?b`<p class="secondary">${this.step||r("card.working")}</p>
                <progress aria-label=${r("card.working")}></progress>`:u}
        </div>
        <div role="alert">${this.trouble(r)}</div>
        ${this.change&&!this.isWorking?this.undoing(t,r,this.change):u}
        <form class="row" @submit=${this.say}>
          <input
            class="grow"
            name="text"
            autocomplete="off"
            enterkeyhint="send"
            aria-label=${r("card.label")}
            placeholder=${r("card.label")}
          />
          <button class="primary" ?disabled=${this.isWorking||!this.agent}>
            ${r("card.send")}
          </button>
        </form>
      </ha-card>
    `}beginAnew(){this.begin(),this.input.focus()}trouble(t){let r=this.agent?this.error:t("card.no_agent");return r?b`<p class="error">${r}</p>`:u}message(t,{by:r,text:n}){return b`<p class="message ${r}">
      <span class="unseen">${t(`card.by.${r}`)}</span>
      <span class="text">${n}</span>
    </p>`}undoing(t,r,n){let{question:i}=this;return i?b`
      <div role="group" aria-label=${i} tabindex="-1">
        <p>${i}</p>
        <div class="row">
          <button class="primary" @click=${()=>this.undo(t,n.id,i)}>
            ${r("yes")}
          </button>
          <button @click=${this.decline}>${r("no")}</button>
        </div>
      </div>
    `:b`<button class="undo" @click=${()=>this.undo(t,n.id)}>
        ${r("card.undo",{command:n.command})}
      </button>`}decline(){this.question="",this.input.focus()}};h.styles=[Pe,C`
      ha-card {
        box-sizing: border-box;
        display: flex;
        flex-direction: column;
        gap: 8px;
        overflow-wrap: anywhere;
        padding: 16px;
      }
      h2 {
        margin: 0;
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
    `],m([I({attribute:!1})],h.prototype,"hass",2),m([f()],h.prototype,"config",2),m([f()],h.prototype,"texts",2),m([f()],h.prototype,"messages",2),m([f()],h.prototype,"isWorking",2),m([f()],h.prototype,"step",2),m([f()],h.prototype,"words",2),m([f()],h.prototype,"error",2),m([f()],h.prototype,"change",2),m([f()],h.prototype,"question",2),m([ie("input")],h.prototype,"input",2),m([ie("[role=log]")],h.prototype,"log",2),h=m([we("sage-card")],h);var Ze={type:"sage-card",get name(){return V().name},get description(){return V().description}};function V(){return d[document.documentElement.lang.split("-")[0]]??d.en}var Ye=window;(Ye.customCards??=[]).push(Ze);export{h as Card};
