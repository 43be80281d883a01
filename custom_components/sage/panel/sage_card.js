await customElements.whenDefined("home-assistant");
var Me=Object.defineProperty;var He=Object.getOwnPropertyDescriptor;var m=(s,e,t,n)=>{for(var r=n>1?void 0:n?He(e,t):e,i=s.length-1,o;i>=0;i--)(o=s[i])&&(r=(n?o(e,t,r):o(r))||r);return n&&r&&Me(e,t,r),r};var d={en:{name:"Ask SAGE",description:"Talk to SAGE on the dashboard, and undo its last change.",agent:"Agent",agent_info:"If the field is empty, the card uses the first agent of SAGE."},de:{name:"SAGE fragen",description:"Sprich auf dem Dashboard mit SAGE und mach seine letzte Änderung rückgängig.",agent:"Agent",agent_info:"Ist das Feld leer, verwendet die Karte den ersten Agenten von SAGE."},fr:{name:"Demander à SAGE",description:"Parlez à SAGE sur le tableau de bord, et annulez sa dernière modification.",agent:"Agent",agent_info:"Si le champ est vide, la carte utilise le premier agent de SAGE."}};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var z=globalThis,W=z.ShadowRoot&&(z.ShadyCSS===void 0||z.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,G=Symbol(),ae=new WeakMap,T=class{constructor(e,t,n){if(this._$cssResult$=!0,n!==G)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(W&&e===void 0){let n=t!==void 0&&t.length===1;n&&(e=ae.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),n&&ae.set(t,e))}return e}toString(){return this.cssText}},le=s=>new T(typeof s=="string"?s:s+"",void 0,G),P=(s,...e)=>{let t=s.length===1?s[0]:e.reduce((n,r,i)=>n+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+s[i+1],s[0]);return new T(t,s,G)},ce=(s,e)=>{if(W)s.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let n=document.createElement("style"),r=z.litNonce;r!==void 0&&n.setAttribute("nonce",r),n.textContent=t.cssText,s.appendChild(n)}},F=W?s=>s:s=>s instanceof CSSStyleSheet?(e=>{let t="";for(let n of e.cssRules)t+=n.cssText;return le(t)})(s):s;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:Ue,defineProperty:De,getOwnPropertyDescriptor:Le,getOwnPropertyNames:Ne,getOwnPropertySymbols:qe,getPrototypeOf:ze}=Object,j=globalThis,de=j.trustedTypes,We=de?de.emptyScript:"",je=j.reactiveElementPolyfillSupport,M=(s,e)=>s,H={toAttribute(s,e){switch(e){case Boolean:s=s?We:null;break;case Object:case Array:s=s==null?s:JSON.stringify(s)}return s},fromAttribute(s,e){let t=s;switch(e){case Boolean:t=s!==null;break;case Number:t=s===null?null:Number(s);break;case Object:case Array:try{t=JSON.parse(s)}catch{t=null}}return t}},K=(s,e)=>!Ue(s,e),ue={attribute:!0,type:String,converter:H,reflect:!1,useDefault:!1,hasChanged:K};Symbol.metadata??=Symbol("metadata"),j.litPropertyMetadata??=new WeakMap;var v=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=ue){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let n=Symbol(),r=this.getPropertyDescriptor(e,n,t);r!==void 0&&De(this.prototype,e,r)}}static getPropertyDescriptor(e,t,n){let{get:r,set:i}=Le(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:r,set(o){let l=r?.call(this);i?.call(this,o),this.requestUpdate(e,l,n)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??ue}static _$Ei(){if(this.hasOwnProperty(M("elementProperties")))return;let e=ze(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(M("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(M("properties"))){let t=this.properties,n=[...Ne(t),...qe(t)];for(let r of n)this.createProperty(r,t[r])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[n,r]of t)this.elementProperties.set(n,r)}this._$Eh=new Map;for(let[t,n]of this.elementProperties){let r=this._$Eu(t,n);r!==void 0&&this._$Eh.set(r,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let n=new Set(e.flat(1/0).reverse());for(let r of n)t.unshift(F(r))}else e!==void 0&&t.push(F(e));return t}static _$Eu(e,t){let n=t.attribute;return n===!1?void 0:typeof n=="string"?n:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let n of t.keys())this.hasOwnProperty(n)&&(e.set(n,this[n]),delete this[n]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return ce(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,n){this._$AK(e,n)}_$ET(e,t){let n=this.constructor.elementProperties.get(e),r=this.constructor._$Eu(e,n);if(r!==void 0&&n.reflect===!0){let i=(n.converter?.toAttribute!==void 0?n.converter:H).toAttribute(t,n.type);this._$Em=e,i==null?this.removeAttribute(r):this.setAttribute(r,i),this._$Em=null}}_$AK(e,t){let n=this.constructor,r=n._$Eh.get(e);if(r!==void 0&&this._$Em!==r){let i=n.getPropertyOptions(r),o=typeof i.converter=="function"?{fromAttribute:i.converter}:i.converter?.fromAttribute!==void 0?i.converter:H;this._$Em=r;let l=o.fromAttribute(t,i.type);this[r]=l??this._$Ej?.get(r)??l,this._$Em=null}}requestUpdate(e,t,n,r=!1,i){if(e!==void 0){let o=this.constructor;if(r===!1&&(i=this[e]),n??=o.getPropertyOptions(e),!((n.hasChanged??K)(i,t)||n.useDefault&&n.reflect&&i===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,n))))return;this.C(e,t,n)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:n,reflect:r,wrapped:i},o){n&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),i!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||n||(t=void 0),this._$AL.set(e,t)),r===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,i]of this._$Ep)this[r]=i;this._$Ep=void 0}let n=this.constructor.elementProperties;if(n.size>0)for(let[r,i]of n){let{wrapped:o}=i,l=this[r];o!==!0||this._$AL.has(r)||l===void 0||this.C(r,void 0,i,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(n=>n.hostUpdate?.()),this.update(t)):this._$EM()}catch(n){throw e=!1,this._$EM(),n}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};v.elementStyles=[],v.shadowRootOptions={mode:"open"},v[M("elementProperties")]=new Map,v[M("finalized")]=new Map,je?.({ReactiveElement:v}),(j.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var te=globalThis,pe=s=>s,B=te.trustedTypes,he=B?B.createPolicy("lit-html",{createHTML:s=>s}):void 0,be="$lit$",x=`lit$${Math.random().toFixed(9).slice(2)}$`,_e="?"+x,Ke=`<${_e}>`,E=document,U=()=>E.createComment(""),D=s=>s===null||typeof s!="object"&&typeof s!="function",ne=Array.isArray,Be=s=>ne(s)||typeof s?.[Symbol.iterator]=="function",X=`[ 	
\f\r]`,O=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ge=/-->/g,me=/>/g,A=RegExp(`>|${X}(?:([^\\s"'>=/]+)(${X}*=${X}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),fe=/'/g,ye=/"/g,xe=/^(?:script|style|textarea|title)$/i,re=s=>(e,...t)=>({_$litType$:s,strings:e,values:t}),b=re(1),lt=re(2),ct=re(3),S=Symbol.for("lit-noChange"),u=Symbol.for("lit-nothing"),ve=new WeakMap,w=E.createTreeWalker(E,129);function $e(s,e){if(!ne(s)||!s.hasOwnProperty("raw"))throw Error("invalid template strings array");return he!==void 0?he.createHTML(e):e}var Ie=(s,e)=>{let t=s.length-1,n=[],r,i=e===2?"<svg>":e===3?"<math>":"",o=O;for(let l=0;l<t;l++){let a=s[l],c,g,p=-1,y=0;for(;y<a.length&&(o.lastIndex=y,g=o.exec(a),g!==null);)y=o.lastIndex,o===O?g[1]==="!--"?o=ge:g[1]!==void 0?o=me:g[2]!==void 0?(xe.test(g[2])&&(r=RegExp("</"+g[2],"g")),o=A):g[3]!==void 0&&(o=A):o===A?g[0]===">"?(o=r??O,p=-1):g[1]===void 0?p=-2:(p=o.lastIndex-g[2].length,c=g[1],o=g[3]===void 0?A:g[3]==='"'?ye:fe):o===ye||o===fe?o=A:o===ge||o===me?o=O:(o=A,r=void 0);let _=o===A&&s[l+1].startsWith("/>")?" ":"";i+=o===O?a+Ke:p>=0?(n.push(c),a.slice(0,p)+be+a.slice(p)+x+_):a+x+(p===-2?l:_)}return[$e(s,i+(s[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),n]},L=class s{constructor({strings:e,_$litType$:t},n){let r;this.parts=[];let i=0,o=0,l=e.length-1,a=this.parts,[c,g]=Ie(e,t);if(this.el=s.createElement(c,n),w.currentNode=this.el.content,t===2||t===3){let p=this.el.content.firstChild;p.replaceWith(...p.childNodes)}for(;(r=w.nextNode())!==null&&a.length<l;){if(r.nodeType===1){if(r.hasAttributes())for(let p of r.getAttributeNames())if(p.endsWith(be)){let y=g[o++],_=r.getAttribute(p).split(x),q=/([.?@])?(.*)/.exec(y);a.push({type:1,index:i,name:q[2],strings:_,ctor:q[1]==="."?Q:q[1]==="?"?Z:q[1]==="@"?Y:R}),r.removeAttribute(p)}else p.startsWith(x)&&(a.push({type:6,index:i}),r.removeAttribute(p));if(xe.test(r.tagName)){let p=r.textContent.split(x),y=p.length-1;if(y>0){r.textContent=B?B.emptyScript:"";for(let _=0;_<y;_++)r.append(p[_],U()),w.nextNode(),a.push({type:2,index:++i});r.append(p[y],U())}}}else if(r.nodeType===8)if(r.data===_e)a.push({type:2,index:i});else{let p=-1;for(;(p=r.data.indexOf(x,p+1))!==-1;)a.push({type:7,index:i}),p+=x.length-1}i++}}static createElement(e,t){let n=E.createElement("template");return n.innerHTML=e,n}};function C(s,e,t=s,n){if(e===S)return e;let r=n!==void 0?t._$Co?.[n]:t._$Cl,i=D(e)?void 0:e._$litDirective$;return r?.constructor!==i&&(r?._$AO?.(!1),i===void 0?r=void 0:(r=new i(s),r._$AT(s,t,n)),n!==void 0?(t._$Co??=[])[n]=r:t._$Cl=r),r!==void 0&&(e=C(s,r._$AS(s,e.values),r,n)),e}var J=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,r=(e?.creationScope??E).importNode(t,!0);w.currentNode=r;let i=w.nextNode(),o=0,l=0,a=n[0];for(;a!==void 0;){if(o===a.index){let c;a.type===2?c=new N(i,i.nextSibling,this,e):a.type===1?c=new a.ctor(i,a.name,a.strings,this,e):a.type===6&&(c=new ee(i,this,e)),this._$AV.push(c),a=n[++l]}o!==a?.index&&(i=w.nextNode(),o++)}return w.currentNode=E,r}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(e,n,t),t+=n.strings.length-2):n._$AI(e[t])),t++}},N=class s{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,r){this.type=2,this._$AH=u,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=C(this,e,t),D(e)?e===u||e==null||e===""?(this._$AH!==u&&this._$AR(),this._$AH=u):e!==this._$AH&&e!==S&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Be(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==u&&D(this._$AH)?this._$AA.nextSibling.data=e:this.T(E.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,r=typeof n=="number"?this._$AC(e):(n.el===void 0&&(n.el=L.createElement($e(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(t);else{let i=new J(r,this),o=i.u(this.options);i.p(t),this.T(o),this._$AH=i}}_$AC(e){let t=ve.get(e.strings);return t===void 0&&ve.set(e.strings,t=new L(e)),t}k(e){ne(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,n,r=0;for(let i of e)r===t.length?t.push(n=new s(this.O(U()),this.O(U()),this,this.options)):n=t[r],n._$AI(i),r++;r<t.length&&(this._$AR(n&&n._$AB.nextSibling,r),t.length=r)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let n=pe(e).nextSibling;pe(e).remove(),e=n}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},R=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,r,i){this.type=1,this._$AH=u,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=i,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=u}_$AI(e,t=this,n,r){let i=this.strings,o=!1;if(i===void 0)e=C(this,e,t,0),o=!D(e)||e!==this._$AH&&e!==S,o&&(this._$AH=e);else{let l=e,a,c;for(e=i[0],a=0;a<i.length-1;a++)c=C(this,l[n+a],t,a),c===S&&(c=this._$AH[a]),o||=!D(c)||c!==this._$AH[a],c===u?e=u:e!==u&&(e+=(c??"")+i[a+1]),this._$AH[a]=c}o&&!r&&this.j(e)}j(e){e===u?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Q=class extends R{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===u?void 0:e}},Z=class extends R{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==u)}},Y=class extends R{constructor(e,t,n,r,i){super(e,t,n,r,i),this.type=5}_$AI(e,t=this){if((e=C(this,e,t,0)??u)===S)return;let n=this._$AH,r=e===u&&n!==u||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,i=e!==u&&(n===u||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},ee=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){C(this,e)}};var Ve=te.litHtmlPolyfillSupport;Ve?.(L,N),(te.litHtmlVersions??=[]).push("3.3.3");var Ae=(s,e,t)=>{let n=t?.renderBefore??e,r=n._$litPart$;if(r===void 0){let i=t?.renderBefore??null;n._$litPart$=r=new N(e.insertBefore(U(),i),i,void 0,t??{})}return r._$AI(s),r};/**
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
 */var Fe={attribute:!0,type:String,converter:H,reflect:!1,hasChanged:K},Xe=(s=Fe,e,t)=>{let{kind:n,metadata:r}=t,i=globalThis.litPropertyMetadata.get(r);if(i===void 0&&globalThis.litPropertyMetadata.set(r,i=new Map),n==="setter"&&((s=Object.create(s)).wrapped=!0),i.set(t.name,s),n==="accessor"){let{name:o}=t;return{set(l){let a=e.get.call(this);e.set.call(this,l),this.requestUpdate(o,a,s,!0,l)},init(l){return l!==void 0&&this.C(o,void 0,s,l),l}}}if(n==="setter"){let{name:o}=t;return function(l){let a=this[o];e.call(this,l),this.requestUpdate(o,a,s,!0,l)}}throw Error("Unsupported decorator location: "+n)};function I(s){return(e,t)=>typeof t=="object"?Xe(s,e,t):((n,r,i)=>{let o=r.hasOwnProperty(i);return r.constructor.createProperty(i,n),o?Object.getOwnPropertyDescriptor(r,i):void 0})(s,e,t)}/**
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
 */function ie(s,e){return(t,n,r)=>{let i=o=>o.renderRoot?.querySelector(s)??null;if(e){let{get:o,set:l}=typeof n=="object"?t:r??(()=>{let a=Symbol();return{get(){return this[a]},set(c){this[a]=c}}})();return k(t,n,{get(){let a=o.call(this);return a===void 0&&(a=i(this),(a!==null||this.hasUpdated)&&l.call(this,a)),a}})}return k(t,n,{get(){return i(this)}})}}/**
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
 */function oe(s,e,t){return s.callWS({type:`sage/${e}`,data:t})}function Ee({thinking_content:s=""}){return s.replace(/^- /,"").replace(/\\(.)/g,"$1").trim()}var Je=3600;function Se(s,{text:e,agent:t,conversation:n},r){let{components:i,language:o}=s.config;return o!==s.language||!i.includes("assist_pipeline")?s.callWS({type:"conversation/process",text:e,agent_id:t,language:s.language,conversation_id:n}):Qe(s,{type:"assist_pipeline/run",start_stage:"intent",end_stage:"intent",input:{text:e},pipeline:t,conversation_id:n,timeout:Je},r)}async function Qe({connection:s,localize:e},t,n){let r=()=>{},i;try{return await new Promise((o,l)=>{r=()=>l(new Error(e("ui.notification_toast.connection_lost"))),s.addEventListener("disconnected",r);let a=c=>{c.type==="intent-progress"?n(c.data.chat_log_delta??{}):c.type==="intent-end"?o(c.data.intent_output):c.type==="error"&&l(c.data)};i=s.subscribeMessage(a,t,{resubscribe:!1}),i.catch(l)})}finally{s.removeEventListener("disconnected",r),i?.then(o=>o()).catch(()=>{})}}function ke(s,e){return s.preventDefault(),String(new FormData(s.target).get(e)??"").trim()}function Pe({entities:s}){return Object.values(s).find(({entity_id:e,platform:t})=>t==="sage"&&e.startsWith("conversation."))?.entity_id}var Ce=P`
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
`,_n=P`
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
`;async function Re(s){let e=await s.loadBackendTranslation("config_panel","sage"),t=(r,i)=>e(`component.sage.config_panel.${r}`,i);return Object.assign(t,{counted:(r,i)=>t(`${r}_${i===1?"one":"other"}`,{count:i.toLocaleString(s.language)})})}async function Te(s,e){let{message:t,translation_key:n,translation_domain:r,translation_placeholders:i}=e;if(n&&r){let l=(await s.loadBackendTranslation("exceptions",r))(`component.${r}.exceptions.${n}.message`,i);if(l)return l}return t??String(e)}var h=class extends ${constructor(){super(...arguments);this.messages=[];this.isWorking=!1;this.step="";this.words="";this.error="";this.question="";this.language="";this.conversation=null}setConfig(t){if(t.agent!==void 0&&typeof t.agent!="string")throw new Error("`agent` has to be the ID of a conversation entity");this.config=t,this.begin()}static getStubConfig(){return{}}static getConfigForm(){return{schema:[{name:"agent",selector:{entity:{filter:{domain:"conversation",integration:"sage"}}}}],computeLabel:()=>V().agent,computeHelper:()=>V().agent_info}}getCardSize(){return 5}getGridOptions(){return{columns:12,min_columns:6,rows:"auto"}}willUpdate(t){t.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,Re(this.hass).then(n=>this.texts=n))}updated(t){this.log&&["messages","words","isWorking"].some(n=>t.has(n))&&(this.log.scrollTop=this.log.scrollHeight)}get agent(){return this.config?.agent||this.hass&&Pe(this.hass)}begin(){this.messages=[],this.conversation=null,this.error="",this.question="",this.change=void 0,delete this.earlier}async work(t,n){this.isWorking=!0,this.error="";try{this.earlier??=new Set((await this.undoable(t)).map(({id:r})=>r)),await n(),this.change=(await this.undoable(t)).find(({id:r})=>!this.earlier?.has(r))}catch(r){this.error=await Te(t,r)}finally{this.isWorking=!1,this.step="",this.words=""}}async undoable(t){return(await oe(t,"activity/list",{})).commands.filter(({can_undo:n})=>n)}show(t,n){this.messages=[...this.messages,{by:t,text:n}]}async say(t){let n=ke(t,"text"),{hass:r,agent:i}=this;!n||!r||!i||this.isWorking||(this.input.value="",this.question="",this.show("person",n),await this.work(r,async()=>{let o={text:n,agent:i,conversation:this.conversation},l=await Se(r,o,a=>{this.words+=a.content??"",this.step=Ee(a)||this.step});this.words="",this.conversation=l.conversation_id,this.show("sage",l.response.speech.plain?.speech??"")}))}async undo(t,n,r){this.isWorking||(this.question="",await this.work(t,async()=>{let i={id:n,language:t.language},o=await oe(t,"activity/undo",r?{...i,agreed:r}:i);this.question=o.question??"",o.done&&this.show("sage",o.done)}),await this.updateComplete,(this.renderRoot.querySelector("[role=group]")??this.input).focus())}render(){let{hass:t,texts:n}=this;return!t||!n?u:b`
      <ha-card>
        <div class="row">
          <h2 class="grow">${n("card.name")}</h2>
          ${this.messages.length?b`<button ?disabled=${this.isWorking} @click=${this.beginAnew}>
                ${n("card.begin")}
              </button>`:u}
        </div>
        <div
          role="log"
          aria-live="polite"
          aria-busy=${this.isWorking}
          aria-label=${n("card.chat")}
          tabindex="0"
        >
          ${this.messages.length?this.messages.map(r=>this.message(n,r)):b`<p class="secondary">${n("card.intro")}</p>`}
          ${this.words?this.message(n,{by:"sage",text:this.words}):u}
        </div>
        <div role="status">
          ${this.isWorking?b`<p class="secondary">${this.step||n("card.working")}</p>
                <progress aria-label=${n("card.working")}></progress>`:u}
        </div>
        <div role="alert">${this.trouble(n)}</div>
        ${this.change&&!this.isWorking?this.undoing(t,n,this.change):u}
        <form class="row" @submit=${this.say}>
          <input
            class="grow"
            name="text"
            autocomplete="off"
            enterkeyhint="send"
            aria-label=${n("card.label")}
            placeholder=${n("card.label")}
          />
          <button class="primary" ?disabled=${this.isWorking||!this.agent}>
            ${n("card.send")}
          </button>
        </form>
      </ha-card>
    `}beginAnew(){this.begin(),this.input.focus()}trouble(t){let n=this.agent?this.error:t("card.no_agent");return n?b`<p class="error">${n}</p>`:u}message(t,{by:n,text:r}){return b`<p class="message ${n}">
      <span class="unseen">${t(`card.by.${n}`)}</span>
      <span class="text">${r}</span>
    </p>`}undoing(t,n,r){let{question:i}=this;return i?b`
      <div role="group" aria-label=${i} tabindex="-1">
        <p>${i}</p>
        <div class="row">
          <button class="primary" @click=${()=>this.undo(t,r.id,i)}>
            ${n("yes")}
          </button>
          <button @click=${this.decline}>${n("no")}</button>
        </div>
      </div>
    `:b`<button class="undo" @click=${()=>this.undo(t,r.id)}>
        ${n("card.undo",{command:r.command})}
      </button>`}decline(){this.question="",this.input.focus()}};h.styles=[Ce,P`
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
