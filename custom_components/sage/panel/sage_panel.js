var Lt=Object.defineProperty;var jt=Object.getOwnPropertyDescriptor;var d=(o,t,e,s)=>{for(var r=s>1?void 0:s?jt(t,e):t,i=o.length-1,n;i>=0;i--)(n=o[i])&&(r=(s?n(t,e,r):n(r))||r);return s&&r&&Lt(t,e,r),r};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var D=globalThis,q=D.ShadowRoot&&(D.ShadyCSS===void 0||D.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,X=Symbol(),pt=new WeakMap,k=class{constructor(t,e,s){if(this._$cssResult$=!0,s!==X)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=t,this.t=e}get styleSheet(){let t=this.o,e=this.t;if(q&&t===void 0){let s=e!==void 0&&e.length===1;s&&(t=pt.get(e)),t===void 0&&((this.o=t=new CSSStyleSheet).replaceSync(this.cssText),s&&pt.set(e,t))}return t}toString(){return this.cssText}},dt=o=>new k(typeof o=="string"?o:o+"",void 0,X),R=(o,...t)=>{let e=o.length===1?o[0]:t.reduce((s,r,i)=>s+(n=>{if(n._$cssResult$===!0)return n.cssText;if(typeof n=="number")return n;throw Error("Value passed to 'css' function must be a 'css' function result: "+n+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+o[i+1],o[0]);return new k(e,o,X)},ut=(o,t)=>{if(q)o.adoptedStyleSheets=t.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(let e of t){let s=document.createElement("style"),r=D.litNonce;r!==void 0&&s.setAttribute("nonce",r),s.textContent=e.cssText,o.appendChild(s)}},Y=q?o=>o:o=>o instanceof CSSStyleSheet?(t=>{let e="";for(let s of t.cssRules)e+=s.cssText;return dt(e)})(o):o;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:Bt,defineProperty:Dt,getOwnPropertyDescriptor:qt,getOwnPropertyNames:Kt,getOwnPropertySymbols:Vt,getPrototypeOf:It}=Object,K=globalThis,mt=K.trustedTypes,Wt=mt?mt.emptyScript:"",Zt=K.reactiveElementPolyfillSupport,U=(o,t)=>o,H={toAttribute(o,t){switch(t){case Boolean:o=o?Wt:null;break;case Object:case Array:o=o==null?o:JSON.stringify(o)}return o},fromAttribute(o,t){let e=o;switch(t){case Boolean:e=o!==null;break;case Number:e=o===null?null:Number(o);break;case Object:case Array:try{e=JSON.parse(o)}catch{e=null}}return e}},V=(o,t)=>!Bt(o,t),ft={attribute:!0,type:String,converter:H,reflect:!1,useDefault:!1,hasChanged:V};Symbol.metadata??=Symbol("metadata"),K.litPropertyMetadata??=new WeakMap;var x=class extends HTMLElement{static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(t,e=ft){if(e.state&&(e.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(t)&&((e=Object.create(e)).wrapped=!0),this.elementProperties.set(t,e),!e.noAccessor){let s=Symbol(),r=this.getPropertyDescriptor(t,s,e);r!==void 0&&Dt(this.prototype,t,r)}}static getPropertyDescriptor(t,e,s){let{get:r,set:i}=qt(this.prototype,t)??{get(){return this[e]},set(n){this[e]=n}};return{get:r,set(n){let l=r?.call(this);i?.call(this,n),this.requestUpdate(t,l,s)},configurable:!0,enumerable:!0}}static getPropertyOptions(t){return this.elementProperties.get(t)??ft}static _$Ei(){if(this.hasOwnProperty(U("elementProperties")))return;let t=It(this);t.finalize(),t.l!==void 0&&(this.l=[...t.l]),this.elementProperties=new Map(t.elementProperties)}static finalize(){if(this.hasOwnProperty(U("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(U("properties"))){let e=this.properties,s=[...Kt(e),...Vt(e)];for(let r of s)this.createProperty(r,e[r])}let t=this[Symbol.metadata];if(t!==null){let e=litPropertyMetadata.get(t);if(e!==void 0)for(let[s,r]of e)this.elementProperties.set(s,r)}this._$Eh=new Map;for(let[e,s]of this.elementProperties){let r=this._$Eu(e,s);r!==void 0&&this._$Eh.set(r,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(t){let e=[];if(Array.isArray(t)){let s=new Set(t.flat(1/0).reverse());for(let r of s)e.unshift(Y(r))}else t!==void 0&&e.push(Y(t));return e}static _$Eu(t,e){let s=e.attribute;return s===!1?void 0:typeof s=="string"?s:typeof t=="string"?t.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(t=>this.enableUpdating=t),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(t=>t(this))}addController(t){(this._$EO??=new Set).add(t),this.renderRoot!==void 0&&this.isConnected&&t.hostConnected?.()}removeController(t){this._$EO?.delete(t)}_$E_(){let t=new Map,e=this.constructor.elementProperties;for(let s of e.keys())this.hasOwnProperty(s)&&(t.set(s,this[s]),delete this[s]);t.size>0&&(this._$Ep=t)}createRenderRoot(){let t=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return ut(t,this.constructor.elementStyles),t}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(t=>t.hostConnected?.())}enableUpdating(t){}disconnectedCallback(){this._$EO?.forEach(t=>t.hostDisconnected?.())}attributeChangedCallback(t,e,s){this._$AK(t,s)}_$ET(t,e){let s=this.constructor.elementProperties.get(t),r=this.constructor._$Eu(t,s);if(r!==void 0&&s.reflect===!0){let i=(s.converter?.toAttribute!==void 0?s.converter:H).toAttribute(e,s.type);this._$Em=t,i==null?this.removeAttribute(r):this.setAttribute(r,i),this._$Em=null}}_$AK(t,e){let s=this.constructor,r=s._$Eh.get(t);if(r!==void 0&&this._$Em!==r){let i=s.getPropertyOptions(r),n=typeof i.converter=="function"?{fromAttribute:i.converter}:i.converter?.fromAttribute!==void 0?i.converter:H;this._$Em=r;let l=n.fromAttribute(e,i.type);this[r]=l??this._$Ej?.get(r)??l,this._$Em=null}}requestUpdate(t,e,s,r=!1,i){if(t!==void 0){let n=this.constructor;if(r===!1&&(i=this[t]),s??=n.getPropertyOptions(t),!((s.hasChanged??V)(i,e)||s.useDefault&&s.reflect&&i===this._$Ej?.get(t)&&!this.hasAttribute(n._$Eu(t,s))))return;this.C(t,e,s)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(t,e,{useDefault:s,reflect:r,wrapped:i},n){s&&!(this._$Ej??=new Map).has(t)&&(this._$Ej.set(t,n??e??this[t]),i!==!0||n!==void 0)||(this._$AL.has(t)||(this.hasUpdated||s||(e=void 0),this._$AL.set(t,e)),r===!0&&this._$Em!==t&&(this._$Eq??=new Set).add(t))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}let t=this.scheduleUpdate();return t!=null&&await t,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,i]of this._$Ep)this[r]=i;this._$Ep=void 0}let s=this.constructor.elementProperties;if(s.size>0)for(let[r,i]of s){let{wrapped:n}=i,l=this[r];n!==!0||this._$AL.has(r)||l===void 0||this.C(r,void 0,i,l)}}let t=!1,e=this._$AL;try{t=this.shouldUpdate(e),t?(this.willUpdate(e),this._$EO?.forEach(s=>s.hostUpdate?.()),this.update(e)):this._$EM()}catch(s){throw t=!1,this._$EM(),s}t&&this._$AE(e)}willUpdate(t){}_$AE(t){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(t)),this.updated(t)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(t){return!0}update(t){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(t){}firstUpdated(t){}};x.elementStyles=[],x.shadowRootOptions={mode:"open"},x[U("elementProperties")]=new Map,x[U("finalized")]=new Map,Zt?.({ReactiveElement:x}),(K.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var nt=globalThis,gt=o=>o,I=nt.trustedTypes,yt=I?I.createPolicy("lit-html",{createHTML:o=>o}):void 0,At="$lit$",A=`lit$${Math.random().toFixed(9).slice(2)}$`,St="?"+A,Ft=`<${St}>`,E=document,O=()=>E.createComment(""),N=o=>o===null||typeof o!="object"&&typeof o!="function",at=Array.isArray,Gt=o=>at(o)||typeof o?.[Symbol.iterator]=="function",tt=`[ 	
\f\r]`,M=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,$t=/-->/g,vt=/>/g,S=RegExp(`>|${tt}(?:([^\\s"'>=/]+)(${tt}*=${tt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),xt=/'/g,_t=/"/g,wt=/^(?:script|style|textarea|title)$/i,lt=o=>(t,...e)=>({_$litType$:o,strings:t,values:e}),m=lt(1),Et=lt(2),Tt=lt(3),T=Symbol.for("lit-noChange"),p=Symbol.for("lit-nothing"),bt=new WeakMap,w=E.createTreeWalker(E,129);function Ct(o,t){if(!at(o)||!o.hasOwnProperty("raw"))throw Error("invalid template strings array");return yt!==void 0?yt.createHTML(t):t}var Jt=(o,t)=>{let e=o.length-1,s=[],r,i=t===2?"<svg>":t===3?"<math>":"",n=M;for(let l=0;l<e;l++){let a=o[l],c,u,h=-1,v=0;for(;v<a.length&&(n.lastIndex=v,u=n.exec(a),u!==null);)v=n.lastIndex,n===M?u[1]==="!--"?n=$t:u[1]!==void 0?n=vt:u[2]!==void 0?(wt.test(u[2])&&(r=RegExp("</"+u[2],"g")),n=S):u[3]!==void 0&&(n=S):n===S?u[0]===">"?(n=r??M,h=-1):u[1]===void 0?h=-2:(h=n.lastIndex-u[2].length,c=u[1],n=u[3]===void 0?S:u[3]==='"'?_t:xt):n===_t||n===xt?n=S:n===$t||n===vt?n=M:(n=S,r=void 0);let b=n===S&&o[l+1].startsWith("/>")?" ":"";i+=n===M?a+Ft:h>=0?(s.push(c),a.slice(0,h)+At+a.slice(h)+A+b):a+A+(h===-2?l:b)}return[Ct(o,i+(o[e]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),s]},z=class o{constructor({strings:t,_$litType$:e},s){let r;this.parts=[];let i=0,n=0,l=t.length-1,a=this.parts,[c,u]=Jt(t,e);if(this.el=o.createElement(c,s),w.currentNode=this.el.content,e===2||e===3){let h=this.el.content.firstChild;h.replaceWith(...h.childNodes)}for(;(r=w.nextNode())!==null&&a.length<l;){if(r.nodeType===1){if(r.hasAttributes())for(let h of r.getAttributeNames())if(h.endsWith(At)){let v=u[n++],b=r.getAttribute(h).split(A),B=/([.?@])?(.*)/.exec(v);a.push({type:1,index:i,name:B[2],strings:b,ctor:B[1]==="."?st:B[1]==="?"?rt:B[1]==="@"?ot:P}),r.removeAttribute(h)}else h.startsWith(A)&&(a.push({type:6,index:i}),r.removeAttribute(h));if(wt.test(r.tagName)){let h=r.textContent.split(A),v=h.length-1;if(v>0){r.textContent=I?I.emptyScript:"";for(let b=0;b<v;b++)r.append(h[b],O()),w.nextNode(),a.push({type:2,index:++i});r.append(h[v],O())}}}else if(r.nodeType===8)if(r.data===St)a.push({type:2,index:i});else{let h=-1;for(;(h=r.data.indexOf(A,h+1))!==-1;)a.push({type:7,index:i}),h+=A.length-1}i++}}static createElement(t,e){let s=E.createElement("template");return s.innerHTML=t,s}};function C(o,t,e=o,s){if(t===T)return t;let r=s!==void 0?e._$Co?.[s]:e._$Cl,i=N(t)?void 0:t._$litDirective$;return r?.constructor!==i&&(r?._$AO?.(!1),i===void 0?r=void 0:(r=new i(o),r._$AT(o,e,s)),s!==void 0?(e._$Co??=[])[s]=r:e._$Cl=r),r!==void 0&&(t=C(o,r._$AS(o,t.values),r,s)),t}var et=class{constructor(t,e){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=e}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:e},parts:s}=this._$AD,r=(t?.creationScope??E).importNode(e,!0);w.currentNode=r;let i=w.nextNode(),n=0,l=0,a=s[0];for(;a!==void 0;){if(n===a.index){let c;a.type===2?c=new L(i,i.nextSibling,this,t):a.type===1?c=new a.ctor(i,a.name,a.strings,this,t):a.type===6&&(c=new it(i,this,t)),this._$AV.push(c),a=s[++l]}n!==a?.index&&(i=w.nextNode(),n++)}return w.currentNode=E,r}p(t){let e=0;for(let s of this._$AV)s!==void 0&&(s.strings!==void 0?(s._$AI(t,s,e),e+=s.strings.length-2):s._$AI(t[e])),e++}},L=class o{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,e,s,r){this.type=2,this._$AH=p,this._$AN=void 0,this._$AA=t,this._$AB=e,this._$AM=s,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,e=this._$AM;return e!==void 0&&t?.nodeType===11&&(t=e.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,e=this){t=C(this,t,e),N(t)?t===p||t==null||t===""?(this._$AH!==p&&this._$AR(),this._$AH=p):t!==this._$AH&&t!==T&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):Gt(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==p&&N(this._$AH)?this._$AA.nextSibling.data=t:this.T(E.createTextNode(t)),this._$AH=t}$(t){let{values:e,_$litType$:s}=t,r=typeof s=="number"?this._$AC(t):(s.el===void 0&&(s.el=z.createElement(Ct(s.h,s.h[0]),this.options)),s);if(this._$AH?._$AD===r)this._$AH.p(e);else{let i=new et(r,this),n=i.u(this.options);i.p(e),this.T(n),this._$AH=i}}_$AC(t){let e=bt.get(t.strings);return e===void 0&&bt.set(t.strings,e=new z(t)),e}k(t){at(this._$AH)||(this._$AH=[],this._$AR());let e=this._$AH,s,r=0;for(let i of t)r===e.length?e.push(s=new o(this.O(O()),this.O(O()),this,this.options)):s=e[r],s._$AI(i),r++;r<e.length&&(this._$AR(s&&s._$AB.nextSibling,r),e.length=r)}_$AR(t=this._$AA.nextSibling,e){for(this._$AP?.(!1,!0,e);t!==this._$AB;){let s=gt(t).nextSibling;gt(t).remove(),t=s}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},P=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,e,s,r,i){this.type=1,this._$AH=p,this._$AN=void 0,this.element=t,this.name=e,this._$AM=r,this.options=i,s.length>2||s[0]!==""||s[1]!==""?(this._$AH=Array(s.length-1).fill(new String),this.strings=s):this._$AH=p}_$AI(t,e=this,s,r){let i=this.strings,n=!1;if(i===void 0)t=C(this,t,e,0),n=!N(t)||t!==this._$AH&&t!==T,n&&(this._$AH=t);else{let l=t,a,c;for(t=i[0],a=0;a<i.length-1;a++)c=C(this,l[s+a],e,a),c===T&&(c=this._$AH[a]),n||=!N(c)||c!==this._$AH[a],c===p?t=p:t!==p&&(t+=(c??"")+i[a+1]),this._$AH[a]=c}n&&!r&&this.j(t)}j(t){t===p?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},st=class extends P{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===p?void 0:t}},rt=class extends P{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==p)}},ot=class extends P{constructor(t,e,s,r,i){super(t,e,s,r,i),this.type=5}_$AI(t,e=this){if((t=C(this,t,e,0)??p)===T)return;let s=this._$AH,r=t===p&&s!==p||t.capture!==s.capture||t.once!==s.once||t.passive!==s.passive,i=t!==p&&(s===p||r);r&&this.element.removeEventListener(this.name,this,s),i&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},it=class{constructor(t,e,s){this.element=t,this.type=6,this._$AN=void 0,this._$AM=e,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(t){C(this,t)}};var Qt=nt.litHtmlPolyfillSupport;Qt?.(z,L),(nt.litHtmlVersions??=[]).push("3.3.3");var Pt=(o,t,e)=>{let s=e?.renderBefore??t,r=s._$litPart$;if(r===void 0){let i=e?.renderBefore??null;s._$litPart$=r=new L(t.insertBefore(O(),i),i,void 0,e??{})}return r._$AI(o),r};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var ct=globalThis,y=class extends x{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let t=super.createRenderRoot();return this.renderOptions.renderBefore??=t.firstChild,t}update(t){let e=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(t),this._$Do=Pt(e,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return T}};y._$litElement$=!0,y.finalized=!0,ct.litElementHydrateSupport?.({LitElement:y});var Xt=ct.litElementPolyfillSupport;Xt?.({LitElement:y});(ct.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var g=o=>(t,e)=>{e!==void 0?e.addInitializer(()=>{customElements.define(o,t)}):customElements.define(o,t)};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Yt={attribute:!0,type:String,converter:H,reflect:!1,hasChanged:V},te=(o=Yt,t,e)=>{let{kind:s,metadata:r}=e,i=globalThis.litPropertyMetadata.get(r);if(i===void 0&&globalThis.litPropertyMetadata.set(r,i=new Map),s==="setter"&&((o=Object.create(o)).wrapped=!0),i.set(e.name,o),s==="accessor"){let{name:n}=e;return{set(l){let a=t.get.call(this);t.set.call(this,l),this.requestUpdate(n,a,o,!0,l)},init(l){return l!==void 0&&this.C(n,void 0,o,l),l}}}if(s==="setter"){let{name:n}=e;return function(l){let a=this[n];t.call(this,l),this.requestUpdate(n,a,o,!0,l)}}throw Error("Unsupported decorator location: "+s)};function $(o){return(t,e)=>typeof e=="object"?te(o,t,e):((s,r,i)=>{let n=r.hasOwnProperty(i);return r.constructor.createProperty(i,s),n?Object.getOwnPropertyDescriptor(r,i):void 0})(o,t,e)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function j(o){return $({...o,state:!0,attribute:!1})}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
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
 *//**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Rt=Symbol.for(""),ee=o=>{if(o?.r===Rt)return o?._$litStatic$},Ut=o=>({_$litStatic$:o,r:Rt});var kt=new Map,ht=o=>(t,...e)=>{let s=e.length,r,i,n=[],l=[],a,c=0,u=!1;for(;c<s;){for(a=t[c];c<s&&(i=e[c],(r=ee(i))!==void 0);)a+=r+t[++c],u=!0;c!==s&&l.push(i),n.push(a),c++}if(c===s&&n.push(t[s]),u){let h=n.join("$$lit$$");(t=kt.get(h))===void 0&&(n.raw=n,kt.set(h,t=n)),e=l}return o(t,...e)},Ht=ht(m),Fe=ht(Et),Ge=ht(Tt);function Mt(o){history.pushState(null,"",o),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}}))}async function Ot(o){let t=await o.loadBackendTranslation("config_panel","sage");return(e,s)=>t(`component.sage.config_panel.${e}`,s)}async function Nt(o,t){let{message:e,translation_key:s,translation_domain:r,translation_placeholders:i}=t;if(s&&r){let l=(await o.loadBackendTranslation("exceptions",r))(`component.${r}.exceptions.${s}.message`,i);if(l)return l}return e??String(t)}var zt=R`
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
    color: var(--link-color, var(--primary-color));
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
    align-items: center;
    gap: 8px;
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
  progress {
    width: 100%;
  }
`;var f=class extends y{constructor(){super(...arguments);this.path="";this.error="";this.notice=""}static{this.styles=zt}firstUpdated(e){this.act(async()=>{})}call(e){return this.hass.callWS(e)}async act(e){this.error="",this.notice="";try{this.notice=await e()??"",await this.load()}catch(s){this.error=await Nt(this.hass,s)}}dateTime(e){return new Date(e).toLocaleString(this.hass.language,{dateStyle:"medium",timeStyle:"short",timeZone:this.hass.config.time_zone})}day(e){return new Date(`${e}T00:00:00Z`).toLocaleDateString(this.hass.language,{dateStyle:"medium",timeZone:"UTC"})}messages(){return m`
      <div role="alert">${this.error?m`<p class="error">${this.error}</p>`:p}</div>
      <div role="status">${this.notice?m`<p class="notice">${this.notice}</p>`:p}</div>
    `}};d([$({attribute:!1})],f.prototype,"hass",2),d([$({attribute:!1})],f.prototype,"texts",2),d([$({attribute:!1})],f.prototype,"path",2),d([j()],f.prototype,"error",2),d([j()],f.prototype,"notice",2);var Z=class extends f{async load(){}render(){return m`${this.messages()}`}};Z=d([g("sage-activity")],Z);var F=class extends f{async load(){}render(){return m`${this.messages()}`}};F=d([g("sage-devices")],F);var G=class extends f{async load(){}render(){return m`${this.messages()}`}};G=d([g("sage-memory")],G);var J=class extends f{async load(){}render(){return m`${this.messages()}`}};J=d([g("sage-models")],J);var Q=class extends f{async load(){}render(){return m`${this.messages()}`}};Q=d([g("sage-routines")],Q);var se=[{path:"activity"},{path:"memory"},{path:"routines"},{path:"devices"},{path:"models",needsAdmin:!0}],_=class extends y{constructor(){super(...arguments);this.narrow=!1;this.language=""}willUpdate(e){e.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,this.readTexts(this.hass))}async readTexts(e){this.texts=await Ot(e)}get tabs(){return se.filter(e=>!e.needsAdmin||this.hass?.user.is_admin)}render(){if(!this.hass||!this.texts||!this.route)return p;let[e,...s]=this.route.path.split("/").filter(Boolean),r=this.tabs.find(i=>i.path===e)??this.tabs[0];return m`
      <header>
        <button class="menu" aria-label=${this.texts("menu")} @click=${this.toggleMenu}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 6h18v2H3V6m0 5h18v2H3v-2m0 5h18v2H3v-2Z" />
          </svg>
        </button>
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs.map(i=>m`<a
              href="${this.route.prefix}/${i.path}"
              aria-current=${i===r?"page":p}
              @click=${this.follow}
              >${this.texts(`tabs.${i.path}`)}</a
            >`)}
        </nav>
      </header>
      <main>${this.view(r,s.join("/"))}</main>
    `}view(e,s){let r=Ut(`sage-${e.path}`);return Ht`<${r} .hass=${this.hass} .texts=${this.texts} .path=${s}></${r}>`}toggleMenu(){this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))}follow(e){e.ctrlKey||e.metaKey||e.shiftKey||(e.preventDefault(),Mt(e.currentTarget.pathname))}};_.styles=R`
    :host {
      display: block;
      min-height: 100%;
      background: var(--primary-background-color);
      color: var(--primary-text-color);
      font-family: var(--ha-font-family-body, Roboto, sans-serif);
    }
    header {
      align-items: center;
      background: var(--app-header-background-color, var(--primary-color));
      border-bottom: var(--app-header-border-bottom, none);
      color: var(--app-header-text-color, var(--text-primary-color));
      display: flex;
      flex-wrap: wrap;
      min-height: var(--header-height, 56px);
      padding: 0 12px;
      position: sticky;
      top: 0;
      z-index: 4;
    }
    h1 {
      flex: 0 0 auto;
      font-size: 20px;
      font-weight: 400;
      margin: 0 16px 0 8px;
    }
    .menu {
      background: none;
      border: none;
      color: inherit;
      cursor: pointer;
      display: none;
      height: 48px;
      padding: 12px;
      width: 48px;
    }
    :host([narrow]) .menu {
      display: block;
    }
    .menu svg {
      fill: currentColor;
      height: 24px;
      width: 24px;
    }
    nav {
      display: flex;
      flex: 1 1 auto;
      overflow-x: auto;
      scrollbar-width: none;
    }
    :host([narrow]) nav {
      flex-basis: 100%;
      margin: 0 -12px;
    }
    nav a {
      border-bottom: 2px solid transparent;
      color: inherit;
      flex: 0 0 auto;
      line-height: 48px;
      padding: 0 12px;
      text-decoration: none;
    }
    nav a[aria-current] {
      border-color: currentColor;
      font-weight: 500;
    }
    :focus-visible {
      outline: 2px solid currentColor;
      outline-offset: -4px;
    }
    main {
      box-sizing: border-box;
      margin: 0 auto;
      max-width: 960px;
      padding: 16px;
    }
    :host([narrow]) main {
      padding: 12px;
    }
  `,d([$({attribute:!1})],_.prototype,"hass",2),d([$({type:Boolean,reflect:!0})],_.prototype,"narrow",2),d([$({attribute:!1})],_.prototype,"route",2),d([j()],_.prototype,"texts",2),_=d([g("sage-panel")],_);export{_ as Panel};
