var ys=Object.defineProperty;var $s=Object.getOwnPropertyDescriptor;var h=(n,i,e,t)=>{for(var s=t>1?void 0:t?$s(i,e):i,r=n.length-1,o;r>=0;r--)(o=n[r])&&(s=(t?o(i,e,s):o(s))||s);return t&&s&&ys(i,e,s),s};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var we=globalThis,_e=we.ShadowRoot&&(we.ShadyCSS===void 0||we.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Ie=Symbol(),ct=new WeakMap,ue=class{constructor(i,e,t){if(this._$cssResult$=!0,t!==Ie)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=i,this.t=e}get styleSheet(){let i=this.o,e=this.t;if(_e&&i===void 0){let t=e!==void 0&&e.length===1;t&&(i=ct.get(e)),i===void 0&&((this.o=i=new CSSStyleSheet).replaceSync(this.cssText),t&&ct.set(e,i))}return i}toString(){return this.cssText}},dt=n=>new ue(typeof n=="string"?n:n+"",void 0,Ie),_=(n,...i)=>{let e=n.length===1?n[0]:i.reduce((t,s,r)=>t+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+n[r+1],n[0]);return new ue(e,n,Ie)},ht=(n,i)=>{if(_e)n.adoptedStyleSheets=i.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(let e of i){let t=document.createElement("style"),s=we.litNonce;s!==void 0&&t.setAttribute("nonce",s),t.textContent=e.cssText,n.appendChild(t)}},Ve=_e?n=>n:n=>n instanceof CSSStyleSheet?(i=>{let e="";for(let t of i.cssRules)e+=t.cssText;return dt(e)})(n):n;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:xs,defineProperty:bs,getOwnPropertyDescriptor:ws,getOwnPropertyNames:_s,getOwnPropertySymbols:ks,getPrototypeOf:Ts}=Object,ke=globalThis,pt=ke.trustedTypes,Rs=pt?pt.emptyScript:"",As=ke.reactiveElementPolyfillSupport,me=(n,i)=>n,ge={toAttribute(n,i){switch(i){case Boolean:n=n?Rs:null;break;case Object:case Array:n=n==null?n:JSON.stringify(n)}return n},fromAttribute(n,i){let e=n;switch(i){case Boolean:e=n!==null;break;case Number:e=n===null?null:Number(n);break;case Object:case Array:try{e=JSON.parse(n)}catch{e=null}}return e}},Te=(n,i)=>!xs(n,i),ut={attribute:!0,type:String,converter:ge,reflect:!1,useDefault:!1,hasChanged:Te};Symbol.metadata??=Symbol("metadata"),ke.litPropertyMetadata??=new WeakMap;var K=class extends HTMLElement{static addInitializer(i){this._$Ei(),(this.l??=[]).push(i)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(i,e=ut){if(e.state&&(e.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(i)&&((e=Object.create(e)).wrapped=!0),this.elementProperties.set(i,e),!e.noAccessor){let t=Symbol(),s=this.getPropertyDescriptor(i,t,e);s!==void 0&&bs(this.prototype,i,s)}}static getPropertyDescriptor(i,e,t){let{get:s,set:r}=ws(this.prototype,i)??{get(){return this[e]},set(o){this[e]=o}};return{get:s,set(o){let l=s?.call(this);r?.call(this,o),this.requestUpdate(i,l,t)},configurable:!0,enumerable:!0}}static getPropertyOptions(i){return this.elementProperties.get(i)??ut}static _$Ei(){if(this.hasOwnProperty(me("elementProperties")))return;let i=Ts(this);i.finalize(),i.l!==void 0&&(this.l=[...i.l]),this.elementProperties=new Map(i.elementProperties)}static finalize(){if(this.hasOwnProperty(me("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(me("properties"))){let e=this.properties,t=[..._s(e),...ks(e)];for(let s of t)this.createProperty(s,e[s])}let i=this[Symbol.metadata];if(i!==null){let e=litPropertyMetadata.get(i);if(e!==void 0)for(let[t,s]of e)this.elementProperties.set(t,s)}this._$Eh=new Map;for(let[e,t]of this.elementProperties){let s=this._$Eu(e,t);s!==void 0&&this._$Eh.set(s,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(i){let e=[];if(Array.isArray(i)){let t=new Set(i.flat(1/0).reverse());for(let s of t)e.unshift(Ve(s))}else i!==void 0&&e.push(Ve(i));return e}static _$Eu(i,e){let t=e.attribute;return t===!1?void 0:typeof t=="string"?t:typeof i=="string"?i.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(i=>this.enableUpdating=i),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(i=>i(this))}addController(i){(this._$EO??=new Set).add(i),this.renderRoot!==void 0&&this.isConnected&&i.hostConnected?.()}removeController(i){this._$EO?.delete(i)}_$E_(){let i=new Map,e=this.constructor.elementProperties;for(let t of e.keys())this.hasOwnProperty(t)&&(i.set(t,this[t]),delete this[t]);i.size>0&&(this._$Ep=i)}createRenderRoot(){let i=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return ht(i,this.constructor.elementStyles),i}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(i=>i.hostConnected?.())}enableUpdating(i){}disconnectedCallback(){this._$EO?.forEach(i=>i.hostDisconnected?.())}attributeChangedCallback(i,e,t){this._$AK(i,t)}_$ET(i,e){let t=this.constructor.elementProperties.get(i),s=this.constructor._$Eu(i,t);if(s!==void 0&&t.reflect===!0){let r=(t.converter?.toAttribute!==void 0?t.converter:ge).toAttribute(e,t.type);this._$Em=i,r==null?this.removeAttribute(s):this.setAttribute(s,r),this._$Em=null}}_$AK(i,e){let t=this.constructor,s=t._$Eh.get(i);if(s!==void 0&&this._$Em!==s){let r=t.getPropertyOptions(s),o=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:ge;this._$Em=s;let l=o.fromAttribute(e,r.type);this[s]=l??this._$Ej?.get(s)??l,this._$Em=null}}requestUpdate(i,e,t,s=!1,r){if(i!==void 0){let o=this.constructor;if(s===!1&&(r=this[i]),t??=o.getPropertyOptions(i),!((t.hasChanged??Te)(r,e)||t.useDefault&&t.reflect&&r===this._$Ej?.get(i)&&!this.hasAttribute(o._$Eu(i,t))))return;this.C(i,e,t)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(i,e,{useDefault:t,reflect:s,wrapped:r},o){t&&!(this._$Ej??=new Map).has(i)&&(this._$Ej.set(i,o??e??this[i]),r!==!0||o!==void 0)||(this._$AL.has(i)||(this.hasUpdated||t||(e=void 0),this._$AL.set(i,e)),s===!0&&this._$Em!==i&&(this._$Eq??=new Set).add(i))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}let i=this.scheduleUpdate();return i!=null&&await i,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[s,r]of this._$Ep)this[s]=r;this._$Ep=void 0}let t=this.constructor.elementProperties;if(t.size>0)for(let[s,r]of t){let{wrapped:o}=r,l=this[s];o!==!0||this._$AL.has(s)||l===void 0||this.C(s,void 0,r,l)}}let i=!1,e=this._$AL;try{i=this.shouldUpdate(e),i?(this.willUpdate(e),this._$EO?.forEach(t=>t.hostUpdate?.()),this.update(e)):this._$EM()}catch(t){throw i=!1,this._$EM(),t}i&&this._$AE(e)}willUpdate(i){}_$AE(i){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(i)),this.updated(i)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(i){return!0}update(i){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(i){}firstUpdated(i){}};K.elementStyles=[],K.shadowRootOptions={mode:"open"},K[me("elementProperties")]=new Map,K[me("finalized")]=new Map,As?.({ReactiveElement:K}),(ke.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Fe=globalThis,mt=n=>n,Re=Fe.trustedTypes,gt=Re?Re.createPolicy("lit-html",{createHTML:n=>n}):void 0,Ke="$lit$",G=`lit$${Math.random().toFixed(9).slice(2)}$`,Ge="?"+G,Es=`<${Ge}>`,ie=document,fe=()=>ie.createComment(""),ye=n=>n===null||typeof n!="object"&&typeof n!="function",Qe=Array.isArray,bt=n=>Qe(n)||typeof n?.[Symbol.iterator]=="function",We=`[ 	
\f\r]`,ve=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,vt=/-->/g,ft=/>/g,te=RegExp(`>|${We}(?:([^\\s"'>=/]+)(${We}*=${We}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),yt=/'/g,$t=/"/g,wt=/^(?:script|style|textarea|title)$/i,Ze=n=>(i,...e)=>({_$litType$:n,strings:i,values:e}),a=Ze(1),ce=Ze(2),_t=Ze(3),H=Symbol.for("lit-noChange"),c=Symbol.for("lit-nothing"),xt=new WeakMap,se=ie.createTreeWalker(ie,129);function kt(n,i){if(!Qe(n)||!n.hasOwnProperty("raw"))throw Error("invalid template strings array");return gt!==void 0?gt.createHTML(i):i}var Tt=(n,i)=>{let e=n.length-1,t=[],s,r=i===2?"<svg>":i===3?"<math>":"",o=ve;for(let l=0;l<e;l++){let d=n[l],p,f,m=-1,b=0;for(;b<d.length&&(o.lastIndex=b,f=o.exec(d),f!==null);)b=o.lastIndex,o===ve?f[1]==="!--"?o=vt:f[1]!==void 0?o=ft:f[2]!==void 0?(wt.test(f[2])&&(s=RegExp("</"+f[2],"g")),o=te):f[3]!==void 0&&(o=te):o===te?f[0]===">"?(o=s??ve,m=-1):f[1]===void 0?m=-2:(m=o.lastIndex-f[2].length,p=f[1],o=f[3]===void 0?te:f[3]==='"'?$t:yt):o===$t||o===yt?o=te:o===vt||o===ft?o=ve:(o=te,s=void 0);let w=o===te&&n[l+1].startsWith("/>")?" ":"";r+=o===ve?d+Es:m>=0?(t.push(p),d.slice(0,m)+Ke+d.slice(m)+G+w):d+G+(m===-2?l:w)}return[kt(n,r+(n[e]||"<?>")+(i===2?"</svg>":i===3?"</math>":"")),t]},$e=class n{constructor({strings:i,_$litType$:e},t){let s;this.parts=[];let r=0,o=0,l=i.length-1,d=this.parts,[p,f]=Tt(i,e);if(this.el=n.createElement(p,t),se.currentNode=this.el.content,e===2||e===3){let m=this.el.content.firstChild;m.replaceWith(...m.childNodes)}for(;(s=se.nextNode())!==null&&d.length<l;){if(s.nodeType===1){if(s.hasAttributes())for(let m of s.getAttributeNames())if(m.endsWith(Ke)){let b=f[o++],w=s.getAttribute(m).split(G),A=/([.?@])?(.*)/.exec(b);d.push({type:1,index:r,name:A[2],strings:w,ctor:A[1]==="."?Ee:A[1]==="?"?Se:A[1]==="@"?Pe:re}),s.removeAttribute(m)}else m.startsWith(G)&&(d.push({type:6,index:r}),s.removeAttribute(m));if(wt.test(s.tagName)){let m=s.textContent.split(G),b=m.length-1;if(b>0){s.textContent=Re?Re.emptyScript:"";for(let w=0;w<b;w++)s.append(m[w],fe()),se.nextNode(),d.push({type:2,index:++r});s.append(m[b],fe())}}}else if(s.nodeType===8)if(s.data===Ge)d.push({type:2,index:r});else{let m=-1;for(;(m=s.data.indexOf(G,m+1))!==-1;)d.push({type:7,index:r}),m+=G.length-1}r++}}static createElement(i,e){let t=ie.createElement("template");return t.innerHTML=i,t}};function ne(n,i,e=n,t){if(i===H)return i;let s=t!==void 0?e._$Co?.[t]:e._$Cl,r=ye(i)?void 0:i._$litDirective$;return s?.constructor!==r&&(s?._$AO?.(!1),r===void 0?s=void 0:(s=new r(n),s._$AT(n,e,t)),t!==void 0?(e._$Co??=[])[t]=s:e._$Cl=s),s!==void 0&&(i=ne(n,s._$AS(n,i.values),s,t)),i}var Ae=class{constructor(i,e){this._$AV=[],this._$AN=void 0,this._$AD=i,this._$AM=e}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(i){let{el:{content:e},parts:t}=this._$AD,s=(i?.creationScope??ie).importNode(e,!0);se.currentNode=s;let r=se.nextNode(),o=0,l=0,d=t[0];for(;d!==void 0;){if(o===d.index){let p;d.type===2?p=new le(r,r.nextSibling,this,i):d.type===1?p=new d.ctor(r,d.name,d.strings,this,i):d.type===6&&(p=new Ce(r,this,i)),this._$AV.push(p),d=t[++l]}o!==d?.index&&(r=se.nextNode(),o++)}return se.currentNode=ie,s}p(i){let e=0;for(let t of this._$AV)t!==void 0&&(t.strings!==void 0?(t._$AI(i,t,e),e+=t.strings.length-2):t._$AI(i[e])),e++}},le=class n{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(i,e,t,s){this.type=2,this._$AH=c,this._$AN=void 0,this._$AA=i,this._$AB=e,this._$AM=t,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let i=this._$AA.parentNode,e=this._$AM;return e!==void 0&&i?.nodeType===11&&(i=e.parentNode),i}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(i,e=this){i=ne(this,i,e),ye(i)?i===c||i==null||i===""?(this._$AH!==c&&this._$AR(),this._$AH=c):i!==this._$AH&&i!==H&&this._(i):i._$litType$!==void 0?this.$(i):i.nodeType!==void 0?this.T(i):bt(i)?this.k(i):this._(i)}O(i){return this._$AA.parentNode.insertBefore(i,this._$AB)}T(i){this._$AH!==i&&(this._$AR(),this._$AH=this.O(i))}_(i){this._$AH!==c&&ye(this._$AH)?this._$AA.nextSibling.data=i:this.T(ie.createTextNode(i)),this._$AH=i}$(i){let{values:e,_$litType$:t}=i,s=typeof t=="number"?this._$AC(i):(t.el===void 0&&(t.el=$e.createElement(kt(t.h,t.h[0]),this.options)),t);if(this._$AH?._$AD===s)this._$AH.p(e);else{let r=new Ae(s,this),o=r.u(this.options);r.p(e),this.T(o),this._$AH=r}}_$AC(i){let e=xt.get(i.strings);return e===void 0&&xt.set(i.strings,e=new $e(i)),e}k(i){Qe(this._$AH)||(this._$AH=[],this._$AR());let e=this._$AH,t,s=0;for(let r of i)s===e.length?e.push(t=new n(this.O(fe()),this.O(fe()),this,this.options)):t=e[s],t._$AI(r),s++;s<e.length&&(this._$AR(t&&t._$AB.nextSibling,s),e.length=s)}_$AR(i=this._$AA.nextSibling,e){for(this._$AP?.(!1,!0,e);i!==this._$AB;){let t=mt(i).nextSibling;mt(i).remove(),i=t}}setConnected(i){this._$AM===void 0&&(this._$Cv=i,this._$AP?.(i))}},re=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(i,e,t,s,r){this.type=1,this._$AH=c,this._$AN=void 0,this.element=i,this.name=e,this._$AM=s,this.options=r,t.length>2||t[0]!==""||t[1]!==""?(this._$AH=Array(t.length-1).fill(new String),this.strings=t):this._$AH=c}_$AI(i,e=this,t,s){let r=this.strings,o=!1;if(r===void 0)i=ne(this,i,e,0),o=!ye(i)||i!==this._$AH&&i!==H,o&&(this._$AH=i);else{let l=i,d,p;for(i=r[0],d=0;d<r.length-1;d++)p=ne(this,l[t+d],e,d),p===H&&(p=this._$AH[d]),o||=!ye(p)||p!==this._$AH[d],p===c?i=c:i!==c&&(i+=(p??"")+r[d+1]),this._$AH[d]=p}o&&!s&&this.j(i)}j(i){i===c?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,i??"")}},Ee=class extends re{constructor(){super(...arguments),this.type=3}j(i){this.element[this.name]=i===c?void 0:i}},Se=class extends re{constructor(){super(...arguments),this.type=4}j(i){this.element.toggleAttribute(this.name,!!i&&i!==c)}},Pe=class extends re{constructor(i,e,t,s,r){super(i,e,t,s,r),this.type=5}_$AI(i,e=this){if((i=ne(this,i,e,0)??c)===H)return;let t=this._$AH,s=i===c&&t!==c||i.capture!==t.capture||i.once!==t.once||i.passive!==t.passive,r=i!==c&&(t===c||s);s&&this.element.removeEventListener(this.name,this,t),r&&this.element.addEventListener(this.name,this,i),this._$AH=i}handleEvent(i){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,i):this._$AH.handleEvent(i)}},Ce=class{constructor(i,e,t){this.element=i,this.type=6,this._$AN=void 0,this._$AM=e,this.options=t}get _$AU(){return this._$AM._$AU}_$AI(i){ne(this,i)}},Rt={M:Ke,P:G,A:Ge,C:1,L:Tt,R:Ae,D:bt,V:ne,I:le,H:re,N:Se,U:Pe,B:Ee,F:Ce},Ss=Fe.litHtmlPolyfillSupport;Ss?.($e,le),(Fe.litHtmlVersions??=[]).push("3.3.3");var At=(n,i,e)=>{let t=e?.renderBefore??i,s=t._$litPart$;if(s===void 0){let r=e?.renderBefore??null;t._$litPart$=s=new le(i.insertBefore(fe(),r),r,void 0,e??{})}return s._$AI(n),s};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Je=globalThis,U=class extends K{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let i=super.createRenderRoot();return this.renderOptions.renderBefore??=i.firstChild,i}update(i){let e=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(i),this._$Do=At(e,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return H}};U._$litElement$=!0,U.finalized=!0,Je.litElementHydrateSupport?.({LitElement:U});var Ps=Je.litElementPolyfillSupport;Ps?.({LitElement:U});(Je.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var k=n=>(i,e)=>{e!==void 0?e.addInitializer(()=>{customElements.define(n,i)}):customElements.define(n,i)};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Cs={attribute:!0,type:String,converter:ge,reflect:!1,hasChanged:Te},Os=(n=Cs,i,e)=>{let{kind:t,metadata:s}=e,r=globalThis.litPropertyMetadata.get(s);if(r===void 0&&globalThis.litPropertyMetadata.set(s,r=new Map),t==="setter"&&((n=Object.create(n)).wrapped=!0),r.set(e.name,n),t==="accessor"){let{name:o}=e;return{set(l){let d=i.get.call(this);i.set.call(this,l),this.requestUpdate(o,d,n,!0,l)},init(l){return l!==void 0&&this.C(o,void 0,n,l),l}}}if(t==="setter"){let{name:o}=e;return function(l){let d=this[o];i.call(this,l),this.requestUpdate(o,d,n,!0,l)}}throw Error("Unsupported decorator location: "+t)};function P(n){return(i,e)=>typeof e=="object"?Os(n,i,e):((t,s,r)=>{let o=s.hasOwnProperty(r);return s.constructor.createProperty(r,t),o?Object.getOwnPropertyDescriptor(s,r):void 0})(n,i,e)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function u(n){return P({...n,state:!0,attribute:!1})}/**
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
 */var St=Symbol.for(""),Ms=n=>{if(n?.r===St)return n?._$litStatic$},Pt=n=>({_$litStatic$:n,r:St});var Et=new Map,Ye=n=>(i,...e)=>{let t=e.length,s,r,o=[],l=[],d,p=0,f=!1;for(;p<t;){for(d=i[p];p<t&&(r=e[p],(s=Ms(r))!==void 0);)d+=s+i[++p],f=!0;p!==t&&l.push(r),o.push(d),p++}if(p===t&&o.push(i[t]),f){let m=o.join("$$lit$$");(i=Et.get(m))===void 0&&(o.raw=o,Et.set(m,i=o)),e=l}return n(i,...e)},Ct=Ye(a),Pn=Ye(ce),Cn=Ye(_t);function Ot({entities:n}){return Object.values(n).find(({entity_id:i,platform:e})=>e==="sage"&&i.startsWith("conversation."))?.entity_id}function xe({locale:n,config:i}){return n.time_zone==="local"?void 0:i.time_zone}function Me({locale:{language:n,time_format:i}}){return i==="12"||i==="24"?i==="12":!!new Intl.DateTimeFormat(i==="system"?void 0:n,{timeStyle:"short"}).resolvedOptions().hour12}function Z(n){history.pushState(null,"",n),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}}))}function Le(n){n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),Z(n.currentTarget.pathname))}/**
 * @license
 * Copyright 2018 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var E=n=>n??c;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Mt={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},J=n=>(...i)=>({_$litDirective$:n,values:i}),j=class{constructor(i){}get _$AU(){return this._$AM._$AU}_$AT(i,e,t){this._$Ct=i,this._$AM=e,this._$Ci=t}_$AS(i,e){return this.update(i,e)}update(i,e){return this.render(...e)}};var Xe=class extends j{render(){return c}update({element:i}){let e=i;return Promise.resolve().then(()=>{e.isConnected&&!e.open&&e.showModal()}),c}},De=J(Xe);var Ls=["ha-alert","ha-button","ha-code-editor","ha-dialog","ha-expansion-panel","ha-icon","ha-icon-button","ha-input","ha-select","ha-state-icon","ha-switch"],Ds=500,Lt,B=n=>!!customElements.get(n);function et(){let n=()=>Ls.every(B);return Lt??=(async()=>{for(let i of[Hs,Us])n()||await i().catch(()=>{})})(),Lt}function Dt(){return Promise.race([et(),new Promise(n=>setTimeout(n,Ds))])}async function Hs(){let{loadCardHelpers:n}=window;await(await(await n?.())?.createCardElement({type:"entities",entities:[]}))?.constructor?.getConfigElement?.()}async function Us(){await customElements.whenDefined("partial-panel-resolver");let n=document.createElement("partial-panel-resolver"),{routes:i}=n.getRoutes([{component_name:"config",url_path:"config"}]);await i.config?.load?.();let e=document.createElement("ha-panel-config");for(let t of["automation","devices"])await e.routerOptions.routes[t]?.load?.()}function x(n,i){return B("ha-icon")?a`<ha-icon aria-hidden="true" slot=${E(i)} .icon=${n}></ha-icon>`:c}function de(){return B("ha-spinner")?a`<ha-spinner class="spinner" size="small" aria-hidden="true"></ha-spinner>`:a`<progress class="spinner" aria-hidden="true"></progress>`}var Bs={main:["accent","brand"],quiet:["plain","brand"],outlined:["outlined","neutral"],danger:["plain","danger"]};function v(n){let{label:i,click:e,look:t="quiet",type:s="button",name:r,disabled:o=!1,slot:l}=n;if(!B("ha-button"))return a`<button
      type=${s}
      class=${t}
      slot=${E(l)}
      aria-label=${E(r)}
      ?disabled=${o}
      ?autofocus=${n.autofocus}
      @click=${e}
    >
      ${i}
    </button>`;let[d,p]=Bs[t];return a`<ha-button
    class="button"
    size="s"
    slot=${E(l)}
    .type=${s}
    .appearance=${d}
    .variant=${p}
    .ariaLabel=${r??null}
    .disabled=${o}
    ?autofocus=${n.autofocus}
    @click=${e}
    >${n.icon?x(n.icon,"start"):c}${i}</ha-button
  >`}function C(n,i,e,t=!1){return B("ha-icon-button")&&B("ha-icon")?a`<ha-icon-button .label=${i} .disabled=${t} @click=${e}
        ><ha-icon .icon=${n}></ha-icon
      ></ha-icon-button>`:a`<button type="button" class="quiet" ?disabled=${t} @click=${e}>
        ${i}
      </button>`}function R(n){let{header:i,secondary:e,content:t,isOpen:s,toggle:r,id:o}=n;return B("ha-expansion-panel")?a`<ha-expansion-panel
    class="fold"
    id=${E(o)}
    .header=${i}
    .secondary=${e}
    .expanded=${s??!1}
    @expanded-changed=${l=>{l.stopPropagation(),r?.(l.detail.expanded)}}
  >
    ${n.icon?x(n.icon,"leading-icon"):c} ${t()}
  </ha-expansion-panel>`:a`<details
      id=${E(o)}
      ?open=${s??!1}
      @toggle=${l=>r?.(l.currentTarget.open)}
    >
      <summary>${i} <span class="secondary">${e??c}</span></summary>
      ${t()}
    </details>`}function Ht(n,i,e){return B("ha-alert")?a`<ha-alert
    class=${n}
    .alertType=${n}
    .dismissable=${!!e}
    @alert-dismissed-clicked=${e?.click}
    >${i}</ha-alert
  >`:a`<div class="message row ${n}">
      <span class="grow">${i}</span>
      ${e?a`<button type="button" class="quiet" @click=${e.click}>${e.label}</button>`:c}
    </div>`}function oe(n){let{label:i,isOn:e,change:t,disabled:s=!1}=n,r=o=>{o.stopPropagation(),t(o.currentTarget.checked)};return B("ha-switch")?a`<ha-switch .checked=${e} .disabled=${s} @change=${r}
        ><span class="unseen">${i}</span></ha-switch
      >`:a`<input
        type="checkbox"
        role="switch"
        aria-label=${i}
        aria-checked=${e}
        .checked=${e}
        ?disabled=${s}
        @change=${r}
      />`}function Y(n){let{label:i,value:e,choices:t,name:s,change:r}=n;return B("ha-select")?a`<ha-select
        name=${E(s)}
        .label=${i}
        .value=${e}
        .options=${t}
        @selected=${o=>{o.stopPropagation(),o.currentTarget.value=o.detail.value,r?.(o.detail.value)}}
      ></ha-select>`:a`<label
        >${i}
        <select
          name=${E(s)}
          .value=${e}
          @change=${o=>r?.(o.target.value)}
        >
          ${t.map(o=>a`<option value=${o.value} ?selected=${o.value===e}>
                ${o.label}
              </option>`)}
        </select></label
      >`}function T(n){let{name:i,label:e,value:t="",type:s="text",required:r=!1,input:o}=n,l=s==="number"?"any":void 0,d=o?p=>o(p.currentTarget.value):c;return B("ha-input")?a`<ha-input
    class="field"
    name=${i}
    .type=${s}
    .label=${e}
    .value=${t}
    .required=${r}
    .readonly=${n.readonly??!1}
    .maxlength=${n.maxlength}
    .min=${n.min}
    .max=${n.max}
    .step=${l}
    .inputmode=${n.isNumeric?"numeric":""}
    .withClear=${s==="search"}
    .withoutSpinButtons=${!1}
    autocomplete="off"
    @input=${d}
  ></ha-input>`:a`<label class="field"
      >${e}
      <input
        name=${i}
        type=${s}
        autocomplete="off"
        .value=${t}
        ?required=${r}
        ?readonly=${n.readonly}
        maxlength=${E(n.maxlength)}
        min=${E(n.min)}
        max=${E(n.max)}
        step=${E(l)}
        inputmode=${E(n.isNumeric?"numeric":void 0)}
        @input=${d}
    /></label>`}function S(n,i,{className:e="row",role:t}={}){let s=l=>[...l.querySelectorAll("[name]")],r=l=>{l.preventDefault();let d=l.currentTarget;if(!s(d).every(f=>f.reportValidity?.()??!0))return;let p=s(d).map(f=>[f.getAttribute("name"),f.value??""]);i(Object.fromEntries(p.map(([f,m])=>[f,m.trim()])),d)},o=l=>{l.key==="Enter"&&l.target.localName==="ha-input"&&(l.preventDefault(),l.currentTarget.requestSubmit())};return a`<form
    class=${e}
    role=${E(t)}
    novalidate
    @submit=${r}
    @keydown=${o}
  >
    ${n}
  </form>`}function Ut(n){for(let i of n.querySelectorAll("[name]"))i.value=""}function Bt(n){let{isOpen:i,title:e,content:t,buttons:s,closed:r}=n;return B("ha-dialog")?a`<ha-dialog .open=${i} .headerTitle=${e} width="small" @closed=${r}>
    ${t}
    <div class="row buttons" slot="footer">${s}</div>
  </ha-dialog>`:i?a`<dialog class="question" aria-label=${e} ${De()} @close=${r}>
          <h2>${e}</h2>
          ${t}
          <div class="row">${s}</div>
        </dialog>`:a``}async function zt(n){let i=await n.loadBackendTranslation("config_panel","sage"),e=(s,r)=>i(`component.sage.config_panel.${s}`,r);return Object.assign(e,{counted:(s,r)=>e(`${s}_${r===1?"one":"other"}`,{count:r.toLocaleString(n.language)})})}async function qt(n,i){let{message:e,translation_key:t,translation_domain:s,translation_placeholders:r}=i;if(t&&s){let l=(await n.loadBackendTranslation("exceptions",s))(`component.${s}.exceptions.${t}.message`,r);if(l)return l}return e??String(i)}/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{I:zs}=Rt,Nt=n=>n;var jt=()=>document.createComment(""),he=(n,i,e)=>{let t=n._$AA.parentNode,s=i===void 0?n._$AB:i._$AA;if(e===void 0){let r=t.insertBefore(jt(),s),o=t.insertBefore(jt(),s);e=new zs(r,o,n,n.options)}else{let r=e._$AB.nextSibling,o=e._$AM,l=o!==n;if(l){let d;e._$AQ?.(n),e._$AM=n,e._$AP!==void 0&&(d=n._$AU)!==o._$AU&&e._$AP(d)}if(r!==s||l){let d=e._$AA;for(;d!==r;){let p=Nt(d).nextSibling;Nt(t).insertBefore(d,s),d=p}}}return e},X=(n,i,e=n)=>(n._$AI(i,e),n),qs={},He=(n,i=qs)=>n._$AH=i,It=n=>n._$AH,Ue=n=>{n._$AR(),n._$AA.remove()};/**
 * @license
 * Copyright 2021 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Vt=J(class extends j{constructor(){super(...arguments),this.key=c}render(n,i){return this.key=n,i}update(n,[i,e]){return i!==this.key&&(He(n),this.key=i),e}});function y(n,i,e){return n.callWS({type:`sage/${i}`,data:e})}function O(n,i,e){return n.callWS({type:"sage/action",action:i,data:e})}function Wt(n,i,e){return n.callWS({type:"sage/answer_routine",routine:i,answer:e})}var Be=_`
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
`,ze=_`
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
`;var Ns=2e4,$=class extends U{constructor(){super(...arguments);this.path="";this.parts=0;this.narrow=!1;this.error="";this.notice="";this.question="";this.verb="";this.isAsked=!1;this.timer=0;this.refresh=()=>{!document.hidden&&this.hasUpdated&&!this.isEditing&&this.load().catch(()=>{})}}static{this.styles=Be}connectedCallback(){super.connectedCallback(),this.loaded??=this.act(async()=>{}),this.timer=window.setInterval(this.refresh,Ns),window.addEventListener("focus",this.refresh),this.watching=this.hass.connection.subscribeMessage(e=>this.watched(e),{type:"sage/activity/watch"}),this.watching.catch(()=>{})}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer),window.removeEventListener("focus",this.refresh),this.watching?.then(e=>e()).catch(()=>{})}watched({is_over:e}){e&&this.refresh()}get isEditing(){return!1}shouldUpdate(e){return!!this.texts}act(e){return this.guarded(async()=>{let t=await e();return await this.load(),t})}async guarded(e){this.error="",this.notice="";try{this.notice=await e()??""}catch(t){this.error=await qt(this.hass,t)}}agrees(e,t=this.texts("delete")){return this.question=e,this.verb=t,this.isAsked=!0,new Promise(s=>{this.decide=s})}settle(e){let{decide:t}=this;this.decide=void 0,this.isAsked=!1,t?.(e)}number(e,t=0){return e.toLocaleString(this.hass.language,{minimumFractionDigits:t,maximumFractionDigits:t})}duration(e){let t=e%60===0;return(t?e/60:e).toLocaleString(this.hass.language,{style:"unit",unit:t?"minute":"second",unitDisplay:"long"})}dateTime(e){return new Date(e).toLocaleString(this.hass.language,{dateStyle:"medium",...this.ofClock()})}clock(e){return new Date(e).toLocaleTimeString(this.hass.language,this.ofClock())}ofClock(){return{timeStyle:"short",hourCycle:Me(this.hass)?"h12":"h23",timeZone:xe(this.hass)}}day(e){return new Date(`${e}T00:00:00Z`).toLocaleDateString(this.hass.language,{dateStyle:"medium",timeZone:"UTC"})}ago(e){let t=Math.round((Date.now()-Date.parse(e))/6e4);if(t>=360)return this.clock(e);let s=new Intl.RelativeTimeFormat(this.hass.language,{numeric:"auto",style:"short"});return t<1?s.format(0,"second"):t<60?s.format(-t,"minute"):s.format(-Math.round(t/60),"hour")}dayOf(e){let t={timeZone:xe(this.hass)},s=o=>new Intl.DateTimeFormat("en-CA",t).format(o),r=Date.parse(e);for(let[o,l]of[0,864e5].entries())if(s(r)===s(Date.now()-l)){let p=new Intl.RelativeTimeFormat(this.hass.language,{numeric:"auto"}).format(-o,"day");return p.charAt(0).toLocaleUpperCase(this.hass.language)+p.slice(1)}return new Date(e).toLocaleDateString(this.hass.language,{dateStyle:"full",...t})}sheet(){}render(){let e=this.sheet();return a`${e?c:this.messages()} ${this.content()}
    ${e?this.drawn(e):c} ${this.asking()}`}messages(){return a`
      <div class="messages">
        <div role="alert" aria-live="assertive">${this.message("error",this.error)}</div>
        <div role="status" aria-live="polite">${this.message("success",this.notice)}</div>
      </div>
    `}message(e,t){let s=()=>{this.error="",this.notice=""};return t?Ht(e,t,{label:this.texts("close"),click:s}):c}drawn({title:e,content:t,closed:s}){let r=o=>o.currentTarget.closest("dialog").close();return a`<dialog
      class="sheet"
      aria-label=${e}
      ${De()}
      closedby="any"
      @close=${s}
    >
      <div class="head">
        ${C("mdi:close",this.texts("close"),r)}
        <h2>${e}</h2>
      </div>
      <div class="body">${this.messages()} ${t}</div>
    </dialog>`}asking(){return Bt({isOpen:this.isAsked,title:this.verb,content:a`<p>${this.question}</p>`,buttons:a`${v({label:this.texts("cancel"),autofocus:!0,click:()=>this.settle(!1)})}
      ${v({label:this.verb,look:"danger",click:()=>this.settle(!0)})}`,closed:()=>this.settle(!1)})}};h([P({attribute:!1})],$.prototype,"hass",2),h([P({attribute:!1})],$.prototype,"texts",2),h([P({attribute:!1})],$.prototype,"path",2),h([P({attribute:!1})],$.prototype,"parts",2),h([P({type:Boolean,reflect:!0})],$.prototype,"narrow",2),h([u()],$.prototype,"error",2),h([u()],$.prototype,"notice",2),h([u()],$.prototype,"question",2),h([u()],$.prototype,"verb",2),h([u()],$.prototype,"isAsked",2);var tt="other",Kt=[["imap",993],["smtp",465]],Ft=["tls","starttls","none"],L=class extends ${constructor(){super(...arguments);this.isAdding=!1;this.added=0;this.isSigningIn=!1;this.provider="";this.keepsSent=!1}async load(){let[e,t,s]=await Promise.all([y(this.hass,"accounts/list",{}),this.hass.loadBackendTranslation("config_subentries","sage"),this.hass.loadBackendTranslation("selector","sage")]);this.flow=t,this.selector=s,this.provider||=e.providers[0].id,this.owned=e}get isEditing(){return this.isAdding}mailText(e){return this.flow(`component.sage.config_subentries.mail.${e}`)}option(e,t){return this.selector(`component.sage.selector.${e}.options.${t}`)}add(e){let{provider:t,address:s,password:r,username:o,...l}=e,d={address:s,password:r,...t===tt?{username:o,keeps_sent:this.keepsSent,...js(l)}:{}};return this.guarded(async()=>{this.isSigningIn=!0;try{let{error:p}=await y(this.hass,"accounts/add_mail",{provider:t,account:d});if(p)throw new Error(this.mailText(p))}finally{this.isSigningIn=!1}return this.isAdding=!1,this.keepsSent=!1,this.added+=1,await this.load(),this.texts("accounts.added")})}async removeMail({id:e,address:t}){let s=this.texts("accounts.remove_ask",{address:t});await this.agrees(s,this.texts("accounts.remove"))&&await this.act(async()=>(await y(this.hass,"accounts/remove_mail",{id:e}),this.texts("accounts.removed")))}setCalendar(e,t){return this.act(async()=>(await y(this.hass,"accounts/set_calendar",{id:e,is_own:t}),this.texts("accounts.saved")))}content(){let{owned:e}=this;return e?a`
      <section aria-labelledby="mail">
        <h2 id="mail">${this.texts("accounts.mail")}</h2>
        <ha-card>
          ${e.mail.length?a`<ul class="plain list">
                  ${e.mail.map(t=>a`<li>${this.account(t)}</li>`)}
                </ul>`:a`<p class="empty">${this.texts("accounts.mail_none")}</p>`}
          ${R({id:"add",header:this.mailText("initiate_flow.user"),icon:"mdi:plus",isOpen:this.isAdding,toggle:t=>{this.isAdding=t},content:()=>a`${Vt(this.added,this.adding(e))}`})}
        </ha-card>
      </section>
      <section aria-labelledby="calendars">
        <h2 id="calendars">${this.texts("accounts.calendars")}</h2>
        <ha-card>
          ${e.calendars.length?a`<ul class="plain list">
                  ${e.calendars.map(t=>a`<li>${this.calendar(t)}</li>`)}
                </ul>`:a`<p class="empty">${this.texts("accounts.calendars_none")}</p>`}
        </ha-card>
      </section>
    `:c}account(e){let{address:t,user_name:s,provider:r,servers:o,is_refused:l}=e,d=this.owned.providers.find(({id:f})=>f===r),p=d?[d.name]:[...o,...s===t?[]:[s]];return a`
      <div class="item">
        ${x(l?"mdi:email-alert-outline":"mdi:email-outline")}
        <span class="text ${l?"refused":""}">
          <span class="headline">${t}</span>
          <span class="supporting"
            >${l?this.texts("accounts.refused"):p.join(" · ")}</span
          >
        </span>
      </div>
      ${C("mdi:delete-outline",this.texts("accounts.remove_it",{address:t}),()=>this.removeMail(e))}
    `}adding({providers:e}){let t=e.find(({id:l})=>l===this.provider),s=t?"step.sign_in":"step.servers",r=e.map(({id:l,name:d})=>({value:l,label:d}));r.push({value:tt,label:this.option("provider",tt)});let o=(l,d,p=!0)=>T({name:l,type:d,required:p,label:this.mailText(`${s}.data.${l}`)});return a`<div class="padded">
      ${S(a`${Y({name:"provider",label:this.mailText("step.user.data.provider"),value:this.provider,choices:r,change:l=>{this.provider=l}})}
          ${o("address","text")} ${t?c:o("username","text",!1)}
          ${o("password","password")}
          ${t?a`<a href=${t.help_url} target="_blank" rel="noreferrer"
                  >${this.texts("accounts.help")}</a
                >`:this.servers()}
          <div class="row end" role="status">
            ${this.isSigningIn?a`${de()}<span>${this.texts("accounts.signing_in")}</span>`:c}
            ${v({label:this.texts("accounts.add"),look:"main",type:"submit",disabled:this.isSigningIn})}
          </div>`,l=>this.add(l),{className:""})}
    </div>`}servers(){let e=this.mailText("step.servers.data.keeps_sent");return a`${Kt.map(([t,s])=>{let r=`step.servers.sections.${t}`,o=l=>this.mailText(`${r}.data.${l}`);return a`<fieldset>
          <legend>${this.mailText(`${r}.name`)}</legend>
          ${T({name:`${t}.host`,label:o("host"),required:!0})}
          <div class="row">
            ${T({name:`${t}.port`,label:o("port"),type:"number",value:String(s),min:1,max:65535,required:!0})}
            ${Y({name:`${t}.security`,label:o("security"),value:Ft[0],choices:Ft.map(l=>({value:l,label:this.option("security",l)}))})}
          </div>
        </fieldset>`})}
      <div class="item">
        <span class="text">${e}</span>
        ${oe({label:e,isOn:this.keepsSent,change:t=>{this.keepsSent=t}})}
      </div>`}calendar({id:e,name:t,is_own:s,is_changeable:r}){let o=s?"is_own":r?"is_free":"is_household";return a`<div class="item">
      ${x("mdi:calendar")}
      <span class="text">
        <span class="headline">${t}</span>
        <span class="supporting">${this.texts(`accounts.${o}`)}</span>
      </span>
      ${r?oe({label:this.texts("accounts.own",{name:t}),isOn:s,change:l=>this.setCalendar(e,l)}):c}
    </div>`}};L.styles=[$.styles,_`
      .text.refused .supporting {
        color: var(--error-color);
        -webkit-line-clamp: unset;
      }
      form {
        display: grid;
        gap: 12px;
      }
      form .item {
        padding-inline: 0;
      }
      fieldset {
        border: 1px solid var(--divider-color);
        border-radius: 8px;
        margin: 0;
        min-width: 0;
        padding: 8px 12px;
      }
      fieldset .row {
        align-items: flex-start;
      }
      fieldset .row > * {
        flex: 1 1 120px;
      }
    `],h([u()],L.prototype,"owned",2),h([u()],L.prototype,"flow",2),h([u()],L.prototype,"selector",2),h([u()],L.prototype,"isAdding",2),h([u()],L.prototype,"added",2),h([u()],L.prototype,"isSigningIn",2),h([u()],L.prototype,"provider",2),h([u()],L.prototype,"keepsSent",2),L=h([k("sage-accounts")],L);function js(n){return Object.fromEntries(Kt.map(([i])=>{let e=s=>n[`${i}.${s}`],t=Number(e("port"));return[i,{host:e("host"),port:t,security:e("security")}]}))}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Gt=(n,i,e)=>{let t=new Map;for(let s=i;s<=e;s++)t.set(n[s],s);return t},I=J(class extends j{constructor(n){if(super(n),n.type!==Mt.CHILD)throw Error("repeat() can only be used in text expressions")}dt(n,i,e){let t;e===void 0?e=i:i!==void 0&&(t=i);let s=[],r=[],o=0;for(let l of n)s[o]=t?t(l,o):o,r[o]=e(l,o),o++;return{values:r,keys:s}}render(n,i,e){return this.dt(n,i,e).values}update(n,[i,e,t]){let s=It(n),{values:r,keys:o}=this.dt(i,e,t);if(!Array.isArray(s))return this.ut=o,r;let l=this.ut??=[],d=[],p,f,m=0,b=s.length-1,w=0,A=r.length-1;for(;m<=b&&w<=A;)if(s[m]===null)m++;else if(s[b]===null)b--;else if(l[m]===o[w])d[w]=X(s[m],r[w]),m++,w++;else if(l[b]===o[A])d[A]=X(s[b],r[A]),b--,A--;else if(l[m]===o[A])d[A]=X(s[m],r[A]),he(n,d[A+1],s[m]),m++,A--;else if(l[b]===o[w])d[w]=X(s[b],r[w]),he(n,s[m],s[b]),b--,w++;else if(p===void 0&&(p=Gt(o,w,A),f=Gt(l,m,b)),p.has(l[m]))if(p.has(l[b])){let F=f.get(o[w]),je=F!==void 0?s[F]:null;if(je===null){let lt=he(n,s[m]);X(lt,r[w]),d[w]=lt}else d[w]=X(je,r[w]),he(n,s[m],je),s[F]=null;w++}else Ue(s[b]),b--;else Ue(s[m]),m++;for(;w<=A;){let F=he(n,d[A+1]);X(F,r[w]),d[w++]=F}for(;m<=b;){let F=s[m++];F!==null&&Ue(F)}return this.ut=o,He(n,d),H}});function Qt({thinking_content:n=""}){return n.replace(/^- /,"").replace(/\\(.)/g,"$1").trim()}var Is=3600;function Zt(n,{text:i,agent:e,conversation:t},s){let{components:r,language:o}=n.config;return o!==n.language||!r.includes("assist_pipeline")?n.callWS({type:"conversation/process",text:i,agent_id:e,language:n.language,conversation_id:t}):Vs(n,{type:"assist_pipeline/run",start_stage:"intent",end_stage:"intent",input:{text:i},pipeline:e,conversation_id:t,timeout:Is},s)}async function Vs({connection:n,localize:i},e,t){let s=()=>{},r;try{return await new Promise((o,l)=>{s=()=>l(new Error(i("ui.notification_toast.connection_lost"))),n.addEventListener("disconnected",s);let d=p=>{p.type==="intent-progress"?t(p.data.chat_log_delta??{}):p.type==="intent-end"?o(p.data.intent_output):p.type==="error"&&l(p.data)};r=n.subscribeMessage(d,e,{resubscribe:!1}),r.catch(l)})}finally{n.removeEventListener("disconnected",s),r?.then(o=>o()).catch(()=>{})}}var Ws="/config/integrations/integration/sage",Fs="/config/voice-assistants/expose",Ks="new",N=class extends ${constructor(){super(...arguments);this.sentences=[];this.assistants=null;this.isWithoutDevices=!1;this.answers=new Map;this.asked="";this.isNew=!1}async load(){let{sentences:e,assistants:t}=await y(this.hass,"start/get",{});if(this.sentences=e,this.assistants=t,!e.length){let{total:s}=await y(this.hass,"devices/list",{start:0,count:1});this.isWithoutDevices=s===0}}willUpdate(){this.isNew||=this.hasCommands===!1}watched(){}async say(e,t){this.asked=e;let s=r=>{this.answers=new Map(this.answers).set(e,r)};s(this.texts("card.working")),await this.guarded(async()=>{try{let r={text:e,agent:t,conversation:null},{response:o}=await Zt(this.hass,r,l=>{let d=Qt(l);d&&s(d)});s(o.speech.plain?.speech??"")}catch(r){throw s(""),r}}),this.asked="",this.dispatchEvent(new CustomEvent("answered"))}use(e){return this.act(async()=>(await y(this.hass,"start/use_in_assistant",{assistant:e}),this.texts("start.used")))}content(){let e=Ot(this.hass);return a`
      ${e?c:this.missing("no_agent","mdi:creation-outline",Ws)}
      ${this.isWithoutDevices?this.missing("no_devices","mdi:devices",Fs):c}
      ${this.offer()} ${e?this.proposals(e):c}
    `}proposals(e){if(!this.isNew||!this.sentences.length)return c;let t=this.sentences.map(({kind:s,device:r})=>this.texts(`start.say.${s}`,{device:r}));return a`
      <ha-card>
        <section aria-label=${this.texts("start.title")}>
          <div class="padded">
            <h2 class="unseen">${this.texts("start.title")}</h2>
            <p class="what">${this.texts("start.what")}</p>
          </div>
          <ul class="plain" aria-live="polite">
            ${t.map(s=>a`<li>
                  <button
                    class="item"
                    ?disabled=${this.asked!==""}
                    @click=${()=>this.say(s,e)}
                  >
                    ${x("mdi:message-text-outline")}<span class="text">${s}</span>
                  </button>
                  ${this.answers.get(s)?a`<p class="answer">${this.answers.get(s)}</p>`:c}
                  ${this.asked===s?a`<progress aria-label=${this.texts("card.working")}></progress>`:c}
                </li>`)}
          </ul>
        </section>
      </ha-card>
    `}missing(e,t,s){let r=l=>this.texts(`start.${e}${l}`),o=this.hass.user.is_admin;return a`<ha-card>
      <section class="item" aria-label=${r("")}>
        ${x(t)}
        <span class="text">
          <span class="headline">${r("")}</span>
          <span class="supporting"
            >${o?r("_info"):this.texts("start.ask_administrator")}</span
          >
        </span>
        ${o?v({label:r("_button"),look:"main",click:()=>Z(s)}):c}
      </section>
    </ha-card>`}offer(){if(!this.assistants)return c;let e=this.assistants.map(({id:t,name:s})=>({value:t,label:s}));return e.push({value:Ks,label:this.texts("start.new_assistant")}),a`
      <ha-card>
        <section class="padded" aria-label=${this.texts("start.assist")}>
          <h3 class="title">${this.texts("start.assist")}</h3>
          <p class="secondary">${this.texts("start.assist_info")}</p>
          ${S(a`${Y({name:"assistant",label:this.texts("start.assistant"),value:e[0].value,choices:e})}
            ${v({label:this.texts("start.use"),look:"main",type:"submit"})}`,({assistant:t})=>this.use(t))}
        </section>
      </ha-card>
    `}};N.styles=[$.styles,_`
      ha-card {
        margin-top: 16px;
      }
      .what {
        font-size: 16px;
        line-height: 24px;
      }
      .answer {
        margin: 0 0 8px;
        padding: 0 16px;
        white-space: pre-line;
      }
    `],h([P({attribute:!1})],N.prototype,"hasCommands",2),h([u()],N.prototype,"sentences",2),h([u()],N.prototype,"assistants",2),h([u()],N.prototype,"isWithoutDevices",2),h([u()],N.prototype,"answers",2),h([u()],N.prototype,"asked",2),N=h([k("sage-start")],N);var Yt={api_documentation:"mdi:book-open-variant",change_contacts:"mdi:account-edit",code_execution:"mdi:code-braces",condition_code_writing:"mdi:code-braces",condition_polling:"mdi:calendar-clock",create_calendar_event:"mdi:calendar-plus",create_email_draft:"mdi:email-edit-outline",device_disambiguation:"mdi:image-search-outline",device_interaction:"mdi:devices",device_interaction_planner:"mdi:clipboard-list-outline",email_and_calendar:"mdi:email-outline",execute_command:"mdi:gesture-tap",get_contacts:"mdi:account-search",get_message:"mdi:email-open-outline",get_thread:"mdi:email-open-outline",human_interaction:"mdi:comment-question-outline",list_calendar_events:"mdi:calendar",memory:"mdi:brain",personalization:"mdi:brain",read_attributes:"mdi:eye-outline",routines:"mdi:calendar-clock",search_email:"mdi:email-search-outline",send_message:"mdi:send-outline",search_tv_schedule:"mdi:television-guide",undo:"mdi:undo",weather:"mdi:weather-partly-cloudy"},Gs="mdi:creation-outline",Qs="mdi:wrench-outline",Jt=160;function st(n,{kind:i,name:e}){return i==="model"?n("activity.model"):e in Yt&&n(`activity.tool.${e}`)||e.replaceAll("_"," ")}function it({kind:n,name:i}){return n==="model"?Gs:Yt[i]??Qs}function nt(n,i,e,t=[]){return a`<ol class="timeline">
    ${i.map(s=>a`<li class=${s.error?"error":""}>
          ${x(it(s))}
          <div class="step">
            <span>${st(n,s)}</span>
            ${s.error?a`<span class="failed">${n("activity.error")}</span>`:c}
            ${Zs(s,t).map(r=>a`<p class="secondary">${r}</p>`)}
          </div>
          <span class="secondary"
            >${s.seconds||s.result?n("activity.seconds",{seconds:e(s.seconds)}):"…"}</span
          >
        </li>`)}
  </ol>`}function Zs({kind:n,name:i,result:e,error:t},s){if(n==="model"||t)return[];if(i==="execute_command")return s.filter(o=>e.includes(o.name)).map(({sentence:o})=>o);let[r=""]=e.trim().split(`
`);return r?[r.length>Jt?`${r.slice(0,Jt)}…`:r]:[]}var Xt=_`
  .timeline {
    list-style: none;
    margin: 8px 0;
    padding: 0;
  }
  .timeline li {
    display: flex;
    gap: 12px;
    padding-bottom: 16px;
    position: relative;
  }
  .timeline ha-icon {
    color: var(--secondary-text-color);
    flex: none;
    --mdc-icon-size: 20px;
    background: var(--card-background-color);
    height: 24px;
    position: relative;
    z-index: 1;
  }
  .timeline li.error ha-icon {
    color: var(--error-color);
  }
  .timeline li:not(:last-child)::before {
    border-inline-start: 2px solid var(--divider-color);
    bottom: 0;
    content: "";
    inset-inline-start: 9px;
    position: absolute;
    top: 0;
  }
  .timeline .step {
    flex: 1 1 auto;
    min-width: 0;
  }
  .timeline p {
    margin: 2px 0 0;
  }
`;function es(){return!!navigator.mediaDevices&&"MediaRecorder"in window}async function ts(){let n=await navigator.mediaDevices.getUserMedia({audio:!0}),i=new MediaRecorder(n,{audioBitsPerSecond:128e3}),e=[];i.addEventListener("dataavailable",({data:o})=>e.push(o));let t=new Promise(o=>i.addEventListener("stop",o));i.start();let s=()=>{i.state!=="inactive"&&i.stop(),n.getTracks().forEach(o=>o.stop())};return{end:async()=>(s(),await t,Js(await new Blob(e).arrayBuffer())),discard:s}}async function Js(n){let i=await new OfflineAudioContext(1,1,16e3).decodeAudioData(n),e=Array.from({length:i.numberOfChannels},(s,r)=>i.getChannelData(r)),t=new DataView(new ArrayBuffer(2*i.length));for(let s=0;s<i.length;s++){let r=e.reduce((l,d)=>l+d[s],0),o=Math.max(-1,Math.min(1,r/e.length));t.setInt16(2*s,Math.round(o*32767),!0)}return Xs(new Blob([Ys(t.byteLength),t.buffer]))}function Ys(n){let i=new DataView(new ArrayBuffer(44)),e=(t,s)=>[...s].forEach((r,o)=>i.setUint8(t+o,r.charCodeAt(0)));return e(0,"RIFF"),i.setUint32(4,36+n,!0),e(8,"WAVEfmt "),i.setUint32(16,16,!0),i.setUint16(20,1,!0),i.setUint16(22,1,!0),i.setUint32(24,16e3,!0),i.setUint32(28,2*16e3,!0),i.setUint16(32,2,!0),i.setUint16(34,16,!0),e(36,"data"),i.setUint32(40,n,!0),i.buffer}function Xs(n){let i=new FileReader;return new Promise((e,t)=>{i.onload=()=>e(i.result.split(",")[1]),i.onerror=()=>t(i.error),i.readAsDataURL(n)})}var qe=["voice.sentence_1","voice.sentence_2","voice.sentence_3"],ss=12,Q=class extends ${constructor(){super(...arguments);this.recorded=0;this.isBusy=!1;this.clockTimer=0}async load(){this.overview=await y(this.hass,"voice/overview",{})}get isEditing(){return this.isBusy||this.seconds!==void 0}disconnectedCallback(){super.disconnectedCallback(),this.takeRecording()?.discard()}async begin(){this.isBusy=!0,await this.guarded(async()=>{let e=await this.heard(ts());if(!this.isConnected){e.discard();return}this.recording=e,this.seconds=0,this.clockTimer=window.setInterval(()=>this.tick(),1e3)}),this.isBusy=!1}async heard(e){try{return await e}catch(t){let{name:s,message:r}=t;throw new Error(s==="NotAllowedError"?this.texts("voice.refused"):this.texts("voice.no_microphone",{error:r||s}),{cause:t})}}tick(){this.seconds+=1,this.seconds>=ss&&this.end()}takeRecording(){let{recording:e}=this;return window.clearInterval(this.clockTimer),this.recording=void 0,this.seconds=void 0,e}async end(){let e=this.takeRecording();e&&(this.isBusy=!0,await this.act(async()=>{let t=await this.heard(e.end()),{similarity:s}=await y(this.hass,"voice/enroll",{audio:t});this.recorded+=1;let r=this.recorded%qe.length===0;return this.result(s)+(r?` ${this.texts("voice.complete")}`:"")}),this.isBusy=!1)}claim(e){return this.act(async()=>{let{similarity:t}=await y(this.hass,"voice/claim",{id:e});return this.result(t)})}result(e){let{threshold:t}=this.overview;return e===null?this.texts("voice.first"):this.texts(e>=t?"voice.alike":"voice.unlike",{similarity:this.number(e,2),threshold:this.number(t,2)})}async delete(e,t){await this.agrees(e)&&await this.act(async()=>(await y(this.hass,"voice/delete",t===void 0?{}:{id:t}),this.texts(t===void 0?"voice.deleted_all":"voice.deleted")))}content(){let{overview:e}=this;return e?.enabled?a`
      <section aria-labelledby="voice">
        <h2 id="voice">${this.texts("voice.title")}</h2>
        <ha-card>
          <div class="padded">
            <p class="secondary">${this.texts("voice.info")}</p>
            ${this.microphone()}
          </div>
          ${this.satellites(e)} ${this.samples(e)}
        </ha-card>
      </section>
    `:c}microphone(){if(!es())return a`<p>
        ${this.texts(window.isSecureContext?"voice.cannot_record":"voice.not_secure")}
      </p>`;let e=this.recorded%qe.length,t=this.seconds!==void 0;return a`
      <h3>${this.texts("voice.read",{number:e+1,count:qe.length})}</h3>
      <p class="sentence">${this.texts(qe[e])}</p>
      ${t?a`<progress
                aria-label=${this.texts("voice.recording")}
                max=${ss}
                .value=${this.seconds}
              ></progress>
              <p class="secondary">
                ${this.texts("voice.recording")}
                ${this.texts("activity.seconds",{seconds:this.number(this.seconds)})}
              </p>`:c}
      <div class="row">
        ${v({label:this.texts(t?"voice.done":"voice.record"),icon:t?"mdi:stop":"mdi:microphone",look:"main",disabled:this.isBusy,click:()=>t?this.end():this.begin()})}
        ${t?v({label:this.texts("cancel"),click:()=>this.takeRecording()?.discard()}):c}
      </div>
    `}satellites({sentences:e}){return a`
      <div class="padded">
        <h3>${this.texts("voice.sentences")}</h3>
        <p class="secondary">
          ${this.texts(e.length?"voice.sentences_info":"voice.sentences_none")}
        </p>
      </div>
      <ul class="plain list" id="sentences">
        ${e.map(({id:t,at:s,satellite:r})=>{let o=r??this.texts("voice.satellite");return a`<li>
            <div class="item">
              ${x("mdi:account-voice")}
              <span class="text">
                <span class="headline">${o}</span>
                <span class="supporting">${this.ago(s)}</span>
              </span>
              ${v({label:this.texts("voice.claim"),name:`${this.texts("voice.claim")}: ${o}, ${this.ago(s)}`,click:()=>this.claim(t)})}
            </div>
          </li>`})}
      </ul>
    `}samples({vectors:e}){return a`
      <div class="padded">
        <h3>${this.texts("voice.samples")}</h3>
        ${e.length?c:a`<p class="secondary">${this.texts("voice.none")}</p>`}
      </div>
      <ul class="plain list" id="samples">
        ${e.map(({id:t,at:s})=>{let r=this.dateTime(s);return a`<li>
            <div class="item"><span class="text">${r}</span></div>
            ${C("mdi:delete-outline",this.texts("voice.delete",{when:r}),()=>this.delete(this.texts("voice.delete_ask",{when:r}),t))}
          </li>`})}
      </ul>
      ${e.length?a`<div class="more">
              ${v({label:this.texts("voice.delete_all"),look:"danger",click:()=>this.delete(this.texts("voice.delete_all_ask"))})}
            </div>`:c}
    `}};Q.styles=[$.styles,_`
      .sentence {
        font-size: 16px;
        line-height: 24px;
      }
      .more {
        border-top: 1px solid var(--divider-color);
        justify-content: flex-end;
      }
    `],h([u()],Q.prototype,"overview",2),h([u()],Q.prototype,"recorded",2),h([u()],Q.prototype,"seconds",2),h([u()],Q.prototype,"isBusy",2),Q=h([k("sage-voice")],Q);function is(n,i,e){let{scores:t,threshold:s,margin:r,recognized:o,reported:l,missing:d}=i,[p,f]=t,m=[];if(l&&m.push(n("voice.reported")),d)m.push(n(`voice.missing.${d}`));else if(p!==void 0){let b={similarity:e(p),threshold:e(s)};m.push(n("voice.best",b)),f!==void 0&&m.push(n("voice.second",{similarity:e(f),margin:e(r)}))}else l||m.push(n("voice.no_samples"));return[...m,n(o?"voice.recognized":"voice.not_recognized")]}var rt=50,ei=500,ti=500,z=class extends ${constructor(){super(...arguments);this.hasMore=!1;this.questions=new Map;this.live=new Map;this.reload=0}watched(e){this.live=new Map(this.live).set(e.id,e),window.clearTimeout(this.reload),this.reload=window.setTimeout(this.refresh,e.is_over?0:ti)}async load(){let e=Math.min(ei,Math.max(rt,this.commands?.length??0)),t=await y(this.hass,"activity/list",{count:e});this.commands=t.commands,this.hasMore=t.has_more;let s=new Set(t.commands.map(({id:o})=>o)),r=[...this.live].filter(([o,{is_over:l}])=>!l&&!s.has(o));this.live=new Map(r)}async more(){let e=this.commands?.at(-1),t=e?.is_waiting?void 0:e?.id;if(t){let s=await y(this.hass,"activity/list",{count:rt,before:t});this.commands=[...this.commands??[],...s.commands],this.hasMore=s.has_more}}open({id:e}){return this.opened=e,this.trace=void 0,this.guarded(async()=>{let t=await y(this.hass,"activity/trace",{id:e});this.trace=this.opened===e?t:this.trace})}undo(e,t){return this.act(async()=>{let s={id:e.id,language:this.hass.language},r=await y(this.hass,"activity/undo",t?{...s,agreed:t}:s);return this.setQuestion(e,r.question),r.question&&!this.opened&&this.open(e),r.done??""})}setQuestion({id:e},t){this.questions=new Map(this.questions),t?this.questions.set(e,t):this.questions.delete(e)}openHousehold(e){if(!(!e||this.household))return this.guarded(async()=>{this.household=(await y(this.hass,"activity/household",{count:rt})).commands})}content(){return a`
      <sage-start
        .hass=${this.hass}
        .texts=${this.texts}
        .parts=${this.parts}
        .hasCommands=${this.commands&&this.commands.length>0}
        @answered=${()=>this.act(async()=>{})}
      ></sage-start>
      ${this.list()} ${this.hass.user.is_admin?this.ofHousehold():c}
    `}list(){if(!this.commands)return c;let e=new Set(this.commands.map(({id:r})=>r)),t=[...this.live.values()].filter(({id:r,is_over:o})=>!o&&!e.has(r));if(!this.commands.length&&!t.length)return a`<div class="empty">${x("mdi:history")}${this.texts("activity.none")}</div>`;let s=new Map;for(let r of this.commands){let o=this.dayOf(r.at);s.set(o,[...s.get(o)??[],r])}return a`
      <div id="live" aria-live="polite">
        ${t.length?a`<h2>${this.texts("activity.live")}</h2>
                ${t.map(r=>a`<ha-card>${this.running(r)}</ha-card>`)}`:c}
      </div>
      <div id="commands">
        ${I(s,([r])=>r,([r,o])=>a`<section aria-label=${r}>
              <h2>${r}</h2>
              <ha-card>
                <ul class="plain list">
                  ${I(o,({id:l})=>l,l=>this.line(l))}
                </ul>
              </ha-card>
            </section>`)}
      </div>
      ${this.hasMore?a`<div class="more">
              ${v({label:this.texts("more"),click:()=>this.guarded(()=>this.more())})}
            </div>`:c}
    `}running({command:e,root:t}){return a`
      <div class="item">
        ${de()}
        <span class="text"><span class="headline">${e}</span></span>
      </div>
      <div class="padded">
        ${nt(this.texts,t.children,s=>this.number(s,1))}
      </div>
    `}line(e){let t=[e.is_undone?"undone":"",e.is_waiting?"waiting":""],s=a`
      ${this.icon(e)}
      <span class="text">
        <span class="headline">${this.words(e)}</span>
        <span class="supporting">${e.answer}</span>
        ${this.badges(e)}
      </span>
      <time datetime=${e.at} title=${this.dateTime(e.at)}>${this.ago(e.at)}</time>
    `;return a`<li class=${t.join(" ")}>
      ${e.is_waiting?a`<div class="item">${s}</div>`:a`<button class="item" aria-haspopup="dialog" @click=${()=>this.open(e)}>
              ${s}
            </button>`}
      ${e.can_undo?C("mdi:undo",this.texts("activity.undo"),()=>this.undo(e)):c}
    </li>`}words({command:e}){return e||this.texts("activity.forgotten")}icon({outcomes:e,kind:t,is_waiting:s,routine_id:r}){if(s)return x("mdi:comment-question-outline");let o=e.find(d=>d.kind!=="refused"&&d.kind!=="failed"),l=o?.component&&this.hass.states[o.component];return l&&customElements.get("ha-state-icon")?a`<ha-state-icon
        aria-hidden="true"
        .hass=${this.hass}
        .stateObj=${l}
      ></ha-state-icon>`:o?x("mdi:devices"):e.length?x("mdi:hand-back-left-off-outline"):t==="failure"?x("mdi:alert-circle-outline"):x(r?"mdi:calendar-clock":"mdi:message-text-outline")}badges({routine:e,is_undone:t,is_waiting:s}){let r=[s?a`<span class="badge warning">${this.texts("activity.waiting")}</span>`:"",t?a`<span class="badge">${this.texts("activity.undone")}</span>`:"",e?a`<span class="badge">${this.texts("activity.routine",{when:e})}</span>`:""].filter(Boolean);return r.length?a`<span class="row badges">${r}</span>`:c}ofHousehold(){return a`<ha-card>
      ${R({id:"household",header:this.texts("activity.household"),icon:"mdi:home-automation",toggle:e=>this.openHousehold(e),content:()=>a`
          ${this.household?.length===0?a`<p class="empty">${this.texts("activity.household_none")}</p>`:c}
          <ul class="plain list">
            ${this.household?.map(e=>a`<li>
                  <div class="item">
                    <span class="text">
                      ${e.outcomes.map(({name:t,kind:s})=>a`<span class="headline"
                            >${t}: ${this.texts(`activity.outcome.${s}`)}</span
                          >`)}
                      <span class="supporting">${this.summary(e)}</span>
                    </span>
                    <time datetime=${e.at}>${this.dateTime(e.at)}</time>
                  </div>
                </li>`)}
          </ul>
        `})}
    </ha-card>`}sheet(){let e=this.commands?.find(({id:s})=>s===this.opened);if(!e)return;let t=a`
      <p class="facts">
        <time datetime=${e.at}>${this.dateTime(e.at)}</time>
        ${e.routine||e.routine_id?this.routine(e):c}
        ${e.is_undone?a`<span class="badge">${this.texts("activity.undone")}</span>`:c}
      </p>
      <p class="said">${e.answer}</p>
      ${this.undoing(e)} ${this.trace?this.told(e,this.trace):c}
    `;return{title:this.words(e),content:t,closed:()=>{this.opened=void 0,this.setQuestion(e,null)}}}undoing(e){let t=this.questions.get(e.id);return t?a`<div role="group" aria-label=${t}>
        <p>${t}</p>
        <div class="row">
          ${v({label:this.texts("yes"),look:"main",click:()=>this.undo(e,t)})}
          ${v({label:this.texts("no"),click:()=>this.setQuestion(e,null)})}
        </div>
      </div>`:e.can_undo?v({label:this.texts("activity.undo"),icon:"mdi:undo",look:"outlined",click:()=>this.undo(e)}):c}routine({routine:e,routine_id:t}){let s=this.texts("activity.routine",{when:e});return t?a`<a href="/sage/routines/${t}" @click=${Le}>${s}</a>`:a`${s}`}told(e,t){return a`
      ${this.why(t)} ${this.changes(e,t)}
      ${t.seen?.length?a`<h3>${this.texts("activity.also")}</h3>
              <ul>
                ${t.seen.map(s=>a`<li>${s}</li>`)}
              </ul>`:c}
      ${t.voice?a`<h3>${this.texts("voice.why")}</h3>
              <ul>
                ${is(this.texts,t.voice,s=>this.number(s,2)).map(s=>a`<li>${s}</li>`)}
              </ul>`:c}
      <h3>${this.texts("activity.steps")}</h3>
      ${t.root.children.length?nt(this.texts,t.root.children,s=>this.number(s,1),t.outcomes):a`<p class="secondary">${this.texts("activity.no_steps")}</p>`}
      ${R({header:this.texts("activity.technical"),content:()=>this.technical(t)})}
    `}why(e){let t=e.outcomes.filter(({kind:s})=>s==="refused"||s==="failed");return!e.confirmations.length&&!t.length?c:a`
      <h3>${this.texts("activity.why")}</h3>
      <ul>
        ${e.confirmations.map(({question:s,risks:r,result:o})=>a`<li>
              ${this.texts("activity.asked",{question:s})}
              ${r.map(l=>a`<br />${this.texts(`activity.risk.${l}`)}`)}
              <br />${this.texts(`activity.reply.${o}`)}
            </li>`)}
        ${t.map(({sentence:s})=>a`<li>${s}</li>`)}
      </ul>
    `}changes(e,t){let s=t.outcomes.filter(({kind:r})=>r!=="refused"&&r!=="failed");return a`
      <h3>${this.texts("activity.changes")}</h3>
      ${e.is_undone?a`<p>${this.texts("activity.undone_changes")}</p>`:c}
      ${s.length?a`<ul>
              ${s.map(({sentence:r})=>a`<li>${r}</li>`)}
            </ul>`:a`<p class="secondary">${this.texts("activity.no_changes")}</p>`}
    `}technical(e){let t=e.outcomes.filter(({after:s})=>Object.keys(s).length);return a`
      <p class="secondary">${this.summary(e)}</p>
      <p class="secondary">
        ${this.texts("activity.costs",{seconds:this.number(e.seconds,1),model_seconds:this.number(e.model_seconds,1)})}
        ${e.reads?this.texts.counted("activity.reads",e.reads):this.texts("activity.reads_none")}
        ${this.usage(e.usage)}
      </p>
      ${t.length?a`<h3>${this.texts("activity.values")}</h3>
              <ul>
                ${t.map(({name:s,before:r,after:o})=>a`<li>${s}: ${si(r,o)}</li>`)}
              </ul>`:c}
      <ul class="plain steps">
        ${e.root.children.map(s=>this.step(s))}
      </ul>
    `}summary(e){let{prompt_tokens:t,completion_tokens:s}=e.usage;return this.texts("activity.summary",{seconds:this.number(e.seconds,1),calls:this.texts.counted("activity.calls",e.model_calls),tokens:this.tokens(e.usage,t+s)})}step(e){let t=[this.texts("activity.seconds",{seconds:this.number(e.seconds,1)})];e.usage&&t.push(this.usage(e.usage));let s=e.kind==="model"?st(this.texts,e):e.name,r=Object.keys(e.arguments).length>0;return a`<li>
      ${R({header:e.error?`${s} (${this.texts("activity.error")})`:s,secondary:t.join(" · "),icon:it(e),content:()=>a`
          ${r?a`<pre>${JSON.stringify(e.arguments,null,2)}</pre>`:c}
          ${e.children.length?a`<ul class="plain steps">
                  ${e.children.map(o=>this.step(o))}
                </ul>`:c}
          ${e.result?a`<p class="secondary">${this.texts("activity.seen")}</p>
                  <pre>${e.result}</pre>`:c}
        `})}
    </li>`}usage(e){return this.texts("activity.tokens",{prompt:this.tokens(e,e.prompt_tokens),cached:this.tokens(e,e.cached_tokens),written:this.tokens(e,e.completion_tokens)})}tokens(e,t){let s=this.number(t);return e.is_estimated?this.texts("activity.about",{number:s}):s}};z.styles=[$.styles,Xt,_`
      li.waiting {
        background: color-mix(in srgb, var(--warning-color) 12%, var(--card-background-color));
      }
      .undone .headline {
        text-decoration: line-through;
      }
      .facts {
        color: var(--secondary-text-color);
        display: flex;
        flex-wrap: wrap;
        gap: 4px 8px;
      }
      .said {
        font-size: 16px;
        line-height: 24px;
        margin: 12px 0;
        white-space: pre-line;
      }
      .steps details {
        border-inline-start: 2px solid var(--divider-color);
        padding-inline-start: 12px;
      }
    `],h([u()],z.prototype,"commands",2),h([u()],z.prototype,"hasMore",2),h([u()],z.prototype,"household",2),h([u()],z.prototype,"opened",2),h([u()],z.prototype,"trace",2),h([u()],z.prototype,"questions",2),h([u()],z.prototype,"live",2),z=h([k("sage-activity")],z);function si(n,i){return Object.keys(i).map(e=>`${e}: ${ns(n[e])} → ${ns(i[e])}`).join(", ")}function ns(n){return typeof n=="string"?n:JSON.stringify(n)??"–"}/**
 * @license
 * Copyright 2018 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var ii={},rs=J(class extends j{constructor(){super(...arguments),this.ot=ii}render(n,i){return i()}update(n,[i,e]){if(Array.isArray(i)){if(Array.isArray(this.ot)&&this.ot.length===i.length&&i.every((t,s)=>t===this.ot[s]))return H}else if(this.ot===i)return H;return this.ot=Array.isArray(i)?Array.from(i):i,this.render(i,e)}});var ni="/config/voice-assistants/expose",os=["free","ask","never"],as=50,ls=250,ri="image/jpeg,image/png,image/webp",M=class extends ${constructor(){super(...arguments);this.search=""}async load(){let e=await y(this.hass,"devices/list",{start:0,count:as});this.exposed=e.exposed,this.entities=e.entities,this.devices??=e.devices;let t=[...e.devices];for(let r=as;r<e.total;r+=ls){let o=await y(this.hass,"devices/list",{start:r,count:ls});t.push(...o.devices)}this.devices=t;let s=this.known(t.flatMap(r=>r.kinds));this.titles=await this.hass.loadBackendTranslation("title",s)}known(e){return[...new Set(e)].filter(t=>this.hass.config.components.includes(t))}kind(e){return this.titles?.(`component.${e}.title`)||e.replace(/(?<=[a-z])(?=[A-Z])/g," ").replaceAll("_"," ")}type({id:e,summary:t,capability:s}){let r=this.hass.states[e];if(!r)return t||this.kind(s);let[o]=e.split("."),l=`component.${o}.entity_component.${r.attributes.device_class}.name`;return this.hass.localize(l)||this.kind(o)}open(e){return this.opened=e,this.whole=void 0,this.guarded(()=>this.read(e.id))}async read(e){let{language:t}=this.hass,s=await y(this.hass,"devices/get",{device:e,language:t}),r=s.components.flatMap(o=>o.commands.map(l=>cs(l,o)[0]));this.actions=await this.hass.loadBackendTranslation("services",this.known(r)),this.opened?.id===e&&(this.whole=s),this.devices=this.devices?.map(o=>o.id===e?{...o,photos:s.photos,level:s.level}:o)}get isEditing(){return this.opened!==void 0||this.chosen!==void 0}change(e,t){return this.guarded(async()=>{let s=await t();return await this.read(e),s})}choose(e){let t=new Set(this.chosen);t.delete(e)||t.add(e),this.chosen=t}setLevels({level:e}){let t=this.devices.filter(({id:s})=>this.chosen.has(s));return this.act(async()=>{for(let s of t.flatMap(r=>r.entities.slice(0,r.controls)))await y(this.hass,"devices/set_risk",{entity_id:s,level:e||null});return this.chosen=void 0,this.texts("devices.level_saved")})}upload(e,t){let s=e.target,r=s.files?.[0];return s.value="",r?this.change(t,async()=>{let o=new FormData;o.append("file",r);let l=await this.hass.fetchWithAuth("/api/file_upload",{method:"POST",body:o});if(!l.ok)throw new Error(this.texts("devices.not_uploaded",{status:l.status}));let{file_id:d}=await l.json();return await y(this.hass,"devices/add_photo",{device:t,upload:d}),this.texts("devices.photo_added")}):Promise.resolve()}setCaption(e,t,s){return this.change(t,async()=>(await O(this.hass,"set_photo_caption",{photo:s,caption:e}),this.texts("devices.caption_saved")))}async writeCaption(e,t,s){let r=e.currentTarget.closest("form"),o=this.texts("devices.write_caption_question",{model:s});await this.agrees(o,this.texts("devices.write_caption"))&&await this.guarded(async()=>{let{language:l}=this.hass,{caption:d}=await y(this.hass,"devices/write_caption",{photo:t,language:l});return r.querySelector("[name=caption]").value=d,this.texts("devices.caption_written")})}async deletePhoto(e,t){await this.agrees(this.texts("devices.delete_photo_question"))&&await this.change(e,async()=>(await O(this.hass,"delete_photo",{photo:t}),this.texts("devices.photo_deleted")))}setRisk(e,t,s){let r=e||null;return this.change(t,async()=>(await y(this.hass,"devices/set_risk",{entity_id:s,level:r}),this.texts("devices.level_saved")))}content(){return a`
      <div class="bar">
        ${T({name:"search",type:"search",label:this.texts("devices.search"),value:this.search,input:e=>{this.search=e}})}
        ${this.hass.user.is_admin?C(this.chosen?"mdi:close":"mdi:checkbox-multiple-marked-outline",this.texts(this.chosen?"cancel":"devices.choose"),()=>{this.chosen=this.chosen?void 0:new Set}):c}
      </div>
      ${this.list()} ${this.exposure()} ${this.levels()}
    `}exposure(){return this.devices?this.exposed===void 0?a`<p class="empty">${this.texts("devices.ask_administrator")}</p>`:a`<p class="empty">
      ${this.texts("devices.exposed",{exposed:this.exposed,entities:this.entities??0})}
      <br />
      ${v({label:this.texts("devices.expose"),icon:"mdi:plus",click:()=>Z(ni)})}
    </p>`:c}levels(){if(!this.chosen)return c;let e=[{value:"",label:this.texts("devices.automatic")},...os.map(t=>({value:t,label:this.levelText(t)}))];return a`<section class="chosen" aria-label=${this.texts("devices.choose")}>
      ${S(a`<span class="grow" role="status"
            >${this.texts("devices.chosen",{count:this.number(this.chosen.size)})}</span
          >
          ${Y({name:"level",label:this.texts("devices.risk"),value:"free",choices:e})}
          ${v({label:this.texts("save"),look:"main",type:"submit",disabled:!this.chosen.size})}`,t=>this.setLevels(t))}
    </section>`}list(){if(!this.devices)return c;let{language:e}=this.hass,t=this.search.toLocaleLowerCase(e).split(/\s+/).filter(Boolean),s=this.devices.filter(({name:o,area:l,kinds:d})=>{if(!t.length)return!0;let p=d.map(m=>this.kind(m)),f=[o,l,...d,...p].join(" ").toLocaleLowerCase(e);return t.every(m=>f.includes(m))});if(!s.length)return a`<p class="empty">
        ${x("mdi:devices")}
        ${this.texts(this.devices.length?"devices.none_found":"devices.none")}
      </p>`;let r=new Map;for(let o of s){let l=o.area??"";r.set(l,r.get(l)??[]),r.get(l).push(o)}return a`${I(r,([o])=>o,([o,l])=>{let d=o||this.texts("devices.no_area");return a`<section aria-label=${d}>
          <h2>${d}</h2>
          <ha-card>
            <ul class="plain list">
              ${I(l,({id:p})=>p,p=>this.line(p))}
            </ul>
          </ha-card>
        </section>`})}`}line(e){let t=this.hass.states[e.entities[0]??""],s=this.chosen?.has(e.id),r=[e,t,s,this.parts,this.titles,this.narrow];return a`<li class="device">
      ${rs(r,()=>this.drawnLine(e,t,s))}
    </li>`}drawnLine(e,t,s){let r=[...e.kinds.map(o=>this.kind(o)),e.photos?this.texts("devices.photos",{count:e.photos}):""];return a`
      ${s===void 0?c:a`<input
              type="checkbox"
              aria-label=${e.name}
              .checked=${s}
              ?disabled=${!e.controls}
              @change=${()=>this.choose(e.id)}
            />`}
      <button class="item" aria-haspopup="dialog" @click=${()=>this.open(e)}>
        ${t&&customElements.get("ha-state-icon")?a`<ha-state-icon
                aria-hidden="true"
                .hass=${this.hass}
                .stateObj=${t}
              ></ha-state-icon>`:x("mdi:devices")}
        <span class="text">
          <span class="headline">${e.name}</span>
          <span class="supporting">${r.filter(Boolean).join(" · ")}</span>
        </span>
        ${e.level==="ask"||e.level==="never"?a`<span class="badge ${e.level==="ask"?"warning":"error"}"
                >${this.levelText(e.level)}</span
              >`:c}
        ${t?a`<span class="meta">${this.hass.formatEntityState(t)}</span>`:c}
      </button>
    `}levelText(e){return this.texts(`devices.level.${e}`)}sheet(){let{opened:e,whole:t}=this;if(!e)return;let s=()=>{this.opened=void 0,this.whole=void 0};return{title:e.name,content:t?this.details(t):a``,closed:s}}details(e){let t=[e.area,e.model,...e.aliases].filter(Boolean).join(" · ");return a`
      ${t?a`<p class="secondary">${t}</p>`:c} ${this.photos(e)}
      ${e.components.map(s=>this.component(e.id,s))}
      ${e.more?a`<p class="secondary">${this.texts("devices.more",{count:e.more})}</p>`:c}
    `}photos(e){let t=this.hass.user.is_admin;return!e.pictures.length&&!t?c:a`
      <div class="photos">
        ${e.pictures.map(s=>this.photo(e,s,t))}
      </div>
      ${t&&e.pictures.length<e.most_photos?this.adding(e):c}
    `}photo(e,t,s){let r=t.entity_id??"",o=this.hass.states[r]?.attributes.entity_picture,l=a`<img
      loading="lazy"
      src=${E(typeof o=="string"?o:void 0)}
      alt=${t.caption||this.texts("devices.photo_of",{name:e.name})}
    />`;return s?a`<figure>
      ${l}
      ${S(a`${T({name:"caption",label:this.texts("devices.caption"),value:t.caption,maxlength:200})}
        ${v({label:this.texts("save"),type:"submit"})}
        ${e.caption_model?v({label:this.texts("devices.write_caption"),click:d=>this.writeCaption(d,r,e.caption_model)}):c}
        ${v({label:this.texts("delete"),look:"danger",click:()=>this.deletePhoto(e.id,r)})}`,({caption:d})=>this.setCaption(d,e.id,r))}
    </figure>`:a`<figure>
        ${l}
        <figcaption>${t.caption}</figcaption>
      </figure>`}adding({id:e,photo_destination:t}){let s=(o,l)=>a`<input
        type="file"
        accept=${ri}
        capture=${E(l)}
        aria-label=${o}
        @change=${d=>this.upload(d,e)}
      />`;return a`
      <div class="row">
        ${[["take_photo","mdi:camera","environment"],["upload_photo","mdi:upload",void 0]].map(([o,l,d])=>{let p=this.texts(`devices.${o}`);return a`<span>
            ${v({label:p,icon:l,look:"outlined",click:f=>f.currentTarget.parentElement.querySelector("input").click()})}
            ${s(p,d)}
          </span>`})}
      </div>
      <p class="secondary">${this.texts("devices.photo_use")} ${t}</p>
    `}component(e,t){let s=this.hass.states[t.id],r=t.available?s&&this.hass.formatEntityState(s):this.texts("devices.unavailable");return a`
      <section class="component" aria-label=${t.name}>
        <h3>${t.name}<span class="value">${r}</span></h3>
        ${t.risk?this.risk(e,t,t.risk):c}
        ${t.notes.map(o=>a`<p class="secondary">${o}</p>`)}
        ${R({header:this.texts("devices.abilities"),secondary:this.type(t),content:()=>this.abilities(t)})}
      </section>
    `}abilities(e){return a`
      <p class="secondary"><code>${e.id}</code></p>
      ${e.attributes.length?this.table(e):c}
      ${e.commands.length?a`<p>${this.texts("devices.commands")}</p>
              <ul>
                ${e.commands.map(t=>a`<li>
                      <code>${t.name}</code>
                      ${t.arguments.length?a`(${t.arguments.map(oi).join(", ")})`:c}
                      <span class="secondary">${this.description(t,e)}</span>
                    </li>`)}
              </ul>`:a`<p class="secondary">${this.texts("devices.read_only")}</p>`}
    `}description(e,t){let[s,r]=cs(e,t);return this.actions?.(`component.${s}.services.${r}.description`)||e.description}table({id:e,attributes:t}){return a`
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">${this.texts("devices.attribute")}</th>
              <th scope="col">${this.texts("devices.value")}</th>
              <th scope="col">${this.texts("devices.possible")}</th>
            </tr>
          </thead>
          <tbody>
            ${t.map(s=>a`<tr>
                  <th scope="row"><code>${s.name}</code></th>
                  <td>${this.value(e,s)}</td>
                  <td class="secondary">
                    ${ds(s,r=>this.worded(e,s.name,r))}
                  </td>
                </tr>`)}
          </tbody>
        </table>
      </div>
    `}value(e,{name:t,value:s,meaning:r,unit:o}){return s==null?"–":typeof s=="string"&&!o&&this.hass.states[e]?this.worded(e,t,s):[typeof s=="string"?s:JSON.stringify(s),o,r?`(${r})`:""].filter(Boolean).join(" ")}worded(e,t,s){let r=this.hass.states[e];return r?t==="state"?this.hass.formatEntityState(r,s):this.hass.formatEntityAttributeValue(r,t,s):s}risk(e,t,s){let o=[{value:"",label:this.texts("devices.level_auto",{level:this.levelText(s.automatic)})},...os.map(l=>({value:l,label:l==="free"?this.texts("devices.free_for_all"):this.levelText(l)}))];return a`
      ${Y({label:this.texts("devices.risk"),value:s.choice??"",choices:o,change:l=>this.setRisk(l,e,t.id)})}
      <p class="secondary">
        ${this.texts(`devices.by.${s.by}`)}
        ${s.risk?this.danger(t.id,s.risk):c} ${s.reason}
      </p>
    `}danger(e,t){let[s]=e.split(".");return t==="open"&&(s==="cover"||s==="valve")?this.texts(`devices.opens.${s}`):this.texts(`activity.risk.${t}`)}};M.styles=[$.styles,_`
      .bar {
        display: flex;
        gap: 8px;
        padding: 12px 0 0;
      }
      :host([narrow]) .bar {
        padding: 8px 12px 0;
      }
      li.device {
        /* The browser lays out only the devices in sight. */
        contain-intrinsic-size: auto 56px;
        content-visibility: auto;
      }
      li.device input {
        flex: none;
        height: 20px;
        margin-inline-start: 16px;
        width: 20px;
      }
      .chosen {
        background: var(--card-background-color);
        border: 1px solid var(--divider-color);
        border-radius: var(--ha-card-border-radius, 12px);
        bottom: 12px;
        box-shadow: 0 2px 8px rgb(0 0 0 / 25%);
        padding: 12px 16px;
        position: sticky;
        z-index: 2;
      }
      :host([narrow]) .chosen {
        bottom: 64px;
      }
      img {
        border-radius: 8px;
        display: block;
        max-width: 100%;
        object-fit: cover;
        width: 100%;
      }
      figure {
        margin: 0 0 12px;
      }
      table {
        border-collapse: collapse;
        width: 100%;
      }
      th,
      td {
        border-bottom: 1px solid var(--divider-color);
        font-weight: 400;
        padding: 4px 8px 4px 0;
        text-align: start;
        vertical-align: top;
      }
      .scroll {
        overflow-x: auto;
      }
      input[type="file"] {
        display: none;
      }
      .component + .component {
        border-top: 1px solid var(--divider-color);
        margin-top: 16px;
      }
      .value {
        float: inline-end;
      }
    `],h([u()],M.prototype,"devices",2),h([u()],M.prototype,"exposed",2),h([u()],M.prototype,"entities",2),h([u()],M.prototype,"search",2),h([u()],M.prototype,"titles",2),h([u()],M.prototype,"actions",2),h([u()],M.prototype,"opened",2),h([u()],M.prototype,"whole",2),h([u()],M.prototype,"chosen",2),M=h([k("sage-devices")],M);function cs({name:n},{capability:i}){let[e,t]=n.split(".");return t?[e,t]:[i,n]}function ds(n,i=e=>e){if(n.values.length)return n.values.map(i).join(", ");let e=[n.minimum,n.maximum].map(t=>t??"");return e.some(t=>t!=="")?e.join(" – "):""}function oi(n){let i=ds(n);return`${n.name}${n.required?"":"?"}${i?`: ${i}`:""}`}var ai=250,li=50,V=class extends ${constructor(){super(...arguments);this.pages={};this.search="";this.typing=0}async load(){let{search:e}=this,[t,s,r]=await Promise.all([y(this.hass,"memory/overview",{}),this.page("told"),this.page("said")]);e===this.search&&(this.overview=t,this.found=e?s.found+r.found:void 0,this.pages={told:s,said:r},this.edited=void 0)}get isEditing(){let e=!!this.shadowRoot?.activeElement?.closest("form");return this.edited!==void 0||e}page(e,t){return y(this.hass,"memory/list",{group:e,count:li,...t===void 0?{}:{before:t},...this.search?{search:this.search}:{}})}async more(e){let t=this.pages[e].memories,s=await this.page(e,t.at(-1).id);this.pages={...this.pages,[e]:{...s,memories:[...t,...s.memories]}}}find(e){this.search=e.trim(),window.clearTimeout(this.typing),this.typing=window.setTimeout(()=>this.act(async()=>{}),ai)}remember({text:e},t){return this.act(async()=>(await O(this.hass,"remember",{text:e}),Ut(t),this.texts("memory.remembered")))}correct(e,t){return this.act(async()=>(await O(this.hass,"correct_memory",{id:e,text:t}),this.texts("memory.corrected")))}async forget(e,t){await this.agrees(`${t} ${this.texts("memory.forget_log")}`)&&await this.act(async()=>{let{forgotten:s}=await O(this.hass,"forget",e);return s?this.texts.counted("memory.forgotten",s):this.texts("memory.forgotten_none")})}forgetTopic({topic:e}){return this.forget({topic:e},this.texts("memory.forget_topic_ask",{topic:e}))}forgetDays({first:e,last:t}){let s=e,r=t||s;return this.forget({first_day:s,last_day:r},this.texts("memory.forget_days_ask",{first:this.day(s),last:this.day(r)}))}forgetDay(e){return this.forget({first_day:e},this.texts("memory.forget_day_ask",{day:this.day(e)}))}rebuild(){return this.guarded(async()=>{let{error:e,days_left:t}=await O(this.hass,"rebuild_profile",{});return await this.load(),e||(t?this.texts.counted("memory.rebuild_unfinished",t):this.texts(this.overview?.profile.text?"memory.rebuilt":"memory.rebuilt_none"))})}set(e){return this.act(async()=>(await O(this.hass,"set_memory",e),this.texts("memory.saved")))}setRetention({days:e,requests:t}){return this.set({retention_days:Number(e),request_days:Number(t)})}export(){return this.guarded(async()=>{let e=await O(this.hass,"export_memory",{}),t=new Blob([JSON.stringify(e,null,2)],{type:"application/json"}),s=document.createElement("a");return s.href=URL.createObjectURL(t),s.download="sage-memory.json",s.click(),URL.revokeObjectURL(s.href),this.texts("memory.exported")})}content(){let{overview:e}=this;return e?a`
      <div class="search" role="search">
        ${T({name:"search",type:"search",label:this.texts("memory.search_label"),value:this.search,input:t=>this.find(t)})}
      </div>
      <div role="status">
        ${this.found===void 0?c:a`<p class="secondary">
                ${this.found?this.texts.counted("memory.found",this.found):this.texts("memory.found_none")}
              </p>`}
      </div>
      ${this.told(e)} ${this.found===void 0?this.concluded(e):c}
      ${this.said()}
      ${this.found===void 0?a`<sage-voice
                .hass=${this.hass}
                .texts=${this.texts}
                .parts=${this.parts}
              ></sage-voice>
              ${this.settings(e)}`:c}
    `:c}told({settings:e}){return a`
      <section aria-labelledby="told">
        <h2 id="told">${this.texts("memory.told")}</h2>
        <ha-card>
          ${this.list("told",this.texts("memory.told_none"))}
          ${e.enabled&&this.found===void 0?S(a`${T({name:"text",label:this.texts("memory.tell_label"),required:!0,maxlength:4e3})}
                  ${v({label:this.texts("memory.tell"),type:"submit"})}`,(t,s)=>this.remember(t,s),{className:"row add"}):c}
        </ha-card>
      </section>
    `}concluded({profile:e,days:t}){return a`
      <section aria-labelledby="concluded">
        <h2 id="concluded">${this.texts("memory.concluded")}</h2>
        <ha-card>
          <div class="padded">
            ${e.text?a`<p class="profile">${e.text}</p>
                    <p class="secondary">
                      ${this.texts("memory.made",{at:this.dateTime(e.made_at),days:this.texts.counted("memory.of_days",e.dates.length)})}
                    </p>`:a`<p class="secondary">${this.texts("memory.no_profile")}</p>`}
            ${e.corrections.length?a`<h3>${this.texts("memory.corrections")}</h3>
                    <ul>
                      ${e.corrections.map(({text:s})=>a`<li>${s}</li>`)}
                    </ul>`:c}
            ${v({label:this.texts("memory.rebuild"),icon:"mdi:refresh",click:()=>this.rebuild()})}
          </div>
          ${t.length?R({header:this.texts.counted("memory.days",t.length),icon:"mdi:calendar",content:()=>a`<ul class="plain list">
                      ${t.map(({date:s,text:r})=>a`<li>
                            <div class="item">
                              <span class="text">
                                <span class="headline">${r}</span>
                                <span class="supporting">${this.day(s)}</span>
                              </span>
                            </div>
                            ${C("mdi:delete-outline",this.texts("memory.forget_day",{day:this.day(s)}),()=>this.forgetDay(s))}
                          </li>`)}
                    </ul>`}):c}
        </ha-card>
      </section>
    `}said(){return a`
      <section aria-labelledby="said">
        <h2 id="said">${this.texts("memory.rest")}</h2>
        <ha-card>${this.list("said",this.texts("memory.rest_none"))}</ha-card>
      </section>
    `}list(e,t){let s=this.pages[e];return s?s.memories.length?a`
      <ul class="plain list" data-group=${e}>
        ${I(s.memories,r=>r.id,r=>a`<li>${this.line(r)}</li>`)}
      </ul>
      ${s.has_more?a`<div class="more">
              ${v({label:this.texts("more"),click:()=>this.guarded(()=>this.more(e))})}
            </div>`:c}
    `:a`<p class="empty">
        ${this.found===void 0?t:this.texts("memory.found_none")}
      </p>`:c}line(e){if(e.id===this.edited)return S(a`${T({name:"text",label:this.texts("memory.correct_label"),value:e.text,required:!0,maxlength:4e3})}
        ${v({label:this.texts("save"),look:"main",type:"submit"})}
        ${v({label:this.texts("cancel"),click:()=>this.edit()})}`,({text:d})=>this.correct(e.id,d));let{text:t,place:s,count:r,origin:o}=e,l=[this.dateTime(e.at),s??"",o==="corrected"?this.texts("memory.correction"):"",r>1?this.texts("memory.times",{count:r}):""];return a`
      <div class="item">
        <span class="text">
          ${e.question?a`<span class="supporting">${e.question}</span>`:c}
          <span class="headline">${t}</span>
          <span class="supporting">${l.filter(Boolean).join(" · ")}</span>
        </span>
      </div>
      ${C("mdi:pencil-outline",this.texts("memory.correct_it",{text:t}),()=>this.edit(e.id))}
      ${C("mdi:delete-outline",this.texts("memory.delete_it",{text:t}),()=>this.forget({ids:[e.id]},this.texts("memory.delete_ask",{text:t})))}
    `}async edit(e){this.edited=e,await this.updateComplete,this.renderRoot.querySelector("li [name=text]")?.focus()}settings({settings:e}){return a`
      <section aria-labelledby="keep">
        <h2 id="keep">${this.texts("memory.keep")}</h2>
        <ha-card>
          <div class="item">
            ${x("mdi:brain")}
            <span class="text">
              <span class="headline">${this.texts("memory.remembering")}</span>
              <span class="supporting"
                >${this.texts(e.enabled?"memory.is_on":"memory.is_off")}</span
              >
            </span>
            ${oe({label:this.texts("memory.remembering"),isOn:e.enabled,change:t=>this.set({enabled:t})})}
          </div>
          ${R({id:"retention",header:this.texts("memory.retention"),icon:"mdi:timer-sand",content:()=>this.retention(e)})}
          ${R({id:"forget",header:this.texts("memory.forget"),icon:"mdi:delete-outline",content:()=>this.forgetting()})}
          <button class="item" @click=${this.export}>
            ${x("mdi:download")}<span class="text">${this.texts("memory.export")}</span>
          </button>
        </ha-card>
      </section>
    `}retention(e){let t=(s,r,o)=>T({name:s,label:r,value:String(o),type:"number",min:0,max:36500,required:!0});return a`<div class="padded">
      ${S(a`${t("days",this.texts("memory.keep_days"),e.retention_days)}
        ${t("requests",this.texts("memory.keep_requests"),e.request_days)}
        ${v({label:this.texts("save"),look:"main",type:"submit"})}
        ${e.has_own_retention?v({label:this.texts("memory.keep_as_household"),click:()=>this.set({household_retention:!0})}):c}`,s=>this.setRetention(s))}
      <p class="secondary">${this.texts("memory.keep_help")}</p>
    </div>`}forgetting(){return a`<div class="padded">
      ${S(a`${T({name:"topic",label:this.texts("memory.topic_label"),required:!0})}
        ${v({label:this.texts("memory.forget_topic"),look:"danger",type:"submit"})}`,e=>this.forgetTopic(e))}
      ${S(a`${T({name:"first",label:this.texts("memory.first"),type:"date",required:!0})}
        ${T({name:"last",label:this.texts("memory.last"),type:"date"})}
        ${v({label:this.texts("memory.forget_days"),look:"danger",type:"submit"})}`,e=>this.forgetDays(e))}
      <div class="row end">
        ${v({label:this.texts("memory.forget_all"),look:"danger",click:()=>this.forget({everything:!0},this.texts("memory.forget_all_ask"))})}
      </div>
    </div>`}};V.styles=[$.styles,_`
      .search {
        display: flex;
        padding-top: 12px;
      }
      :host([narrow]) .search {
        padding: 8px 12px 0;
      }
      .profile {
        white-space: pre-line;
      }
      li > form {
        flex: 1 1 auto;
        padding: 8px 16px;
      }
      .add {
        border-top: 1px solid var(--divider-color);
        padding: 8px 16px;
      }
    `],h([u()],V.prototype,"overview",2),h([u()],V.prototype,"pages",2),h([u()],V.prototype,"search",2),h([u()],V.prototype,"found",2),h([u()],V.prototype,"edited",2),V=h([k("sage-memory")],V);var pe=1e3;function hs(n,i,e){let t=Date.parse(n.since),s=o=>Math.max(0,Math.min(1,(new Date(o).getTime()-t)/864e5))*pe,r=[0,6,12,18,24].map(o=>t+o*36e5);return a`
    <svg
      class="day"
      viewBox="0 0 ${pe} 32"
      preserveAspectRatio="none"
      role="img"
      aria-label=${e}
    >
      <rect class="empty" y="10" width=${pe} height="12" rx="4" />
      ${n.true.map(([o,l])=>ce`<rect class="so" y="10" height="12" x=${s(o)} width=${Math.max(3,s(l)-s(o))} />`)}
      ${n.moments.map(o=>ce`<rect class="moment" y="2" height="28" width="3" x=${s(o)-1} />`)}
    </svg>
    <div class="hours" aria-hidden="true">
      ${r.map(o=>a`<span>${i(new Date(o).toISOString())}</span>`)}
    </div>
  `}var be=60,ci=60;function ps(n,i,e,t){let s=Math.max(...n.map(({value:d})=>d),0);if(!s)return c;let r=new Map(n.map(({day:d,value:p})=>[d,p])),o=i.slice(-ci),l=pe/o.length;return a`
    <svg
      class="bars"
      viewBox="0 0 ${pe} ${be}"
      preserveAspectRatio="none"
      role="img"
      aria-label=${e}
    >
      <line class="axis" x1="0" x2=${pe} y1=${be-.5} y2=${be-.5} />
      ${o.map((d,p)=>{let f=r.get(d)??0,m=f/s*(be-4),b=p*l+l*.1;return ce`<rect class="so" x=${b} width=${l*.8} y=${be-m} height=${m}>
          <title>${t(d,f)}</title>
        </rect>`})}
    </svg>
  `}var Ne=30,us="/config/integrations/integration/sage",di=1e6,hi=["calls","tokens","cost","seconds"],ms=["input","cached","output"],ee=class extends ${constructor(){super(...arguments);this.currency=""}async load(){let e=await y(this.hass,"models/list",{days:Ne});this.settings=await this.hass.loadBackendTranslation("selector","sage"),this.agents=e.agents,this.currency=e.currency}get isEditing(){return!!this.shadowRoot?.activeElement?.closest("form")}setPrice(e,t){let s=ms.filter(o=>e[o]),r=Object.fromEntries(s.map(o=>[o,Number(e[o])]));return this.act(async()=>(await y(this.hass,"models/set_price",{agent:t,...r}),this.texts("models.price_saved")))}content(){return this.agents?.length===0?a`<div class="empty">
        ${x("mdi:creation-outline")}${this.texts("models.none")}
        <p>
          ${v({label:this.texts("models.change"),look:"main",click:()=>Z(us)})}
        </p>
      </div>`:a`${this.agents?.map(e=>a`<ha-card><section aria-label=${e.name}>${this.agent(e)}</section></ha-card>`)}`}agent(e){let t=[e.model,e.server].filter(Boolean).join(" · ");return a`
      <div class="item">
        ${x("mdi:creation-outline")}
        <span class="text">
          <h3 class="headline">${e.name}</h3>
          <span class="supporting">${t}</span>
        </span>
        ${v({label:this.texts("models.change"),icon:"mdi:cog-outline",click:()=>Z(us)})}
      </div>
      ${e.days.length?this.usage(e):a`<p class="empty">${this.texts("models.unused")}</p>`}
      ${this.prices(e)}
      ${R({header:this.texts("models.advanced"),icon:"mdi:tune",content:()=>a`<p class="padded">
            ${this.texts("models.formats",{format:this.format(e.format),formats:e.formats.map(s=>this.format(s)).join(", ")})}
            ${this.texts("models.how")}
          </p>`})}
    `}format(e){return this.settings?.(`component.sage.selector.decision_format.options.${e}`)||e}usage(e){let t=this.lastDays(),s=hi.filter(r=>r!=="cost"||e.price);return a`
      <div class="padded charts">
        ${s.map(r=>{let o=e.days.map(p=>({day:p.day,value:gs(p,r,e.price)})),l=this.shown(r,o.reduce((p,{value:f})=>p+f,0)),d=this.texts(`models.${r}`,{total:l,days:Ne});return a`<div>
            <div class="secondary">${this.texts(`models.column.${r}`)}</div>
            <div class="number">${l}</div>
            ${ps(o,t,d,(p,f)=>`${this.day(p)}: ${this.shown(r,f)}`)}
            <div class="hours" aria-hidden="true">
              <span>${this.day(t[0])}</span><span>${this.day(t.at(-1))}</span>
            </div>
          </div>`})}
      </div>
      ${R({header:this.texts("models.by_day"),icon:"mdi:calendar",content:()=>this.table(e,s)})}
    `}table(e,t){return a`<div class="padded">
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">${this.texts("models.day")}</th>
              ${t.map(s=>a`<th scope="col">${this.texts(`models.column.${s}`)}</th>`)}
              <th scope="col">${this.texts("models.column.failed")}</th>
            </tr>
          </thead>
          <tbody>
            ${[...e.days].reverse().map(s=>a`<tr>
                  <th scope="row">${this.day(s.day)}</th>
                  ${t.map(r=>a`<td>${this.shown(r,gs(s,r,e.price))}</td>`)}
                  <td>${this.number(s.failed)}</td>
                </tr>`)}
          </tbody>
        </table>
      </div>
      <p class="secondary">${this.texts("models.failed")}</p>
    </div>`}lastDays(){let e=new Intl.DateTimeFormat("en-CA",{timeZone:this.hass.config.time_zone}),t=Date.now();return Array.from({length:Ne},(s,r)=>e.format(t-(Ne-1-r)*864e5))}shown(e,t){return e==="cost"?t.toLocaleString(this.hass.language,{style:"currency",currency:this.currency,maximumFractionDigits:4}):this.number(t,e==="seconds"?1:0)}prices(e){return R({header:this.texts("models.prices",{currency:this.currency}),icon:"mdi:cash",content:()=>a`<div class="padded">
          ${S(a`${ms.map(t=>T({name:t,label:this.texts(`models.price.${t}`),type:"number",min:0,max:1e5,value:String(e.price?.[t]??"")}))}
            ${v({label:this.texts("save"),look:"main",type:"submit"})}`,t=>this.setPrice(t,e.id))}
          <p class="secondary">${this.texts("models.prices_info")}</p>
        </div>`})}};ee.styles=[$.styles,ze,_`
      ha-card {
        margin-top: 16px;
      }
      .charts {
        display: grid;
        gap: 24px;
        grid-template-columns: repeat(auto-fit, minmax(240px, 1fr));
      }
      .number {
        font-size: 24px;
        line-height: 32px;
      }
      table {
        border-collapse: collapse;
        width: 100%;
      }
      th,
      td {
        border-bottom: 1px solid var(--divider-color);
        font-weight: 400;
        padding: 6px 12px 6px 0;
        text-align: end;
      }
      th[scope="row"],
      th:first-child {
        text-align: start;
      }
      .scroll {
        overflow-x: auto;
      }
    `],h([u()],ee.prototype,"agents",2),h([u()],ee.prototype,"currency",2),h([u()],ee.prototype,"settings",2),ee=h([k("sage-models")],ee);function gs(n,i,e){switch(i){case"tokens":return n.prompt_tokens+n.completion_tokens;case"cost":return pi(n,e??{});default:return n[i]}}function pi(n,{input:i=0,cached:e=i,output:t=0}){return((n.prompt_tokens-n.cached_tokens)*i+n.cached_tokens*e+n.completion_tokens*t)/di}var ui="and as assert break class continue def del elif else except finally for from if import in is lambda not or pass raise return try while with True False None",mi=new RegExp(["(?<comment>#.*)",`(?<string>"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')`,`(?<keyword>\\b(?:${ui.split(" ").join("|")})\\b)`,"(?<number>\\b\\d[\\d_.]*\\b)","(?<call>\\b[A-Za-z_]\\w*(?=\\())"].join("|"),"g");function gi(n){let i=[],e=0;for(let t of n.matchAll(mi)){let[s]=Object.entries(t.groups??{}).find(([,r])=>r!==void 0);i.push(n.slice(e,t.index),a`<span class=${s}>${t[0]}</span>`),e=t.index+t[0].length}return[...i,n.slice(e)]}var ae=class extends U{constructor(){super(...arguments);this.value="";this.label=""}render(){return a`<pre role="group" tabindex="0" aria-label=${this.label}>
${gi(this.value)}</pre>`}};ae.styles=[Be,_`
      pre {
        border: 1px solid var(--outline-color, var(--secondary-text-color));
        border-radius: 8px;
        font-family: var(--ha-font-family-code, monospace);
        font-size: 13px;
        line-height: 20px;
        margin: 0;
        overflow: auto;
        padding: 8px;
        white-space: pre;
      }
      .keyword {
        font-weight: 600;
      }
      .string,
      .number {
        color: var(--success-color);
        color: color-mix(in srgb, var(--success-color) 55%, var(--primary-text-color));
      }
      .call {
        color: color-mix(in srgb, var(--primary-color) 55%, var(--primary-text-color));
      }
      .comment {
        color: var(--secondary-text-color);
      }
    `],h([P()],ae.prototype,"value",2),h([P()],ae.prototype,"label",2),ae=h([k("sage-code")],ae);var vi=20;function ot(n,{kind:i,line:e,detail:t}){return a`
    ${e?n("routines.line",{line:e}):c} ${n(`routines.fault.${i}`)}
    ${t?a`<code lang="en">${t}</code>`:c}
  `}function vs(n,i,e){return a`
    <div class="test" role="status">
      <p>${i.error?ot(n,i.error):fi(n,i)}</p>
      ${yi(n,i.last_24_hours,e)}
    </div>
  `}function fs({reads:n=[]}){return a`<ul>
    ${n.map(i=>a`<li>
          <code
            >${i.function}(${i.arguments.map(e=>JSON.stringify(e)).join(", ")})</code
          >
          =
          <code>${i.is_unknown?"?":i.error??JSON.stringify(i.value)}</code>
        </li>`)}
  </ul>`}function fi(n,{value:i}){return n(i===null?"routines.now_unknown":i?"routines.is_true":"routines.is_false")}function yi(n,i,e){if("problem"in i)return a`<p class="secondary">${n(`routines.problem.${i.problem}`)}</p>`;let t=i.true.map(([r,o])=>`${e(r)} – ${e(o)}`),s=n("routines.day",{times:t.length?t.slice(0,vi).join(", "):n("routines.never")});return a`
    <h3>${n("routines.last_day")}</h3>
    ${hs({since:i.since,true:i.true,moments:i.would_have_fired},e,s)}
    <p class="secondary">
      ${n("routines.would_have_fired",{count:i.would_have_fired.length})}
    </p>
  `}var q=new Map,D=class extends ${constructor(){super(...arguments);this.others=[];this.questions=[];this.agent=null;this.unreadable=0}firstUpdated(e){this.loaded?.then(()=>this.showLinked());for(let{answer:t}of q.values())t&&this.act(()=>t)}showLinked(){let e=this.routines?.find(({id:t})=>t===this.path);if(!(!this.path||!this.routines))return e?this.open(e):this.guarded(async()=>this.texts("routines.gone"))}willUpdate(e){let t=e.get("hass"),s=[...this.routines??[],...this.others].map(({entity_id:l})=>l),{states:r,entities:o}=this.hass;t&&(t.entities!==o||s.some(l=>t.states[l]!==r[l]))&&this.refresh()}async load(){let e=await y(this.hass,"routines/list",this.wording);this.routines=e.routines,this.others=e.others,this.questions=e.questions,this.agent=e.agent,this.unreadable=e.unreadable}open(e){return this.opened=e.id,this.whole=void 0,this.tested=void 0,this.guarded(async()=>{if(at(e)){let t={routine:e.id,...this.wording};this.whole=await y(this.hass,"routines/get",t),e.is_household||(this.tested=await O(this.hass,"test_routine",{routine:e.id}))}})}get wording(){return{language:this.hass.language,has_twelve_hours:Me(this.hass)}}test(e){return this.guarded(async()=>{this.tested=await O(this.hass,"test_routine",{routine:e})})}pause(e){let t=e.status==="watching"?"pause_routine":"resume_routine";return this.act(async()=>{await O(this.hass,t,{routine:e.id})})}async delete(e,t){await this.agrees(this.texts("routines.delete_question",{routine:t}))&&await this.act(async()=>(await O(this.hass,"delete_routine",{routine:e.id}),this.texts("routines.deleted")))}reply(e,t){return this.act(async()=>(await Wt(this.hass,e.routine,t),this.questions=this.questions.filter(({id:s})=>s!==e.id),this.texts("routines.answered")))}speak(e,t){let s=q.get(t)??{conversation:null,reply:"",words:e};if(s.answer)return Promise.resolve();let r=this.answerTo(t,{...s,words:e});return q.set(t,{...s,words:e,answer:r}),this.act(()=>r)}async answerTo(e,t){q.set(e,t);let s=new Set(this.routines?.map(({id:r})=>r));try{let{response:r,conversation_id:o}=await this.hass.callWS({type:"conversation/process",text:t.words,agent_id:this.agent,conversation_id:t.conversation,language:this.hass.language}),l=r.speech.plain?.speech??"";return await this.load(),this.routines.some(({id:d})=>!s.has(d))?(t.replaces&&await O(this.hass,"delete_routine",{routine:t.replaces}),q.delete(e),l):(q.set(e,{...t,conversation:o,reply:l,words:""}),"")}catch(r){throw q.set(e,t),r}}edit({id:e,request:t}){q.set(e,{replaces:e,conversation:null,reply:"",words:t}),this.requestUpdate()}cancel(e){q.delete(e),this.requestUpdate()}content(){return a`
      ${this.agent?a`<ha-card class="new">
              <section class="padded" aria-label=${this.texts("routines.new")}>
                ${this.words("")}
              </section>
            </ha-card>`:c}
      ${this.unreadable?a`<p class="failed">
              ${this.texts("routines.unreadable",{count:this.unreadable})}
            </p>`:c}
      ${this.strangeQuestions()} ${this.list()} ${this.ofOthers()}
    `}list(){return this.routines?this.routines.length?a`${this.zone()}
      <ha-card>
        <ul class="plain list" id="routines">
          ${I(this.routines,({id:e})=>e,e=>this.line(e))}
        </ul>
      </ha-card>`:a`<div class="empty">
        ${x("mdi:calendar-clock")}${this.texts("routines.none")}
      </div>`:c}zone(){let{time_zone:e}=this.hass.config,t=xe(this.hass)??Intl.DateTimeFormat().resolvedOptions().timeZone;return t===e?c:a`<p class="secondary">${this.texts("routines.zone",{home:e,own:t})}</p>`}line(e){let t=this.questions.filter(({routine:o})=>o===e.id),s=e.status==="watching",r=[s?"":this.status(e),e.is_household?this.texts("routines.household"):"",this.next(e)];return a`<li class=${s?"on":"off"}>
        <button class="item" aria-haspopup="dialog" @click=${()=>this.open(e)}>
          ${x(at(e)?"mdi:flash-outline":"mdi:clock-outline")}
          <span class="text">
            <span class="headline">${e.says}</span>
            <span class="supporting">${r.filter(Boolean).join(" · ")}</span>
          </span>
          ${e.trouble?a`<span class="badge error">${this.texts("routines.trouble")}</span>`:c}
        </button>
        ${this.switch(e,e.says)}
      </li>
      ${t.map(o=>a`<li>${this.asked(o)}</li>`)}`}switch(e,t){return e.status==="ended"?c:oe({label:t,isOn:e.status==="watching",change:()=>this.pause(e)})}status(e){return this.texts(`routines.status.${e.status}`)}next(e){return e.status==="paused"&&e.paused_until?this.texts("routines.until",{time:this.dateTime(e.paused_until)}):e.status!=="watching"?"":e.is_true!==null?this.texts(e.is_true?"routines.is_true":"routines.is_false"):e.next_check?this.texts("routines.next",{time:this.dateTime(e.next_check)}):""}sheet(){let e=this.routines?.find(({id:s})=>s===this.opened);if(!e)return;let t=()=>{this.opened=void 0};return{title:e.says,content:this.details(e),closed:t}}details(e){let t=this.questions.filter(({routine:s})=>s===e.id);return a`
      <div class="row">
        <span class="grow status">${this.status(e)}</span>
        ${this.switch(e,e.says)}
      </div>
      ${e.trouble?a`<p class="failed">${ot(this.texts,e.trouble)}</p>`:c}
      ${t.map(s=>this.asked(s))}
      ${e.request?a`<p>${this.texts("routines.request",{words:e.request})}</p>`:c}
      <p class="secondary">${this.times(e)}</p>
      ${q.has(e.id)?this.words(e.id):c}
      ${this.tested?vs(this.texts,this.tested,s=>this.clock(s)):c}
      <div class="row">
        ${e.is_household?c:this.ownButtons(e)}
        ${v({label:this.texts("delete"),look:"danger",icon:"mdi:delete-outline",click:()=>this.delete(e,e.says)})}
      </div>
      ${R({header:this.texts("routines.advanced"),content:()=>a`
          <p class="secondary">${this.texts("routines.number",{number:e.number})}</p>
          ${this.does(e)} ${this.tested?fs(this.tested):c}
          ${this.whole?this.code(this.whole):c}
        `})}
    `}ownButtons(e){return a`
      ${this.agent&&!q.has(e.id)?v({label:this.texts("routines.edit"),icon:"mdi:pencil",click:()=>this.edit(e)}):c}
      ${at(e)?v({label:this.texts("routines.test"),icon:"mdi:play-outline",click:()=>this.test(e.id)}):c}
    `}times(e){let t=[this.next(e),this.texts("routines.fired",{count:e.fired})];return e.last_fired&&t.push(this.texts("routines.last",{time:this.dateTime(e.last_fired)})),e.is_true!==null&&e.next_check&&e.status==="watching"&&t.push(this.texts("routines.next_check",{time:this.dateTime(e.next_check)})),t.filter(Boolean).join(" · ")}does({does:e,action:t}){return e&&"commands"in e?a`<ul>
        ${e.commands.map(({device:s,command:r,arguments:o})=>a`<li><strong>${s}</strong>: <code>${r}</code> ${$i(o)}</li>`)}
      </ul>`:e&&"words"in e?a`<p>${this.texts("routines.tells",{words:e.words})}</p>`:a`<p>${this.texts("routines.decides",{action:t})}</p>`}asked(e){let t={label:this.texts("yes"),look:"main"},s=T({name:"answer",label:this.texts(e.takes_pin?"routines.pin":"routines.your_answer"),type:e.takes_pin?"password":"text",isNumeric:e.takes_pin,required:!0});return a`
      <div class="question" role="group" aria-label=${e.text}>
        <p><strong>${e.text}</strong></p>
        ${S(a`${e.wanted==="yes_or_no"?v({...t,click:()=>this.reply(e,e.yes)}):a`${s}
                ${v({label:this.texts("routines.send"),look:"main",type:"submit"})}`}
          ${e.wanted==="text"?c:v({label:this.texts("no"),click:()=>this.reply(e,e.no)})}`,({answer:r})=>this.reply(e,r))}
      </div>
    `}strangeQuestions(){let e=new Set(this.routines?.map(({id:t})=>t));return this.questions.filter(({routine:t})=>!e.has(t)).map(t=>a`<ha-card>${this.asked(t)}</ha-card>`)}words(e){let t=q.get(e),s=!!t?.answer,r=this.texts(t?.reply?"routines.your_answer":e?"routines.new_words":"routines.sentence");return a`
      <div aria-busy=${s}>
        <div role="status">
          ${t?.reply?a`<p>${t.reply}</p>`:c}
          ${s?a`<p class="row">${de()}${this.texts("card.working")}</p>`:c}
        </div>
        ${S(a`${T({name:"words",label:r,value:t?.words??"",required:!0,maxlength:1e3,readonly:s})}
          ${v({label:this.texts("routines.send"),look:"main",type:"submit",disabled:s})}
          ${!s&&(t?.replaces||t?.reply)?v({label:this.texts("cancel"),click:()=>this.cancel(e)}):c}`,({words:o})=>this.speak(o,e))}
      </div>
    `}code(e){return a`
      <p class="secondary">
        ${this.texts("routines.code_info",{interval:this.number(e.interval??0)})}
        ${e.hold?this.texts("routines.code_hold",{time:this.duration(e.hold)}):this.texts("routines.code_no_hold")}
      </p>
      <sage-code .value=${e.code??""} .label=${this.texts("routines.code")}></sage-code>
      ${e.end_code?a`<p class="secondary">${this.texts("routines.end_code")}</p>
              <sage-code
                .value=${e.end_code}
                .label=${this.texts("routines.end_code")}
              ></sage-code>`:c}
    `}ofOthers(){if(!this.others.length)return c;let e=({number:t})=>this.texts("routines.number",{number:t});return a`<ha-card>
      ${R({id:"others",header:this.texts("routines.others",{count:this.others.length}),icon:"mdi:account-group-outline",content:()=>a`<ul class="plain list">
            ${this.others.map(t=>a`<li>
                  <div class="item">
                    <span class="text">
                      <span class="headline">${e(t)}</span>
                      <span class="supporting"
                        >${this.status(t)} ·
                        ${this.texts("routines.fired",{count:t.fired})}</span
                      >
                    </span>
                  </div>
                  ${C("mdi:delete-outline",this.texts("delete"),()=>this.delete(t,e(t)))}
                  ${this.switch(t,e(t))}
                </li>`)}
          </ul>`})}
    </ha-card>`}};D.styles=[$.styles,ze,_`
      .new {
        margin-top: 16px;
      }
      :host([narrow]) .new {
        margin-top: 8px;
      }
      li > ha-switch,
      li > input[role="switch"] {
        flex: none;
        margin-inline: 4px 16px;
      }
      .off .headline {
        color: var(--secondary-text-color);
      }
      .question {
        padding: 0 16px 12px;
      }
      dialog.sheet .question {
        padding: 0;
      }
    `],h([u()],D.prototype,"routines",2),h([u()],D.prototype,"others",2),h([u()],D.prototype,"questions",2),h([u()],D.prototype,"agent",2),h([u()],D.prototype,"unreadable",2),h([u()],D.prototype,"opened",2),h([u()],D.prototype,"whole",2),h([u()],D.prototype,"tested",2),D=h([k("sage-routines")],D);function at({interval:n}){return n!==void 0}function $i(n){return Object.entries(n).map(([i,e])=>`${i}: ${JSON.stringify(e)}`).join(", ")}var xi=[{path:"activity",icon:"mdi:history"},{path:"routines",icon:"mdi:calendar-clock"},{path:"memory",icon:"mdi:brain"},{path:"devices",icon:"mdi:devices"},{path:"models",icon:"mdi:chart-bar",needsAdmin:!0},{path:"accounts",icon:"mdi:account-circle-outline",isIcon:!0}],W=class extends U{constructor(){super(...arguments);this.narrow=!1;this.parts=0;this.language=""}willUpdate(e){e.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,this.prepare(this.hass))}async prepare(e){[this.texts]=await Promise.all([zt(e),Dt()]),await et(),this.parts+=1}get tabs(){return xi.filter(e=>!e.needsAdmin||this.hass?.user.is_admin)}render(){if(!this.hass||!this.route)return c;let[e,...t]=this.route.path.split("/").filter(Boolean),s=this.tabs.find(r=>r.path===e)??this.tabs[0];return a`
      ${this.texts?this.header(this.texts,s):c}
      <main>${this.view(s,t.join("/"))}</main>
    `}header(e,t){return a`
      <header>
        ${customElements.get("ha-menu-button")?a`<ha-menu-button .hass=${this.hass} .narrow=${this.narrow}></ha-menu-button>`:a`<button class="menu" aria-label=${e("menu")} @click=${this.toggleMenu}>
                ☰
              </button>`}
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs.filter(s=>!s.isIcon).map(s=>this.link(e,s,s===t))}
        </nav>
        <div class="end">
          ${this.tabs.filter(s=>s.isIcon).map(s=>this.link(e,s,s===t))}
        </div>
      </header>
    `}link(e,t,s){let r=e(`tabs.${t.path}`),o=x(t.icon),l=t.isIcon&&o!==c;return a`<a
      href="${this.route.prefix}/${t.path}"
      title=${l?r:c}
      aria-label=${l?r:c}
      aria-current=${s?"page":c}
      @click=${Le}
      >${o}${l?c:a`<span>${r}</span>`}</a
    >`}view(e,t){let s=Pt(`sage-${e.path}`);return Ct`<${s} .hass=${this.hass} .texts=${this.texts} .path=${t} .parts=${this.parts} .narrow=${this.narrow}></${s}>`}toggleMenu(){this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))}};W.styles=_`
    :host {
      /* Where a message of a view stays: just below the header. */
      --sage-header-height: var(--header-height, 56px);
      background: var(--primary-background-color);
      color: var(--primary-text-color);
      display: block;
      font-family: var(--ha-font-family-body, Roboto, sans-serif);
      min-height: 100%;
    }
    header {
      align-items: center;
      background: var(--sidebar-background-color, var(--app-header-background-color));
      border-bottom: 1px solid var(--divider-color);
      box-sizing: border-box;
      color: var(--sidebar-text-color, var(--app-header-text-color));
      display: flex;
      height: var(--header-height, 56px);
      padding: 0 12px;
      position: sticky;
      top: 0;
      z-index: 4;
    }
    h1 {
      flex: 1 1 0;
      font-size: 20px;
      font-weight: 400;
      margin: 0 8px;
    }
    .menu {
      background: none;
      border: none;
      color: inherit;
      cursor: pointer;
      font-size: 20px;
      height: 48px;
      width: 48px;
    }
    nav {
      display: flex;
      height: 100%;
    }
    .end {
      /* As wide as the title, so that the tabs are in the middle, as on Home Assistant's pages. */
      display: flex;
      flex: 1 1 0;
      height: 100%;
      justify-content: flex-end;
    }
    a {
      align-items: center;
      border-bottom: 2px solid transparent;
      box-sizing: border-box;
      color: var(--primary-text-color);
      display: flex;
      font-weight: 500;
      font-size: 14px;
      gap: 8px;
      height: 100%;
      padding: 0 20px;
      text-decoration: none;
    }
    .end a {
      padding: 0 12px;
    }
    a[aria-current] {
      border-color: var(--primary-color);
      color: var(--primary-color);
    }
    a[aria-current] span {
      /* As dark as small text has to be. */
      color: color-mix(in srgb, var(--primary-color) 65%, var(--primary-text-color));
    }
    a:hover {
      background: var(--secondary-background-color);
    }
    :focus-visible {
      outline: 2px solid var(--primary-color);
      outline-offset: -4px;
    }
    main {
      box-sizing: border-box;
      margin: 0 auto;
      max-width: 1040px;
      padding: 8px 16px 32px;
    }
    :host([narrow]) nav {
      background: var(--sidebar-background-color, var(--card-background-color));
      border-top: 1px solid var(--divider-color);
      bottom: 0;
      height: auto;
      inset-inline: 0;
      padding-bottom: env(safe-area-inset-bottom, 0);
      position: fixed;
      z-index: 4;
    }
    :host([narrow]) nav a {
      border: none;
      flex: 1 1 0;
      flex-direction: column;
      font-size: 12px;
      gap: 4px;
      height: 56px;
      justify-content: center;
      min-width: 0;
      padding: 0 2px;
    }
    :host([narrow]) main {
      padding: 4px 0 calc(80px + env(safe-area-inset-bottom, 0px));
    }
  `,h([P({attribute:!1})],W.prototype,"hass",2),h([P({type:Boolean,reflect:!0})],W.prototype,"narrow",2),h([P({attribute:!1})],W.prototype,"route",2),h([u()],W.prototype,"texts",2),h([u()],W.prototype,"parts",2),W=h([k("sage-panel")],W);export{W as Panel};
