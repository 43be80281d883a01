var Ns=Object.defineProperty;var js=Object.getOwnPropertyDescriptor;var p=(n,s,e,t)=>{for(var i=t>1?void 0:t?js(s,e):s,r=n.length-1,a;r>=0;r--)(a=n[r])&&(i=(t?a(s,e,i):a(i))||i);return t&&i&&Ns(s,e,i),i};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Re=globalThis,Ae=Re.ShadowRoot&&(Re.ShadyCSS===void 0||Re.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Qe=Symbol(),ft=new WeakMap,fe=class{constructor(s,e,t){if(this._$cssResult$=!0,t!==Qe)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=s,this.t=e}get styleSheet(){let s=this.o,e=this.t;if(Ae&&s===void 0){let t=e!==void 0&&e.length===1;t&&(s=ft.get(e)),s===void 0&&((this.o=s=new CSSStyleSheet).replaceSync(this.cssText),t&&ft.set(e,s))}return s}toString(){return this.cssText}},vt=n=>new fe(typeof n=="string"?n:n+"",void 0,Qe),x=(n,...s)=>{let e=n.length===1?n[0]:s.reduce((t,i,r)=>t+(a=>{if(a._$cssResult$===!0)return a.cssText;if(typeof a=="number")return a;throw Error("Value passed to 'css' function must be a 'css' function result: "+a+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+n[r+1],n[0]);return new fe(e,n,Qe)},yt=(n,s)=>{if(Ae)n.adoptedStyleSheets=s.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(let e of s){let t=document.createElement("style"),i=Re.litNonce;i!==void 0&&t.setAttribute("nonce",i),t.textContent=e.cssText,n.appendChild(t)}},Ze=Ae?n=>n:n=>n instanceof CSSStyleSheet?(s=>{let e="";for(let t of s.cssRules)e+=t.cssText;return vt(e)})(n):n;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:Is,defineProperty:Fs,getOwnPropertyDescriptor:Vs,getOwnPropertyNames:Ws,getOwnPropertySymbols:Ks,getPrototypeOf:Gs}=Object,Ee=globalThis,$t=Ee.trustedTypes,Qs=$t?$t.emptyScript:"",Zs=Ee.reactiveElementPolyfillSupport,ve=(n,s)=>n,ye={toAttribute(n,s){switch(s){case Boolean:n=n?Qs:null;break;case Object:case Array:n=n==null?n:JSON.stringify(n)}return n},fromAttribute(n,s){let e=n;switch(s){case Boolean:e=n!==null;break;case Number:e=n===null?null:Number(n);break;case Object:case Array:try{e=JSON.parse(n)}catch{e=null}}return e}},Se=(n,s)=>!Is(n,s),xt={attribute:!0,type:String,converter:ye,reflect:!1,useDefault:!1,hasChanged:Se};Symbol.metadata??=Symbol("metadata"),Ee.litPropertyMetadata??=new WeakMap;var G=class extends HTMLElement{static addInitializer(s){this._$Ei(),(this.l??=[]).push(s)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(s,e=xt){if(e.state&&(e.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(s)&&((e=Object.create(e)).wrapped=!0),this.elementProperties.set(s,e),!e.noAccessor){let t=Symbol(),i=this.getPropertyDescriptor(s,t,e);i!==void 0&&Fs(this.prototype,s,i)}}static getPropertyDescriptor(s,e,t){let{get:i,set:r}=Vs(this.prototype,s)??{get(){return this[e]},set(a){this[e]=a}};return{get:i,set(a){let l=i?.call(this);r?.call(this,a),this.requestUpdate(s,l,t)},configurable:!0,enumerable:!0}}static getPropertyOptions(s){return this.elementProperties.get(s)??xt}static _$Ei(){if(this.hasOwnProperty(ve("elementProperties")))return;let s=Gs(this);s.finalize(),s.l!==void 0&&(this.l=[...s.l]),this.elementProperties=new Map(s.elementProperties)}static finalize(){if(this.hasOwnProperty(ve("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(ve("properties"))){let e=this.properties,t=[...Ws(e),...Ks(e)];for(let i of t)this.createProperty(i,e[i])}let s=this[Symbol.metadata];if(s!==null){let e=litPropertyMetadata.get(s);if(e!==void 0)for(let[t,i]of e)this.elementProperties.set(t,i)}this._$Eh=new Map;for(let[e,t]of this.elementProperties){let i=this._$Eu(e,t);i!==void 0&&this._$Eh.set(i,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(s){let e=[];if(Array.isArray(s)){let t=new Set(s.flat(1/0).reverse());for(let i of t)e.unshift(Ze(i))}else s!==void 0&&e.push(Ze(s));return e}static _$Eu(s,e){let t=e.attribute;return t===!1?void 0:typeof t=="string"?t:typeof s=="string"?s.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(s=>this.enableUpdating=s),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(s=>s(this))}addController(s){(this._$EO??=new Set).add(s),this.renderRoot!==void 0&&this.isConnected&&s.hostConnected?.()}removeController(s){this._$EO?.delete(s)}_$E_(){let s=new Map,e=this.constructor.elementProperties;for(let t of e.keys())this.hasOwnProperty(t)&&(s.set(t,this[t]),delete this[t]);s.size>0&&(this._$Ep=s)}createRenderRoot(){let s=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return yt(s,this.constructor.elementStyles),s}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(s=>s.hostConnected?.())}enableUpdating(s){}disconnectedCallback(){this._$EO?.forEach(s=>s.hostDisconnected?.())}attributeChangedCallback(s,e,t){this._$AK(s,t)}_$ET(s,e){let t=this.constructor.elementProperties.get(s),i=this.constructor._$Eu(s,t);if(i!==void 0&&t.reflect===!0){let r=(t.converter?.toAttribute!==void 0?t.converter:ye).toAttribute(e,t.type);this._$Em=s,r==null?this.removeAttribute(i):this.setAttribute(i,r),this._$Em=null}}_$AK(s,e){let t=this.constructor,i=t._$Eh.get(s);if(i!==void 0&&this._$Em!==i){let r=t.getPropertyOptions(i),a=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:ye;this._$Em=i;let l=a.fromAttribute(e,r.type);this[i]=l??this._$Ej?.get(i)??l,this._$Em=null}}requestUpdate(s,e,t,i=!1,r){if(s!==void 0){let a=this.constructor;if(i===!1&&(r=this[s]),t??=a.getPropertyOptions(s),!((t.hasChanged??Se)(r,e)||t.useDefault&&t.reflect&&r===this._$Ej?.get(s)&&!this.hasAttribute(a._$Eu(s,t))))return;this.C(s,e,t)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(s,e,{useDefault:t,reflect:i,wrapped:r},a){t&&!(this._$Ej??=new Map).has(s)&&(this._$Ej.set(s,a??e??this[s]),r!==!0||a!==void 0)||(this._$AL.has(s)||(this.hasUpdated||t||(e=void 0),this._$AL.set(s,e)),i===!0&&this._$Em!==s&&(this._$Eq??=new Set).add(s))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}let s=this.scheduleUpdate();return s!=null&&await s,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,r]of this._$Ep)this[i]=r;this._$Ep=void 0}let t=this.constructor.elementProperties;if(t.size>0)for(let[i,r]of t){let{wrapped:a}=r,l=this[i];a!==!0||this._$AL.has(i)||l===void 0||this.C(i,void 0,r,l)}}let s=!1,e=this._$AL;try{s=this.shouldUpdate(e),s?(this.willUpdate(e),this._$EO?.forEach(t=>t.hostUpdate?.()),this.update(e)):this._$EM()}catch(t){throw s=!1,this._$EM(),t}s&&this._$AE(e)}willUpdate(s){}_$AE(s){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(s)),this.updated(s)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(s){return!0}update(s){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(s){}firstUpdated(s){}};G.elementStyles=[],G.shadowRootOptions={mode:"open"},G[ve("elementProperties")]=new Map,G[ve("finalized")]=new Map,Zs?.({ReactiveElement:G}),(Ee.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Ye=globalThis,bt=n=>n,Pe=Ye.trustedTypes,wt=Pe?Pe.createPolicy("lit-html",{createHTML:n=>n}):void 0,Xe="$lit$",Q=`lit$${Math.random().toFixed(9).slice(2)}$`,et="?"+Q,Js=`<${et}>`,ne=document,xe=()=>ne.createComment(""),be=n=>n===null||typeof n!="object"&&typeof n!="function",tt=Array.isArray,Et=n=>tt(n)||typeof n?.[Symbol.iterator]=="function",Je=`[ 	
\f\r]`,$e=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,_t=/-->/g,kt=/>/g,se=RegExp(`>|${Je}(?:([^\\s"'>=/]+)(${Je}*=${Je}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Tt=/'/g,Rt=/"/g,St=/^(?:script|style|textarea|title)$/i,st=n=>(s,...e)=>({_$litType$:n,strings:s,values:e}),o=st(1),de=st(2),Pt=st(3),B=Symbol.for("lit-noChange"),c=Symbol.for("lit-nothing"),At=new WeakMap,ie=ne.createTreeWalker(ne,129);function Ct(n,s){if(!tt(n)||!n.hasOwnProperty("raw"))throw Error("invalid template strings array");return wt!==void 0?wt.createHTML(s):s}var Ot=(n,s)=>{let e=n.length-1,t=[],i,r=s===2?"<svg>":s===3?"<math>":"",a=$e;for(let l=0;l<e;l++){let d=n[l],h,v,m=-1,w=0;for(;w<d.length&&(a.lastIndex=w,v=a.exec(d),v!==null);)w=a.lastIndex,a===$e?v[1]==="!--"?a=_t:v[1]!==void 0?a=kt:v[2]!==void 0?(St.test(v[2])&&(i=RegExp("</"+v[2],"g")),a=se):v[3]!==void 0&&(a=se):a===se?v[0]===">"?(a=i??$e,m=-1):v[1]===void 0?m=-2:(m=a.lastIndex-v[2].length,h=v[1],a=v[3]===void 0?se:v[3]==='"'?Rt:Tt):a===Rt||a===Tt?a=se:a===_t||a===kt?a=$e:(a=se,i=void 0);let _=a===se&&n[l+1].startsWith("/>")?" ":"";r+=a===$e?d+Js:m>=0?(t.push(h),d.slice(0,m)+Xe+d.slice(m)+Q+_):d+Q+(m===-2?l:_)}return[Ct(n,r+(n[e]||"<?>")+(s===2?"</svg>":s===3?"</math>":"")),t]},we=class n{constructor({strings:s,_$litType$:e},t){let i;this.parts=[];let r=0,a=0,l=s.length-1,d=this.parts,[h,v]=Ot(s,e);if(this.el=n.createElement(h,t),ie.currentNode=this.el.content,e===2||e===3){let m=this.el.content.firstChild;m.replaceWith(...m.childNodes)}for(;(i=ie.nextNode())!==null&&d.length<l;){if(i.nodeType===1){if(i.hasAttributes())for(let m of i.getAttributeNames())if(m.endsWith(Xe)){let w=v[a++],_=i.getAttribute(m).split(Q),P=/([.?@])?(.*)/.exec(w);d.push({type:1,index:r,name:P[2],strings:_,ctor:P[1]==="."?Oe:P[1]==="?"?Le:P[1]==="@"?Me:oe}),i.removeAttribute(m)}else m.startsWith(Q)&&(d.push({type:6,index:r}),i.removeAttribute(m));if(St.test(i.tagName)){let m=i.textContent.split(Q),w=m.length-1;if(w>0){i.textContent=Pe?Pe.emptyScript:"";for(let _=0;_<w;_++)i.append(m[_],xe()),ie.nextNode(),d.push({type:2,index:++r});i.append(m[w],xe())}}}else if(i.nodeType===8)if(i.data===et)d.push({type:2,index:r});else{let m=-1;for(;(m=i.data.indexOf(Q,m+1))!==-1;)d.push({type:7,index:r}),m+=Q.length-1}r++}}static createElement(s,e){let t=ne.createElement("template");return t.innerHTML=s,t}};function re(n,s,e=n,t){if(s===B)return s;let i=t!==void 0?e._$Co?.[t]:e._$Cl,r=be(s)?void 0:s._$litDirective$;return i?.constructor!==r&&(i?._$AO?.(!1),r===void 0?i=void 0:(i=new r(n),i._$AT(n,e,t)),t!==void 0?(e._$Co??=[])[t]=i:e._$Cl=i),i!==void 0&&(s=re(n,i._$AS(n,s.values),i,t)),s}var Ce=class{constructor(s,e){this._$AV=[],this._$AN=void 0,this._$AD=s,this._$AM=e}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(s){let{el:{content:e},parts:t}=this._$AD,i=(s?.creationScope??ne).importNode(e,!0);ie.currentNode=i;let r=ie.nextNode(),a=0,l=0,d=t[0];for(;d!==void 0;){if(a===d.index){let h;d.type===2?h=new ce(r,r.nextSibling,this,s):d.type===1?h=new d.ctor(r,d.name,d.strings,this,s):d.type===6&&(h=new De(r,this,s)),this._$AV.push(h),d=t[++l]}a!==d?.index&&(r=ie.nextNode(),a++)}return ie.currentNode=ne,i}p(s){let e=0;for(let t of this._$AV)t!==void 0&&(t.strings!==void 0?(t._$AI(s,t,e),e+=t.strings.length-2):t._$AI(s[e])),e++}},ce=class n{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(s,e,t,i){this.type=2,this._$AH=c,this._$AN=void 0,this._$AA=s,this._$AB=e,this._$AM=t,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let s=this._$AA.parentNode,e=this._$AM;return e!==void 0&&s?.nodeType===11&&(s=e.parentNode),s}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(s,e=this){s=re(this,s,e),be(s)?s===c||s==null||s===""?(this._$AH!==c&&this._$AR(),this._$AH=c):s!==this._$AH&&s!==B&&this._(s):s._$litType$!==void 0?this.$(s):s.nodeType!==void 0?this.T(s):Et(s)?this.k(s):this._(s)}O(s){return this._$AA.parentNode.insertBefore(s,this._$AB)}T(s){this._$AH!==s&&(this._$AR(),this._$AH=this.O(s))}_(s){this._$AH!==c&&be(this._$AH)?this._$AA.nextSibling.data=s:this.T(ne.createTextNode(s)),this._$AH=s}$(s){let{values:e,_$litType$:t}=s,i=typeof t=="number"?this._$AC(s):(t.el===void 0&&(t.el=we.createElement(Ct(t.h,t.h[0]),this.options)),t);if(this._$AH?._$AD===i)this._$AH.p(e);else{let r=new Ce(i,this),a=r.u(this.options);r.p(e),this.T(a),this._$AH=r}}_$AC(s){let e=At.get(s.strings);return e===void 0&&At.set(s.strings,e=new we(s)),e}k(s){tt(this._$AH)||(this._$AH=[],this._$AR());let e=this._$AH,t,i=0;for(let r of s)i===e.length?e.push(t=new n(this.O(xe()),this.O(xe()),this,this.options)):t=e[i],t._$AI(r),i++;i<e.length&&(this._$AR(t&&t._$AB.nextSibling,i),e.length=i)}_$AR(s=this._$AA.nextSibling,e){for(this._$AP?.(!1,!0,e);s!==this._$AB;){let t=bt(s).nextSibling;bt(s).remove(),s=t}}setConnected(s){this._$AM===void 0&&(this._$Cv=s,this._$AP?.(s))}},oe=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(s,e,t,i,r){this.type=1,this._$AH=c,this._$AN=void 0,this.element=s,this.name=e,this._$AM=i,this.options=r,t.length>2||t[0]!==""||t[1]!==""?(this._$AH=Array(t.length-1).fill(new String),this.strings=t):this._$AH=c}_$AI(s,e=this,t,i){let r=this.strings,a=!1;if(r===void 0)s=re(this,s,e,0),a=!be(s)||s!==this._$AH&&s!==B,a&&(this._$AH=s);else{let l=s,d,h;for(s=r[0],d=0;d<r.length-1;d++)h=re(this,l[t+d],e,d),h===B&&(h=this._$AH[d]),a||=!be(h)||h!==this._$AH[d],h===c?s=c:s!==c&&(s+=(h??"")+r[d+1]),this._$AH[d]=h}a&&!i&&this.j(s)}j(s){s===c?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,s??"")}},Oe=class extends oe{constructor(){super(...arguments),this.type=3}j(s){this.element[this.name]=s===c?void 0:s}},Le=class extends oe{constructor(){super(...arguments),this.type=4}j(s){this.element.toggleAttribute(this.name,!!s&&s!==c)}},Me=class extends oe{constructor(s,e,t,i,r){super(s,e,t,i,r),this.type=5}_$AI(s,e=this){if((s=re(this,s,e,0)??c)===B)return;let t=this._$AH,i=s===c&&t!==c||s.capture!==t.capture||s.once!==t.once||s.passive!==t.passive,r=s!==c&&(t===c||i);i&&this.element.removeEventListener(this.name,this,t),r&&this.element.addEventListener(this.name,this,s),this._$AH=s}handleEvent(s){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,s):this._$AH.handleEvent(s)}},De=class{constructor(s,e,t){this.element=s,this.type=6,this._$AN=void 0,this._$AM=e,this.options=t}get _$AU(){return this._$AM._$AU}_$AI(s){re(this,s)}},Lt={M:Xe,P:Q,A:et,C:1,L:Ot,R:Ce,D:Et,V:re,I:ce,H:oe,N:Le,U:Me,B:Oe,F:De},Ys=Ye.litHtmlPolyfillSupport;Ys?.(we,ce),(Ye.litHtmlVersions??=[]).push("3.3.3");var Mt=(n,s,e)=>{let t=e?.renderBefore??s,i=t._$litPart$;if(i===void 0){let r=e?.renderBefore??null;t._$litPart$=i=new ce(s.insertBefore(xe(),r),r,void 0,e??{})}return i._$AI(n),i};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var it=globalThis,L=class extends G{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let s=super.createRenderRoot();return this.renderOptions.renderBefore??=s.firstChild,s}update(s){let e=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(s),this._$Do=Mt(e,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return B}};L._$litElement$=!0,L.finalized=!0,it.litElementHydrateSupport?.({LitElement:L});var Xs=it.litElementPolyfillSupport;Xs?.({LitElement:L});(it.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var k=n=>(s,e)=>{e!==void 0?e.addInitializer(()=>{customElements.define(n,s)}):customElements.define(n,s)};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var ei={attribute:!0,type:String,converter:ye,reflect:!1,hasChanged:Se},ti=(n=ei,s,e)=>{let{kind:t,metadata:i}=e,r=globalThis.litPropertyMetadata.get(i);if(r===void 0&&globalThis.litPropertyMetadata.set(i,r=new Map),t==="setter"&&((n=Object.create(n)).wrapped=!0),r.set(e.name,n),t==="accessor"){let{name:a}=e;return{set(l){let d=s.get.call(this);s.set.call(this,l),this.requestUpdate(a,d,n,!0,l)},init(l){return l!==void 0&&this.C(a,void 0,n,l),l}}}if(t==="setter"){let{name:a}=e;return function(l){let d=this[a];s.call(this,l),this.requestUpdate(a,d,n,!0,l)}}throw Error("Unsupported decorator location: "+t)};function T(n){return(s,e)=>typeof e=="object"?ti(n,s,e):((t,i,r)=>{let a=i.hasOwnProperty(r);return i.constructor.createProperty(r,t),a?Object.getOwnPropertyDescriptor(i,r):void 0})(n,s,e)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function u(n){return T({...n,state:!0,attribute:!1})}/**
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
 */var Ht=Symbol.for(""),si=n=>{if(n?.r===Ht)return n?._$litStatic$},Ut=n=>({_$litStatic$:n,r:Ht});var Dt=new Map,nt=n=>(s,...e)=>{let t=e.length,i,r,a=[],l=[],d,h=0,v=!1;for(;h<t;){for(d=s[h];h<t&&(r=e[h],(i=si(r))!==void 0);)d+=i+s[++h],v=!0;h!==t&&l.push(r),a.push(d),h++}if(h===t&&a.push(s[t]),v){let m=a.join("$$lit$$");(s=Dt.get(m))===void 0&&(a.raw=a,Dt.set(m,s=a)),e=l}return n(s,...e)},Bt=nt(o),ur=nt(de),mr=nt(Pt);function zt({entities:n}){return Object.values(n).find(({entity_id:s,platform:e})=>e==="sage"&&s.startsWith("conversation."))?.entity_id}function _e({locale:n,config:s}){return n.time_zone==="local"?void 0:s.time_zone}function Ue({locale:{language:n,time_format:s}}){return s==="12"||s==="24"?s==="12":!!new Intl.DateTimeFormat(s==="system"?void 0:n,{timeStyle:"short"}).resolvedOptions().hour12}function J(n){history.pushState(null,"",n),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}}))}function Be(n){n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),J(n.currentTarget.pathname))}/**
 * @license
 * Copyright 2018 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var C=n=>n??c;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var qt={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},Y=n=>(...s)=>({_$litDirective$:n,values:s}),j=class{constructor(s){}get _$AU(){return this._$AM._$AU}_$AT(s,e,t){this._$Ct=s,this._$AM=e,this._$Ci=t}_$AS(s,e){return this.update(s,e)}update(s,e){return this.render(...e)}};var rt=class extends j{render(){return c}update({element:s}){let e=s;return Promise.resolve().then(()=>{e.isConnected&&!e.open&&e.showModal()}),c}},ze=Y(rt);var ii=["ha-alert","ha-button","ha-code-editor","ha-dialog","ha-expansion-panel","ha-icon","ha-icon-button","ha-input","ha-select","ha-state-icon","ha-switch"],ni=500,Nt,z=n=>!!customElements.get(n);function ot(){let n=()=>ii.every(z);return Nt??=(async()=>{for(let s of[ri,oi])n()||await s().catch(()=>{})})(),Nt}function jt(){return Promise.race([ot(),new Promise(n=>setTimeout(n,ni))])}async function ri(){let{loadCardHelpers:n}=window;await(await(await n?.())?.createCardElement({type:"entities",entities:[]}))?.constructor?.getConfigElement?.()}async function oi(){await customElements.whenDefined("partial-panel-resolver");let n=document.createElement("partial-panel-resolver"),{routes:s}=n.getRoutes([{component_name:"config",url_path:"config"}]);await s.config?.load?.();let e=document.createElement("ha-panel-config");for(let t of["automation","devices"])await e.routerOptions.routes[t]?.load?.()}function b(n,s){return z("ha-icon")?o`<ha-icon aria-hidden="true" slot=${C(s)} .icon=${n}></ha-icon>`:c}function pe(){return z("ha-spinner")?o`<ha-spinner class="spinner" size="small" aria-hidden="true"></ha-spinner>`:o`<progress class="spinner" aria-hidden="true"></progress>`}var ai={main:["accent","brand"],quiet:["plain","brand"],outlined:["outlined","neutral"],danger:["plain","danger"]};function f(n){let{label:s,click:e,look:t="quiet",type:i="button",name:r,disabled:a=!1,slot:l}=n;if(!z("ha-button"))return o`<button
      type=${i}
      class=${t}
      slot=${C(l)}
      aria-label=${C(r)}
      ?disabled=${a}
      ?autofocus=${n.autofocus}
      @click=${e}
    >
      ${s}
    </button>`;let[d,h]=ai[t];return o`<ha-button
    class="button"
    size="s"
    slot=${C(l)}
    .type=${i}
    .appearance=${d}
    .variant=${h}
    .ariaLabel=${r??null}
    .disabled=${a}
    ?autofocus=${n.autofocus}
    @click=${e}
    >${n.icon?b(n.icon,"start"):c}${s}</ha-button
  >`}function O(n,s,e,t=!1){return z("ha-icon-button")&&z("ha-icon")?o`<ha-icon-button .label=${s} .disabled=${t} @click=${e}
        ><ha-icon .icon=${n}></ha-icon
      ></ha-icon-button>`:o`<button type="button" class="quiet" ?disabled=${t} @click=${e}>
        ${s}
      </button>`}function A(n){let{header:s,secondary:e,content:t,isOpen:i,toggle:r,id:a}=n;return z("ha-expansion-panel")?o`<ha-expansion-panel
    class="fold"
    id=${C(a)}
    .header=${s}
    .secondary=${e}
    .expanded=${i??!1}
    @expanded-changed=${l=>{l.stopPropagation(),r?.(l.detail.expanded)}}
  >
    ${n.icon?b(n.icon,"leading-icon"):c} ${t()}
  </ha-expansion-panel>`:o`<details
      id=${C(a)}
      ?open=${i??!1}
      @toggle=${l=>r?.(l.currentTarget.open)}
    >
      <summary>${s} <span class="secondary">${e??c}</span></summary>
      ${t()}
    </details>`}function It(n,s,e){return z("ha-alert")?o`<ha-alert
    class=${n}
    .alertType=${n}
    .dismissable=${!!e}
    @alert-dismissed-clicked=${e?.click}
    >${s}</ha-alert
  >`:o`<div class="message row ${n}">
      <span class="grow">${s}</span>
      ${e?o`<button type="button" class="quiet" @click=${e.click}>${e.label}</button>`:c}
    </div>`}function ae(n){let{label:s,isOn:e,change:t,disabled:i=!1}=n,r=a=>{a.stopPropagation(),t(a.currentTarget.checked)};return z("ha-switch")?o`<ha-switch .checked=${e} .disabled=${i} @change=${r}
        ><span class="unseen">${s}</span></ha-switch
      >`:o`<input
        type="checkbox"
        role="switch"
        aria-label=${s}
        aria-checked=${e}
        .checked=${e}
        ?disabled=${i}
        @change=${r}
      />`}function X(n){let{label:s,value:e,choices:t,name:i,change:r}=n;return z("ha-select")?o`<ha-select
        name=${C(i)}
        .label=${s}
        .value=${e}
        .options=${t}
        @selected=${a=>{a.stopPropagation(),a.currentTarget.value=a.detail.value,r?.(a.detail.value)}}
      ></ha-select>`:o`<label
        >${s}
        <select
          name=${C(i)}
          .value=${e}
          @change=${a=>r?.(a.target.value)}
        >
          ${t.map(a=>o`<option value=${a.value} ?selected=${a.value===e}>
                ${a.label}
              </option>`)}
        </select></label
      >`}function R(n){let{name:s,label:e,value:t="",type:i="text",required:r=!1,input:a}=n,l=i==="number"?"any":void 0,d=a?h=>a(h.currentTarget.value):c;return z("ha-input")?o`<ha-input
    class="field"
    name=${s}
    .type=${i}
    .label=${e}
    .value=${t}
    .required=${r}
    .readonly=${n.readonly??!1}
    .maxlength=${n.maxlength}
    .min=${n.min}
    .max=${n.max}
    .step=${l}
    .inputmode=${n.isNumeric?"numeric":""}
    .withClear=${i==="search"}
    .withoutSpinButtons=${!1}
    autocomplete="off"
    @input=${d}
  ></ha-input>`:o`<label class="field"
      >${e}
      <input
        name=${s}
        type=${i}
        autocomplete="off"
        .value=${t}
        ?required=${r}
        ?readonly=${n.readonly}
        maxlength=${C(n.maxlength)}
        min=${C(n.min)}
        max=${C(n.max)}
        step=${C(l)}
        inputmode=${C(n.isNumeric?"numeric":void 0)}
        @input=${d}
    /></label>`}function E(n,s,{className:e="row",role:t}={}){let i=l=>[...l.querySelectorAll("[name]")],r=l=>{l.preventDefault();let d=l.currentTarget;if(!i(d).every(v=>v.reportValidity?.()??!0))return;let h=i(d).map(v=>[v.getAttribute("name"),v.value??""]);s(Object.fromEntries(h.map(([v,m])=>[v,m.trim()])),d)},a=l=>{l.key==="Enter"&&l.target.localName==="ha-input"&&(l.preventDefault(),l.currentTarget.requestSubmit())};return o`<form
    class=${e}
    role=${C(t)}
    novalidate
    @submit=${r}
    @keydown=${a}
  >
    ${n}
  </form>`}function Ft(n){for(let s of n.querySelectorAll("[name]"))s.value=""}function Vt(n){let{isOpen:s,title:e,content:t,buttons:i,closed:r}=n;return z("ha-dialog")?o`<ha-dialog .open=${s} .headerTitle=${e} width="small" @closed=${r}>
    ${t}
    <div class="row buttons" slot="footer">${i}</div>
  </ha-dialog>`:s?o`<dialog class="question" aria-label=${e} ${ze()} @close=${r}>
          <h2>${e}</h2>
          ${t}
          <div class="row">${i}</div>
        </dialog>`:o``}async function Wt(n){let s=await n.loadBackendTranslation("config_panel","sage"),e=(i,r)=>s(`component.sage.config_panel.${i}`,r);return Object.assign(e,{counted:(i,r)=>e(`${i}_${r===1?"one":"other"}`,{count:r.toLocaleString(n.language)})})}async function Kt(n,s){let{message:e,translation_key:t,translation_domain:i,translation_placeholders:r}=s;if(t&&i){let l=(await n.loadBackendTranslation("exceptions",i))(`component.${i}.exceptions.${t}.message`,r);if(l)return l}return e??String(s)}/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{I:li}=Lt,Gt=n=>n;var Qt=()=>document.createComment(""),he=(n,s,e)=>{let t=n._$AA.parentNode,i=s===void 0?n._$AB:s._$AA;if(e===void 0){let r=t.insertBefore(Qt(),i),a=t.insertBefore(Qt(),i);e=new li(r,a,n,n.options)}else{let r=e._$AB.nextSibling,a=e._$AM,l=a!==n;if(l){let d;e._$AQ?.(n),e._$AM=n,e._$AP!==void 0&&(d=n._$AU)!==a._$AU&&e._$AP(d)}if(r!==i||l){let d=e._$AA;for(;d!==r;){let h=Gt(d).nextSibling;Gt(t).insertBefore(d,i),d=h}}}return e},ee=(n,s,e=n)=>(n._$AI(s,e),n),ci={},qe=(n,s=ci)=>n._$AH=s,Zt=n=>n._$AH,Ne=n=>{n._$AR(),n._$AA.remove()};/**
 * @license
 * Copyright 2021 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Jt=Y(class extends j{constructor(){super(...arguments),this.key=c}render(n,s){return this.key=n,s}update(n,[s,e]){return s!==this.key&&(qe(n),this.key=s),e}});function $(n,s,e){return n.callWS({type:`sage/${s}`,data:e})}function S(n,s,e){return n.callWS({type:"sage/action",action:s,data:e})}function Yt(n,s,e){return n.callWS({type:"sage/answer_routine",routine:s,answer:e})}var je=x`
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
`,ue=x`
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
`;var di=2e4,y=class extends L{constructor(){super(...arguments);this.path="";this.parts=0;this.narrow=!1;this.error="";this.notice="";this.question="";this.verb="";this.isAsked=!1;this.timer=0;this.refresh=()=>{!document.hidden&&this.hasUpdated&&!this.isEditing&&this.load().catch(()=>{})}}static{this.styles=je}connectedCallback(){super.connectedCallback(),this.loaded??=this.act(async()=>{}),this.timer=window.setInterval(this.refresh,di),window.addEventListener("focus",this.refresh),this.watching=this.hass.connection.subscribeMessage(e=>this.watched(e),{type:"sage/activity/watch"}),this.watching.catch(()=>{})}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer),window.removeEventListener("focus",this.refresh),this.watching?.then(e=>e()).catch(()=>{})}watched({is_over:e}){e&&this.refresh()}get isEditing(){return!1}shouldUpdate(e){return!!this.texts}act(e){return this.guarded(async()=>{let t=await e();return await this.load(),t})}async guarded(e){this.error="",this.notice="";try{this.notice=await e()??""}catch(t){this.error=await Kt(this.hass,t)}}agrees(e,t=this.texts("delete")){return this.question=e,this.verb=t,this.isAsked=!0,new Promise(i=>{this.decide=i})}settle(e){let{decide:t}=this;this.decide=void 0,this.isAsked=!1,t?.(e)}number(e,t=0){return e.toLocaleString(this.hass.language,{minimumFractionDigits:t,maximumFractionDigits:t})}duration(e){let t=e%60===0;return(t?e/60:e).toLocaleString(this.hass.language,{style:"unit",unit:t?"minute":"second",unitDisplay:"long"})}dateTime(e){return new Date(e).toLocaleString(this.hass.language,{dateStyle:"medium",...this.ofClock()})}clock(e){return new Date(e).toLocaleTimeString(this.hass.language,this.ofClock())}ofClock(){return{timeStyle:"short",hourCycle:Ue(this.hass)?"h12":"h23",timeZone:_e(this.hass)}}day(e){return new Date(`${e}T00:00:00Z`).toLocaleDateString(this.hass.language,{dateStyle:"medium",timeZone:"UTC"})}ago(e){let t=Math.round((Date.now()-Date.parse(e))/6e4);if(t>=360)return this.clock(e);let i=new Intl.RelativeTimeFormat(this.hass.language,{numeric:"auto",style:"short"});return t<1?i.format(0,"second"):t<60?i.format(-t,"minute"):i.format(-Math.round(t/60),"hour")}dayOf(e){let t={timeZone:_e(this.hass)},i=a=>new Intl.DateTimeFormat("en-CA",t).format(a),r=Date.parse(e);for(let[a,l]of[0,864e5].entries())if(i(r)===i(Date.now()-l)){let h=new Intl.RelativeTimeFormat(this.hass.language,{numeric:"auto"}).format(-a,"day");return h.charAt(0).toLocaleUpperCase(this.hass.language)+h.slice(1)}return new Date(e).toLocaleDateString(this.hass.language,{dateStyle:"full",...t})}sheet(){}render(){let e=this.sheet();return o`${e?c:this.messages()} ${this.content()}
    ${e?this.drawn(e):c} ${this.asking()}`}messages(){return o`
      <div class="messages">
        <div role="alert" aria-live="assertive">${this.message("error",this.error)}</div>
        <div role="status" aria-live="polite">${this.message("success",this.notice)}</div>
      </div>
    `}message(e,t){let i=()=>{this.error="",this.notice=""};return t?It(e,t,{label:this.texts("close"),click:i}):c}drawn({title:e,content:t,closed:i}){let r=a=>a.currentTarget.closest("dialog").close();return o`<dialog
      class="sheet"
      aria-label=${e}
      ${ze()}
      closedby="any"
      @close=${i}
    >
      <div class="head">
        ${O("mdi:close",this.texts("close"),r)}
        <h2>${e}</h2>
      </div>
      <div class="body">${this.messages()} ${t}</div>
    </dialog>`}asking(){return Vt({isOpen:this.isAsked,title:this.verb,content:o`<p>${this.question}</p>`,buttons:o`${f({label:this.texts("cancel"),autofocus:!0,click:()=>this.settle(!1)})}
      ${f({label:this.verb,look:"danger",click:()=>this.settle(!0)})}`,closed:()=>this.settle(!1)})}};p([T({attribute:!1})],y.prototype,"hass",2),p([T({attribute:!1})],y.prototype,"texts",2),p([T({attribute:!1})],y.prototype,"path",2),p([T({attribute:!1})],y.prototype,"parts",2),p([T({type:Boolean,reflect:!0})],y.prototype,"narrow",2),p([u()],y.prototype,"error",2),p([u()],y.prototype,"notice",2),p([u()],y.prototype,"question",2),p([u()],y.prototype,"verb",2),p([u()],y.prototype,"isAsked",2);var at="other",es=[["imap",993],["smtp",465]],Xt=["tls","starttls","none"],D=class extends y{constructor(){super(...arguments);this.isAdding=!1;this.added=0;this.isSigningIn=!1;this.provider="";this.keepsSent=!1}async load(){let[e,t,i]=await Promise.all([$(this.hass,"accounts/list",{}),this.hass.loadBackendTranslation("config_subentries","sage"),this.hass.loadBackendTranslation("selector","sage")]);this.flow=t,this.selector=i,this.provider||=e.providers[0].id,this.owned=e}get isEditing(){return this.isAdding}mailText(e){return this.flow(`component.sage.config_subentries.mail.${e}`)}option(e,t){return this.selector(`component.sage.selector.${e}.options.${t}`)}add(e){let{provider:t,address:i,password:r,username:a,...l}=e,d={address:i,password:r,...t===at?{username:a,keeps_sent:this.keepsSent,...pi(l)}:{}};return this.guarded(async()=>{this.isSigningIn=!0;try{let{error:h}=await $(this.hass,"accounts/add_mail",{provider:t,account:d});if(h)throw new Error(this.mailText(h))}finally{this.isSigningIn=!1}return this.isAdding=!1,this.keepsSent=!1,this.added+=1,await this.load(),this.texts("accounts.added")})}async removeMail({id:e,address:t}){let i=this.texts("accounts.remove_ask",{address:t});await this.agrees(i,this.texts("accounts.remove"))&&await this.act(async()=>(await $(this.hass,"accounts/remove_mail",{id:e}),this.texts("accounts.removed")))}setCalendar(e,t){return this.act(async()=>(await $(this.hass,"accounts/set_calendar",{id:e,is_own:t}),this.texts("accounts.saved")))}content(){let{owned:e}=this;return e?o`
      <section aria-labelledby="mail">
        <h2 id="mail">${this.texts("accounts.mail")}</h2>
        <ha-card>
          ${e.mail.length?o`<ul class="plain list">
                  ${e.mail.map(t=>o`<li>${this.account(t)}</li>`)}
                </ul>`:o`<p class="empty">${this.texts("accounts.mail_none")}</p>`}
          ${A({id:"add",header:this.mailText("initiate_flow.user"),icon:"mdi:plus",isOpen:this.isAdding,toggle:t=>{this.isAdding=t},content:()=>o`${Jt(this.added,this.adding(e))}`})}
        </ha-card>
      </section>
      <section aria-labelledby="calendars">
        <h2 id="calendars">${this.texts("accounts.calendars")}</h2>
        <ha-card>
          ${e.calendars.length?o`<ul class="plain list">
                  ${e.calendars.map(t=>o`<li>${this.calendar(t)}</li>`)}
                </ul>`:o`<p class="empty">${this.texts("accounts.calendars_none")}</p>`}
        </ha-card>
      </section>
    `:c}account(e){let{address:t,user_name:i,provider:r,servers:a,is_refused:l}=e,d=this.owned.providers.find(({id:v})=>v===r),h=d?[d.name]:[...a,...i===t?[]:[i]];return o`
      <div class="item">
        ${b(l?"mdi:email-alert-outline":"mdi:email-outline")}
        <span class="text ${l?"refused":""}">
          <span class="headline">${t}</span>
          <span class="supporting"
            >${l?this.texts("accounts.refused"):h.join(" · ")}</span
          >
        </span>
      </div>
      ${O("mdi:delete-outline",this.texts("accounts.remove_it",{address:t}),()=>this.removeMail(e))}
    `}adding({providers:e}){let t=e.find(({id:l})=>l===this.provider),i=t?"step.sign_in":"step.servers",r=e.map(({id:l,name:d})=>({value:l,label:d}));r.push({value:at,label:this.option("provider",at)});let a=(l,d,h=!0)=>R({name:l,type:d,required:h,label:this.mailText(`${i}.data.${l}`)});return o`<div class="padded">
      ${E(o`${X({name:"provider",label:this.mailText("step.user.data.provider"),value:this.provider,choices:r,change:l=>{this.provider=l}})}
          ${a("address","text")} ${t?c:a("username","text",!1)}
          ${a("password","password")}
          ${t?o`<a href=${t.help_url} target="_blank" rel="noreferrer"
                  >${this.texts("accounts.help")}</a
                >`:this.servers()}
          <div class="row end" role="status">
            ${this.isSigningIn?o`${pe()}<span>${this.texts("accounts.signing_in")}</span>`:c}
            ${f({label:this.texts("accounts.add"),look:"main",type:"submit",disabled:this.isSigningIn})}
          </div>`,l=>this.add(l),{className:""})}
    </div>`}servers(){let e=this.mailText("step.servers.data.keeps_sent");return o`${es.map(([t,i])=>{let r=`step.servers.sections.${t}`,a=l=>this.mailText(`${r}.data.${l}`);return o`<fieldset>
          <legend>${this.mailText(`${r}.name`)}</legend>
          ${R({name:`${t}.host`,label:a("host"),required:!0})}
          <div class="row">
            ${R({name:`${t}.port`,label:a("port"),type:"number",value:String(i),min:1,max:65535,required:!0})}
            ${X({name:`${t}.security`,label:a("security"),value:Xt[0],choices:Xt.map(l=>({value:l,label:this.option("security",l)}))})}
          </div>
        </fieldset>`})}
      <div class="item">
        <span class="text">${e}</span>
        ${ae({label:e,isOn:this.keepsSent,change:t=>{this.keepsSent=t}})}
      </div>`}calendar({id:e,name:t,is_own:i,is_changeable:r}){let a=i?"is_own":r?"is_free":"is_household";return o`<div class="item">
      ${b("mdi:calendar")}
      <span class="text">
        <span class="headline">${t}</span>
        <span class="supporting">${this.texts(`accounts.${a}`)}</span>
      </span>
      ${r?ae({label:this.texts("accounts.own",{name:t}),isOn:i,change:l=>this.setCalendar(e,l)}):c}
    </div>`}};D.styles=[y.styles,x`
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
    `],p([u()],D.prototype,"owned",2),p([u()],D.prototype,"flow",2),p([u()],D.prototype,"selector",2),p([u()],D.prototype,"isAdding",2),p([u()],D.prototype,"added",2),p([u()],D.prototype,"isSigningIn",2),p([u()],D.prototype,"provider",2),p([u()],D.prototype,"keepsSent",2),D=p([k("sage-accounts")],D);function pi(n){return Object.fromEntries(es.map(([s])=>{let e=i=>n[`${s}.${i}`],t=Number(e("port"));return[s,{host:e("host"),port:t,security:e("security")}]}))}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var ts=(n,s,e)=>{let t=new Map;for(let i=s;i<=e;i++)t.set(n[i],i);return t},I=Y(class extends j{constructor(n){if(super(n),n.type!==qt.CHILD)throw Error("repeat() can only be used in text expressions")}dt(n,s,e){let t;e===void 0?e=s:s!==void 0&&(t=s);let i=[],r=[],a=0;for(let l of n)i[a]=t?t(l,a):a,r[a]=e(l,a),a++;return{values:r,keys:i}}render(n,s,e){return this.dt(n,s,e).values}update(n,[s,e,t]){let i=Zt(n),{values:r,keys:a}=this.dt(s,e,t);if(!Array.isArray(i))return this.ut=a,r;let l=this.ut??=[],d=[],h,v,m=0,w=i.length-1,_=0,P=r.length-1;for(;m<=w&&_<=P;)if(i[m]===null)m++;else if(i[w]===null)w--;else if(l[m]===a[_])d[_]=ee(i[m],r[_]),m++,_++;else if(l[w]===a[P])d[P]=ee(i[w],r[P]),w--,P--;else if(l[m]===a[P])d[P]=ee(i[m],r[P]),he(n,d[P+1],i[m]),m++,P--;else if(l[w]===a[_])d[_]=ee(i[w],r[_]),he(n,i[m],i[w]),w--,_++;else if(h===void 0&&(h=ts(a,_,P),v=ts(l,m,w)),h.has(l[m]))if(h.has(l[w])){let K=v.get(a[_]),Ge=K!==void 0?i[K]:null;if(Ge===null){let gt=he(n,i[m]);ee(gt,r[_]),d[_]=gt}else d[_]=ee(Ge,r[_]),he(n,i[m],Ge),i[K]=null;_++}else Ne(i[w]),w--;else Ne(i[m]),m++;for(;_<=P;){let K=he(n,d[P+1]);ee(K,r[_]),d[_++]=K}for(;m<=w;){let K=i[m++];K!==null&&Ne(K)}return this.ut=a,qe(n,d),B}});function ss({thinking_content:n=""}){return n.replace(/^- /,"").replace(/\\(.)/g,"$1").trim()}var hi=3600;function is(n,{text:s,agent:e,conversation:t},i){let{components:r,language:a}=n.config;return a!==n.language||!r.includes("assist_pipeline")?n.callWS({type:"conversation/process",text:s,agent_id:e,language:n.language,conversation_id:t}):ui(n,{type:"assist_pipeline/run",start_stage:"intent",end_stage:"intent",input:{text:s},pipeline:e,conversation_id:t,timeout:hi},i)}async function ui({connection:n,localize:s},e,t){let i=()=>{},r;try{return await new Promise((a,l)=>{i=()=>l(new Error(s("ui.notification_toast.connection_lost"))),n.addEventListener("disconnected",i);let d=h=>{h.type==="intent-progress"?t(h.data.chat_log_delta??{}):h.type==="intent-end"?a(h.data.intent_output):h.type==="error"&&l(h.data)};r=n.subscribeMessage(d,e,{resubscribe:!1}),r.catch(l)})}finally{n.removeEventListener("disconnected",i),r?.then(a=>a()).catch(()=>{})}}var mi="/config/integrations/integration/sage",gi="/config/voice-assistants/expose",fi="new",N=class extends y{constructor(){super(...arguments);this.sentences=[];this.assistants=null;this.isWithoutDevices=!1;this.answers=new Map;this.asked="";this.isNew=!1}async load(){let{sentences:e,assistants:t}=await $(this.hass,"start/get",{});if(this.sentences=e,this.assistants=t,!e.length){let{total:i}=await $(this.hass,"devices/list",{start:0,count:1});this.isWithoutDevices=i===0}}willUpdate(){this.isNew||=this.hasCommands===!1}watched(){}async say(e,t){this.asked=e;let i=r=>{this.answers=new Map(this.answers).set(e,r)};i(this.texts("card.working")),await this.guarded(async()=>{try{let r={text:e,agent:t,conversation:null},{response:a}=await is(this.hass,r,l=>{let d=ss(l);d&&i(d)});i(a.speech.plain?.speech??"")}catch(r){throw i(""),r}}),this.asked="",this.dispatchEvent(new CustomEvent("answered"))}use(e){return this.act(async()=>(await $(this.hass,"start/use_in_assistant",{assistant:e}),this.texts("start.used")))}content(){let e=zt(this.hass);return o`
      ${e?c:this.missing("no_agent","mdi:creation-outline",mi)}
      ${this.isWithoutDevices?this.missing("no_devices","mdi:devices",gi):c}
      ${this.offer()} ${e?this.proposals(e):c}
    `}proposals(e){if(!this.isNew||!this.sentences.length)return c;let t=this.sentences.map(({kind:i,device:r})=>this.texts(`start.say.${i}`,{device:r}));return o`
      <ha-card>
        <section aria-label=${this.texts("start.title")}>
          <div class="padded">
            <h2 class="unseen">${this.texts("start.title")}</h2>
            <p class="what">${this.texts("start.what")}</p>
          </div>
          <ul class="plain" aria-live="polite">
            ${t.map(i=>o`<li>
                  <button
                    class="item"
                    ?disabled=${this.asked!==""}
                    @click=${()=>this.say(i,e)}
                  >
                    ${b("mdi:message-text-outline")}<span class="text">${i}</span>
                  </button>
                  ${this.answers.get(i)?o`<p class="answer">${this.answers.get(i)}</p>`:c}
                  ${this.asked===i?o`<progress aria-label=${this.texts("card.working")}></progress>`:c}
                </li>`)}
          </ul>
        </section>
      </ha-card>
    `}missing(e,t,i){let r=l=>this.texts(`start.${e}${l}`),a=this.hass.user.is_admin;return o`<ha-card>
      <section class="item" aria-label=${r("")}>
        ${b(t)}
        <span class="text">
          <span class="headline">${r("")}</span>
          <span class="supporting"
            >${a?r("_info"):this.texts("start.ask_administrator")}</span
          >
        </span>
        ${a?f({label:r("_button"),look:"main",click:()=>J(i)}):c}
      </section>
    </ha-card>`}offer(){if(!this.assistants)return c;let e=this.assistants.map(({id:t,name:i})=>({value:t,label:i}));return e.push({value:fi,label:this.texts("start.new_assistant")}),o`
      <ha-card>
        <section class="padded" aria-label=${this.texts("start.assist")}>
          <h3 class="title">${this.texts("start.assist")}</h3>
          <p class="secondary">${this.texts("start.assist_info")}</p>
          ${E(o`${X({name:"assistant",label:this.texts("start.assistant"),value:e[0].value,choices:e})}
            ${f({label:this.texts("start.use"),look:"main",type:"submit"})}`,({assistant:t})=>this.use(t))}
        </section>
      </ha-card>
    `}};N.styles=[y.styles,x`
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
    `],p([T({attribute:!1})],N.prototype,"hasCommands",2),p([u()],N.prototype,"sentences",2),p([u()],N.prototype,"assistants",2),p([u()],N.prototype,"isWithoutDevices",2),p([u()],N.prototype,"answers",2),p([u()],N.prototype,"asked",2),N=p([k("sage-start")],N);var rs={api_documentation:"mdi:book-open-variant",change_contacts:"mdi:account-edit",code_execution:"mdi:code-braces",condition_code_writing:"mdi:code-braces",condition_polling:"mdi:calendar-clock",create_calendar_event:"mdi:calendar-plus",create_email_draft:"mdi:email-edit-outline",device_disambiguation:"mdi:image-search-outline",device_interaction:"mdi:devices",device_interaction_planner:"mdi:clipboard-list-outline",email_and_calendar:"mdi:email-outline",execute_command:"mdi:gesture-tap",get_contacts:"mdi:account-search",get_message:"mdi:email-open-outline",get_thread:"mdi:email-open-outline",human_interaction:"mdi:comment-question-outline",list_calendar_events:"mdi:calendar",memory:"mdi:brain",personalization:"mdi:brain",read_attributes:"mdi:eye-outline",routines:"mdi:calendar-clock",search_email:"mdi:email-search-outline",send_message:"mdi:send-outline",search_tv_schedule:"mdi:television-guide",undo:"mdi:undo",weather:"mdi:weather-partly-cloudy"},vi="mdi:creation-outline",yi="mdi:wrench-outline",ns=160;function lt(n,{kind:s,name:e}){return s==="model"?n("activity.model"):e in rs&&n(`activity.tool.${e}`)||e.replaceAll("_"," ")}function ct({kind:n,name:s}){return n==="model"?vi:rs[s]??yi}function Ie(n,s,e,t=[]){return o`<ol class="timeline">
    ${s.map(i=>o`<li class=${i.error?"error":""}>
          ${b(ct(i))}
          <div class="step">
            <span>${lt(n,i)}</span>
            ${i.error?o`<span class="failed">${n("activity.error")}</span>`:c}
            ${$i(i,t).map(r=>o`<p class="secondary">${r}</p>`)}
          </div>
          <span class="secondary"
            >${i.seconds||i.result?n("activity.seconds",{seconds:e(i.seconds)}):"…"}</span
          >
        </li>`)}
  </ol>`}function $i({kind:n,name:s,result:e,error:t},i){if(n==="model"||t)return[];if(s==="execute_command")return i.filter(a=>e.includes(a.name)).map(({sentence:a})=>a);let[r=""]=e.trim().split(`
`);return r?[r.length>ns?`${r.slice(0,ns)}…`:r]:[]}var os=x`
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
`;function as(){return!!navigator.mediaDevices&&"MediaRecorder"in window}async function ls(){let n=await navigator.mediaDevices.getUserMedia({audio:!0}),s=new MediaRecorder(n,{audioBitsPerSecond:128e3}),e=[];s.addEventListener("dataavailable",({data:a})=>e.push(a));let t=new Promise(a=>s.addEventListener("stop",a));s.start();let i=()=>{s.state!=="inactive"&&s.stop(),n.getTracks().forEach(a=>a.stop())};return{end:async()=>(i(),await t,xi(await new Blob(e).arrayBuffer())),discard:i}}async function xi(n){let s=await new OfflineAudioContext(1,1,16e3).decodeAudioData(n),e=Array.from({length:s.numberOfChannels},(i,r)=>s.getChannelData(r)),t=new DataView(new ArrayBuffer(2*s.length));for(let i=0;i<s.length;i++){let r=e.reduce((l,d)=>l+d[i],0),a=Math.max(-1,Math.min(1,r/e.length));t.setInt16(2*i,Math.round(a*32767),!0)}return wi(new Blob([bi(t.byteLength),t.buffer]))}function bi(n){let s=new DataView(new ArrayBuffer(44)),e=(t,i)=>[...i].forEach((r,a)=>s.setUint8(t+a,r.charCodeAt(0)));return e(0,"RIFF"),s.setUint32(4,36+n,!0),e(8,"WAVEfmt "),s.setUint32(16,16,!0),s.setUint16(20,1,!0),s.setUint16(22,1,!0),s.setUint32(24,16e3,!0),s.setUint32(28,2*16e3,!0),s.setUint16(32,2,!0),s.setUint16(34,16,!0),e(36,"data"),s.setUint32(40,n,!0),s.buffer}function wi(n){let s=new FileReader;return new Promise((e,t)=>{s.onload=()=>e(s.result.split(",")[1]),s.onerror=()=>t(s.error),s.readAsDataURL(n)})}var Fe=["voice.sentence_1","voice.sentence_2","voice.sentence_3","voice.sentence_4","voice.sentence_5"],cs=12,Z=class extends y{constructor(){super(...arguments);this.recorded=0;this.isBusy=!1;this.clockTimer=0}async load(){this.overview=await $(this.hass,"voice/overview",{})}get isEditing(){return this.isBusy||this.seconds!==void 0}disconnectedCallback(){super.disconnectedCallback(),this.takeRecording()?.discard()}async begin(){this.isBusy=!0,await this.guarded(async()=>{let e=await this.heard(ls());if(!this.isConnected){e.discard();return}this.recording=e,this.seconds=0,this.clockTimer=window.setInterval(()=>this.tick(),1e3)}),this.isBusy=!1}async heard(e){try{return await e}catch(t){let{name:i,message:r}=t;throw new Error(i==="NotAllowedError"?this.texts("voice.refused"):this.texts("voice.no_microphone",{error:r||i}),{cause:t})}}tick(){this.seconds+=1,this.seconds>=cs&&this.end()}takeRecording(){let{recording:e}=this;return window.clearInterval(this.clockTimer),this.recording=void 0,this.seconds=void 0,e}async end(){let e=this.takeRecording();e&&(this.isBusy=!0,await this.act(async()=>{let t=await this.heard(e.end()),{similarity:i}=await $(this.hass,"voice/enroll",{audio:t});this.recorded+=1;let r=this.recorded%Fe.length===0;return this.result(i)+(r?` ${this.texts("voice.complete")}`:"")}),this.isBusy=!1)}claim(e){return this.act(async()=>{let{similarity:t}=await $(this.hass,"voice/claim",{id:e});return this.result(t)})}result(e){let{threshold:t}=this.overview;return e===null?this.texts("voice.first"):this.texts(e>=t?"voice.alike":"voice.unlike",{similarity:this.number(e,2),threshold:this.number(t,2)})}async delete(e,t){await this.agrees(e)&&await this.act(async()=>(await $(this.hass,"voice/delete",t===void 0?{}:{id:t}),this.texts(t===void 0?"voice.deleted_all":"voice.deleted")))}content(){let{overview:e}=this;return e?.enabled?o`
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
    `:c}microphone(){if(!as())return o`<p>
        ${this.texts(window.isSecureContext?"voice.cannot_record":"voice.not_secure")}
      </p>`;let e=this.recorded%Fe.length,t=this.seconds!==void 0;return o`
      <h3>${this.texts("voice.read",{number:e+1,count:Fe.length})}</h3>
      <p class="sentence">${this.texts(Fe[e])}</p>
      ${t?o`<progress
                aria-label=${this.texts("voice.recording")}
                max=${cs}
                .value=${this.seconds}
              ></progress>
              <p class="secondary">
                ${this.texts("voice.recording")}
                ${this.texts("activity.seconds",{seconds:this.number(this.seconds)})}
              </p>`:c}
      <div class="row">
        ${f({label:this.texts(t?"voice.done":"voice.record"),icon:t?"mdi:stop":"mdi:microphone",look:"main",disabled:this.isBusy,click:()=>t?this.end():this.begin()})}
        ${t?f({label:this.texts("cancel"),click:()=>this.takeRecording()?.discard()}):c}
      </div>
    `}satellites({sentences:e}){return o`
      <div class="padded">
        <h3>${this.texts("voice.sentences")}</h3>
        <p class="secondary">
          ${this.texts(e.length?"voice.sentences_info":"voice.sentences_none")}
        </p>
      </div>
      <ul class="plain list" id="sentences">
        ${e.map(({id:t,at:i,satellite:r})=>{let a=r??this.texts("voice.satellite");return o`<li>
            <div class="item">
              ${b("mdi:account-voice")}
              <span class="text">
                <span class="headline">${a}</span>
                <span class="supporting">${this.ago(i)}</span>
              </span>
              ${f({label:this.texts("voice.claim"),name:`${this.texts("voice.claim")}: ${a}, ${this.ago(i)}`,click:()=>this.claim(t)})}
            </div>
          </li>`})}
      </ul>
    `}samples({vectors:e}){return o`
      <div class="padded">
        <h3>${this.texts("voice.samples")}</h3>
        ${e.length?c:o`<p class="secondary">${this.texts("voice.none")}</p>`}
      </div>
      <ul class="plain list" id="samples">
        ${e.map(({id:t,at:i})=>{let r=this.dateTime(i);return o`<li>
            <div class="item"><span class="text">${r}</span></div>
            ${O("mdi:delete-outline",this.texts("voice.delete",{when:r}),()=>this.delete(this.texts("voice.delete_ask",{when:r}),t))}
          </li>`})}
      </ul>
      ${e.length?o`<div class="more">
              ${f({label:this.texts("voice.delete_all"),look:"danger",click:()=>this.delete(this.texts("voice.delete_all_ask"))})}
            </div>`:c}
    `}};Z.styles=[y.styles,x`
      .sentence {
        font-size: 16px;
        line-height: 24px;
      }
      .more {
        border-top: 1px solid var(--divider-color);
        justify-content: flex-end;
      }
    `],p([u()],Z.prototype,"overview",2),p([u()],Z.prototype,"recorded",2),p([u()],Z.prototype,"seconds",2),p([u()],Z.prototype,"isBusy",2),Z=p([k("sage-voice")],Z);function ds(n,s,e){let{scores:t,threshold:i,margin:r,recognized:a,reported:l,missing:d}=s,[h,v]=t,m=[];if(l&&m.push(n("voice.reported")),d)m.push(n(`voice.missing.${d}`));else if(h!==void 0){let w={similarity:e(h),threshold:e(i)};m.push(n("voice.best",w)),v!==void 0&&m.push(n("voice.second",{similarity:e(v),margin:e(r)}))}else l||m.push(n("voice.no_samples"));return[...m,n(a?"voice.recognized":"voice.not_recognized")]}function hs(n,s,e){return o`
    ${_i(n,e)} ${ki(n,s,e)}
    ${e.seen?.length?o`<h3>${n.texts("activity.also")}</h3>
            <ul>
              ${e.seen.map(t=>o`<li>${t}</li>`)}
            </ul>`:c}
    ${e.voice?o`<h3>${n.texts("voice.why")}</h3>
            <ul>
              ${ds(n.texts,e.voice,t=>n.number(t,2)).map(t=>o`<li>${t}</li>`)}
            </ul>`:c}
    <h3>${n.texts("activity.steps")}</h3>
    ${e.root.children.length?Ie(n.texts,e.root.children,t=>n.number(t,1),e.outcomes):o`<p class="secondary">${n.texts("activity.no_steps")}</p>`}
    ${A({header:n.texts("activity.technical"),content:()=>Ti(n,e)})}
  `}function _i(n,s){let e=s.outcomes.filter(({kind:t})=>t==="refused"||t==="failed");return!s.confirmations.length&&!e.length?c:o`
    <h3>${n.texts("activity.why")}</h3>
    <ul>
      ${s.confirmations.map(({question:t,risks:i,result:r})=>o`<li>
            ${n.texts("activity.asked",{question:t})}
            ${i.map(a=>o`<br />${n.texts(`activity.risk.${a}`)}`)}
            <br />${n.texts(`activity.reply.${r}`)}
          </li>`)}
      ${e.map(({sentence:t})=>o`<li>${t}</li>`)}
    </ul>
  `}function ki(n,s,e){let t=e.outcomes.filter(({kind:i})=>i!=="refused"&&i!=="failed");return o`
    <h3>${n.texts("activity.changes")}</h3>
    ${s.is_undone?o`<p>${n.texts("activity.undone_changes")}</p>`:c}
    ${t.length?o`<ul>
            ${t.map(({sentence:i})=>o`<li>${i}</li>`)}
          </ul>`:o`<p class="secondary">${n.texts("activity.no_changes")}</p>`}
  `}function Ti(n,s){let e=s.outcomes.filter(({after:t})=>Object.keys(t).length);return o`
    <p class="secondary">${dt(n,s)}</p>
    <p class="secondary">
      ${n.texts("activity.costs",{seconds:n.number(s.seconds,1),model_seconds:n.number(s.model_seconds,1)})}
      ${s.reads?n.texts.counted("activity.reads",s.reads):n.texts("activity.reads_none")}
      ${ms(n,s.usage)}
    </p>
    ${e.length?o`<h3>${n.texts("activity.values")}</h3>
            <ul>
              ${e.map(({name:t,before:i,after:r})=>o`<li>${t}: ${Ri(i,r)}</li>`)}
            </ul>`:c}
    <ul class="plain steps">
      ${s.root.children.map(t=>us(n,t))}
    </ul>
  `}function dt(n,s){let{prompt_tokens:e,completion_tokens:t}=s.usage;return n.texts("activity.summary",{seconds:n.number(s.seconds,1),calls:n.texts.counted("activity.calls",s.model_calls),tokens:Ve(n,s.usage,e+t)})}function us(n,s){let e=[n.texts("activity.seconds",{seconds:n.number(s.seconds,1)})];s.usage&&e.push(ms(n,s.usage));let t=s.kind==="model"?lt(n.texts,s):s.name,i=Object.keys(s.arguments).length>0;return o`<li>
    ${A({header:s.error?`${t} (${n.texts("activity.error")})`:t,secondary:e.join(" · "),icon:ct(s),content:()=>o`
        ${i?o`<pre>${JSON.stringify(s.arguments,null,2)}</pre>`:c}
        ${s.children.length?o`<ul class="plain steps">
                ${s.children.map(r=>us(n,r))}
              </ul>`:c}
        ${s.result?o`<p class="secondary">${n.texts("activity.seen")}</p>
                <pre>${s.result}</pre>`:c}
      `})}
  </li>`}function ms(n,s){return n.texts("activity.tokens",{prompt:Ve(n,s,s.prompt_tokens),cached:Ve(n,s,s.cached_tokens),written:Ve(n,s,s.completion_tokens)})}function Ve(n,s,e){let t=n.number(e);return s.is_estimated?n.texts("activity.about",{number:t}):t}function Ri(n,s){return Object.keys(s).map(e=>`${e}: ${ps(n[e])} → ${ps(s[e])}`).join(", ")}function ps(n){return typeof n=="string"?n:JSON.stringify(n)??"–"}var pt=50,Ai=500,Ei=500,q=class extends y{constructor(){super(...arguments);this.hasMore=!1;this.questions=new Map;this.live=new Map;this.reload=0}watched(e){this.live=new Map(this.live).set(e.id,e),window.clearTimeout(this.reload),this.reload=window.setTimeout(this.refresh,e.is_over?0:Ei)}async load(){let e=Math.min(Ai,Math.max(pt,this.commands?.length??0)),t=await $(this.hass,"activity/list",{count:e});this.commands=t.commands,this.hasMore=t.has_more;let i=new Set(t.commands.map(({id:a})=>a)),r=[...this.live].filter(([a,{is_over:l}])=>!l&&!i.has(a));this.live=new Map(r)}async more(){let e=this.commands?.at(-1),t=e?.is_waiting?void 0:e?.id;if(t){let i=await $(this.hass,"activity/list",{count:pt,before:t});this.commands=[...this.commands??[],...i.commands],this.hasMore=i.has_more}}open({id:e}){return this.opened=e,this.trace=void 0,this.guarded(async()=>{let t=await $(this.hass,"activity/trace",{id:e});this.trace=this.opened===e?t:this.trace})}undo(e,t){return this.act(async()=>{let i={id:e.id,language:this.hass.language},r=await $(this.hass,"activity/undo",t?{...i,agreed:t}:i);return this.setQuestion(e,r.question),r.question&&!this.opened&&this.open(e),r.done??""})}setQuestion({id:e},t){this.questions=new Map(this.questions),t?this.questions.set(e,t):this.questions.delete(e)}openHousehold(e){if(!(!e||this.household))return this.guarded(async()=>{this.household=(await $(this.hass,"activity/household",{count:pt})).commands})}content(){return o`
      <sage-start
        .hass=${this.hass}
        .texts=${this.texts}
        .parts=${this.parts}
        .hasCommands=${this.commands&&this.commands.length>0}
        @answered=${()=>this.act(async()=>{})}
      ></sage-start>
      ${this.list()} ${this.hass.user.is_admin?this.ofHousehold():c}
    `}list(){if(!this.commands)return c;let e=new Set(this.commands.map(({id:r})=>r)),t=[...this.live.values()].filter(({id:r,is_over:a})=>!a&&!e.has(r));if(!this.commands.length&&!t.length)return o`<div class="empty">${b("mdi:history")}${this.texts("activity.none")}</div>`;let i=new Map;for(let r of this.commands){let a=this.dayOf(r.at);i.set(a,[...i.get(a)??[],r])}return o`
      <div id="live" aria-live="polite">
        ${t.length?o`<h2>${this.texts("activity.live")}</h2>
                ${t.map(r=>o`<ha-card>${this.running(r)}</ha-card>`)}`:c}
      </div>
      <div id="commands">
        ${I(i,([r])=>r,([r,a])=>o`<section aria-label=${r}>
              <h2>${r}</h2>
              <ha-card>
                <ul class="plain list">
                  ${I(a,({id:l})=>l,l=>this.line(l))}
                </ul>
              </ha-card>
            </section>`)}
      </div>
      ${this.hasMore?o`<div class="more">
              ${f({label:this.texts("more"),click:()=>this.guarded(()=>this.more())})}
            </div>`:c}
    `}running({command:e,root:t}){return o`
      <div class="item">
        ${pe()}
        <span class="text"><span class="headline">${e}</span></span>
      </div>
      <div class="padded">
        ${Ie(this.texts,t.children,i=>this.number(i,1))}
      </div>
    `}line(e){let t=[e.is_undone?"undone":"",e.is_waiting?"waiting":""],i=o`
      ${this.icon(e)}
      <span class="text">
        <span class="headline">${this.words(e)}</span>
        <span class="supporting">${e.answer}</span>
        ${this.badges(e)}
      </span>
      <time datetime=${e.at} title=${this.dateTime(e.at)}>${this.ago(e.at)}</time>
    `;return o`<li class=${t.join(" ")}>
      ${e.is_waiting?o`<div class="item">${i}</div>`:o`<button class="item" aria-haspopup="dialog" @click=${()=>this.open(e)}>
              ${i}
            </button>`}
      ${e.can_undo?O("mdi:undo",this.texts("activity.undo"),()=>this.undo(e)):c}
    </li>`}words({command:e}){return e||this.texts("activity.forgotten")}icon({outcomes:e,kind:t,is_waiting:i,routine_id:r}){if(i)return b("mdi:comment-question-outline");let a=e.find(d=>d.kind!=="refused"&&d.kind!=="failed"),l=a?.component&&this.hass.states[a.component];return l&&customElements.get("ha-state-icon")?o`<ha-state-icon
        aria-hidden="true"
        .hass=${this.hass}
        .stateObj=${l}
      ></ha-state-icon>`:a?b("mdi:devices"):e.length?b("mdi:hand-back-left-off-outline"):t==="failure"?b("mdi:alert-circle-outline"):b(r?"mdi:calendar-clock":"mdi:message-text-outline")}badges({routine:e,is_undone:t,is_waiting:i}){let r=[i?o`<span class="badge warning">${this.texts("activity.waiting")}</span>`:"",t?o`<span class="badge">${this.texts("activity.undone")}</span>`:"",e?o`<span class="badge">${this.texts("activity.routine",{when:e})}</span>`:""].filter(Boolean);return r.length?o`<span class="row badges">${r}</span>`:c}ofHousehold(){return o`<ha-card>
      ${A({id:"household",header:this.texts("activity.household"),icon:"mdi:home-automation",toggle:e=>this.openHousehold(e),content:()=>o`
          ${this.household?.length===0?o`<p class="empty">${this.texts("activity.household_none")}</p>`:c}
          <ul class="plain list">
            ${this.household?.map(e=>o`<li>
                  <div class="item">
                    <span class="text">
                      ${e.outcomes.map(({name:t,kind:i})=>o`<span class="headline"
                            >${t}: ${this.texts(`activity.outcome.${i}`)}</span
                          >`)}
                      <span class="supporting">${dt(this.locale,e)}</span>
                    </span>
                    <time datetime=${e.at}>${this.dateTime(e.at)}</time>
                  </div>
                </li>`)}
          </ul>
        `})}
    </ha-card>`}get locale(){return{texts:this.texts,number:(e,t)=>this.number(e,t)}}sheet(){let e=this.commands?.find(({id:i})=>i===this.opened);if(!e)return;let t=o`
      <p class="facts">
        <time datetime=${e.at}>${this.dateTime(e.at)}</time>
        ${e.routine||e.routine_id?this.routine(e):c}
        ${e.is_undone?o`<span class="badge">${this.texts("activity.undone")}</span>`:c}
        <span>${this.texts("activity.only_you")}</span>
      </p>
      <p class="said">${e.answer}</p>
      ${this.undoing(e)} ${this.trace?hs(this.locale,e,this.trace):c}
    `;return{title:this.words(e),content:t,closed:()=>{this.opened=void 0,this.setQuestion(e,null)}}}undoing(e){let t=this.questions.get(e.id);return t?o`<div role="group" aria-label=${t}>
        <p>${t}</p>
        <div class="row">
          ${f({label:this.texts("yes"),look:"main",click:()=>this.undo(e,t)})}
          ${f({label:this.texts("no"),click:()=>this.setQuestion(e,null)})}
        </div>
      </div>`:e.can_undo?f({label:this.texts("activity.undo"),icon:"mdi:undo",look:"outlined",click:()=>this.undo(e)}):c}routine({routine:e,routine_id:t}){let i=this.texts("activity.routine",{when:e});return t?o`<a href="/sage/routines/${t}" @click=${Be}>${i}</a>`:o`${i}`}};q.styles=[y.styles,os,x`
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
    `],p([u()],q.prototype,"commands",2),p([u()],q.prototype,"hasMore",2),p([u()],q.prototype,"household",2),p([u()],q.prototype,"opened",2),p([u()],q.prototype,"trace",2),p([u()],q.prototype,"questions",2),p([u()],q.prototype,"live",2),q=p([k("sage-activity")],q);/**
 * @license
 * Copyright 2018 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Si={},gs=Y(class extends j{constructor(){super(...arguments),this.ot=Si}render(n,s){return s()}update(n,[s,e]){if(Array.isArray(s)){if(Array.isArray(this.ot)&&this.ot.length===s.length&&s.every((t,i)=>t===this.ot[i]))return B}else if(this.ot===s)return B;return this.ot=Array.isArray(s)?Array.from(s):s,this.render(s,e)}});function fs(n,s){return o`
    <p class="secondary"><code>${s.id}</code></p>
    ${s.attributes.length?Ci(n,s):c}
    ${s.commands.length?o`<p>${n.texts("devices.commands")}</p>
            <ul>
              ${s.commands.map(e=>o`<li>
                    <code>${e.name}</code>
                    ${e.arguments.length?o`(${e.arguments.map(Li).join(", ")})`:c}
                    <span class="secondary">${Pi(n,e,s)}</span>
                  </li>`)}
            </ul>`:o`<p class="secondary">${n.texts("devices.read_only")}</p>`}
  `}function Pi(n,s,e){let[t,i]=ht(s,e);return n.actions?.(`component.${t}.services.${i}.description`)||s.description}function Ci(n,{id:s,attributes:e}){return o`
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">${n.texts("devices.attribute")}</th>
            <th scope="col">${n.texts("devices.value")}</th>
            <th scope="col">${n.texts("devices.possible")}</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(t=>o`<tr>
                <th scope="row"><code>${t.name}</code></th>
                <td>${Oi(n,s,t)}</td>
                <td class="secondary">
                  ${ys(t,i=>vs(n,s,t.name,i))}
                </td>
              </tr>`)}
        </tbody>
      </table>
    </div>
  `}function Oi(n,s,{name:e,value:t,meaning:i,unit:r}){return t==null?"–":typeof t=="string"&&!r&&n.hass.states[s]?vs(n,s,e,t):[typeof t=="string"?t:JSON.stringify(t),r,i?`(${i})`:""].filter(Boolean).join(" ")}function vs(n,s,e,t){let i=n.hass.states[s];return i?e==="state"?n.hass.formatEntityState(i,t):n.hass.formatEntityAttributeValue(i,e,t):t}function ht({name:n},{capability:s}){let[e,t]=n.split(".");return t?[e,t]:[s,n]}function ys(n,s=e=>e){if(n.values.length)return n.values.map(s).join(", ");let e=[n.minimum,n.maximum].map(t=>t??"");return e.some(t=>t!=="")?e.join(" – "):""}function Li(n){let s=ys(n);return`${n.name}${n.required?"":"?"}${s?`: ${s}`:""}`}var $s=x`
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
`;var Mi="image/jpeg,image/png,image/webp",me=class extends y{async load(){}change(s){return this.guarded(async()=>{let e=await s();return this.dispatchEvent(new CustomEvent("changed")),e})}upload(s){let e=s.target,t=e.files?.[0];return e.value="",t?this.change(async()=>{let i=new FormData;i.append("file",t);let r=await this.hass.fetchWithAuth("/api/file_upload",{method:"POST",body:i});if(!r.ok)throw new Error(this.texts("devices.not_uploaded",{status:r.status}));let{file_id:a}=await r.json();return await $(this.hass,"devices/add_photo",{device:this.device.id,upload:a}),this.texts("devices.photo_added")}):Promise.resolve()}setCaption(s,e){return this.change(async()=>(await S(this.hass,"set_photo_caption",{photo:e,caption:s}),this.texts("devices.caption_saved")))}async writeCaption(s,e,t){let i=s.currentTarget.closest("form"),r=this.texts("devices.write_caption_question",{model:t});await this.agrees(r,this.texts("devices.write_caption"))&&await this.guarded(async()=>{let{language:a}=this.hass,{caption:l}=await $(this.hass,"devices/write_caption",{photo:e,language:a});return i.querySelector("[name=caption]").value=l,this.texts("devices.caption_written")})}async deletePhoto(s){await this.agrees(this.texts("devices.delete_photo_question"))&&await this.change(async()=>(await S(this.hass,"delete_photo",{photo:s}),this.texts("devices.photo_deleted")))}content(){let{device:s}=this,e=this.hass.user.is_admin;return o`
      <div class="photos">
        ${s.pictures.map(t=>this.photo(s,t,e))}
      </div>
      ${e&&s.pictures.length<s.most_photos?this.adding(s):c}
    `}photo(s,e,t){let i=e.entity_id??"",r=this.hass.states[i]?.attributes.entity_picture,a=o`<img
      loading="lazy"
      src=${C(typeof r=="string"?r:void 0)}
      alt=${e.caption||this.texts("devices.photo_of",{name:s.name})}
    />`;return t?o`<figure>
      ${a}
      ${E(o`${R({name:"caption",label:this.texts("devices.caption"),value:e.caption,maxlength:200})}
        ${f({label:this.texts("save"),type:"submit"})}
        ${s.caption_model?f({label:this.texts("devices.write_caption"),click:l=>this.writeCaption(l,i,s.caption_model)}):c}
        ${f({label:this.texts("delete"),look:"danger",click:()=>this.deletePhoto(i)})}`,({caption:l})=>this.setCaption(l,i))}
    </figure>`:o`<figure>
        ${a}
        <figcaption>${e.caption}</figcaption>
      </figure>`}adding({photo_destination:s}){let e=(i,r)=>o`<input
        type="file"
        accept=${Mi}
        capture=${C(r)}
        aria-label=${i}
        @change=${a=>this.upload(a)}
      />`;return o`
      <div class="row">
        ${[["take_photo","mdi:camera","environment"],["upload_photo","mdi:upload",void 0]].map(([i,r,a])=>{let l=this.texts(`devices.${i}`);return o`<span>
            ${f({label:l,icon:r,look:"outlined",click:d=>d.currentTarget.parentElement.querySelector("input").click()})}
            ${e(l,a)}
          </span>`})}
      </div>
      <p class="secondary">${this.texts("devices.photo_use")} ${s}</p>
    `}};me.styles=[y.styles,x`
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
      input[type="file"] {
        display: none;
      }
    `],p([T({attribute:!1})],me.prototype,"device",2),me=p([k("sage-device-photos")],me);var xs=["free","ask","never"],ke="automatic";function bs(n,s,e){let t=[{value:ke,label:n("devices.automatic")},...xs.map(i=>({value:i,label:n(`devices.level.${i}`)}))];return o`<section class="chosen" aria-label=${n("devices.choose")}>
    ${E(o`<span class="grow" role="status">${n("devices.chosen",{count:s})}</span>
        ${X({name:"level",label:n("devices.risk"),value:ke,choices:t})}
        ${f({label:n("save"),look:"main",type:"submit",disabled:!s})}`,({level:i})=>e(_s(i)))}
  </section>`}function ws(n,s,e,t){let i=n("devices.level_auto",{level:n(`devices.level.${e.automatic}`)}),r=[{value:ke,label:i},...xs.map(a=>({value:a,label:n(`devices.level.${a}`)}))];return o`
    ${X({label:n("devices.risk"),value:e.choice??ke,choices:r,change:a=>t(_s(a))})}
    <p class="secondary">
      ${n(`devices.by.${e.by}`)}
      ${e.choice==="free"?n("devices.free_for_all"):c}
      ${e.risk?Di(n,s,e.risk):c} ${e.reason}
    </p>
  `}function _s(n){return n===ke?null:n}function Di(n,s,e){let[t]=s.split(".");return n(e==="open"&&(t==="cover"||t==="valve")?`devices.opens.${t}`:`activity.risk.${e}`)}var ks=x`
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
`;var Hi="/config/voice-assistants/expose",Ts=50,Rs=250,M=class extends y{constructor(){super(...arguments);this.search=""}async load(){let e=await $(this.hass,"devices/list",{start:0,count:Ts});this.exposed=e.exposed,this.entities=e.entities,this.devices??=e.devices;let t=[...e.devices];for(let r=Ts;r<e.total;r+=Rs){let a=await $(this.hass,"devices/list",{start:r,count:Rs});t.push(...a.devices)}this.devices=t;let i=this.known(t.flatMap(r=>r.kinds));this.titles=await this.hass.loadBackendTranslation("title",i)}known(e){return[...new Set(e)].filter(t=>this.hass.config.components.includes(t))}kind(e){return this.titles?.(`component.${e}.title`)||e.replace(/(?<=[a-z])(?=[A-Z])/g," ").replaceAll("_"," ")}type({id:e,summary:t,capability:i}){let r=this.hass.states[e];if(!r)return t||this.kind(i);let[a]=e.split("."),l=`component.${a}.entity_component.${r.attributes.device_class}.name`;return this.hass.localize(l)||this.kind(a)}open(e){return this.opened=e,this.whole=void 0,this.guarded(()=>this.read(e.id))}async read(e){let{language:t}=this.hass,i=await $(this.hass,"devices/get",{device:e,language:t}),r=i.components.flatMap(a=>a.commands.map(l=>ht(l,a)[0]));this.actions=await this.hass.loadBackendTranslation("services",this.known(r)),this.opened?.id===e&&(this.whole=i),this.devices=this.devices?.map(a=>a.id===e?{...a,photos:i.photos,level:i.level}:a)}get isEditing(){return this.opened!==void 0||this.chosen!==void 0}choose(e){let t=new Set(this.chosen);t.delete(e)||t.add(e),this.chosen=t}chooseAll(e){let t=new Set(this.chosen),i=e.filter(({id:r})=>!t.has(r));for(let{id:r}of i)t.add(r);i.length||e.forEach(({id:r})=>t.delete(r)),this.chosen=t}setLevels(e){let t=this.devices.filter(({id:i})=>this.chosen.has(i));return this.act(async()=>{for(let i of t.flatMap(r=>r.entities.slice(0,r.controls)))await $(this.hass,"devices/set_risk",{entity_id:i,level:e});return this.chosen=void 0,this.texts("devices.level_saved")})}setRisk(e,t,i){return this.guarded(async()=>(await $(this.hass,"devices/set_risk",{entity_id:i,level:e}),await this.read(t),this.texts("devices.level_saved")))}content(){return o`
      <div class="bar">
        ${R({name:"search",type:"search",label:this.texts("devices.search"),value:this.search,input:e=>{this.search=e}})}
      </div>
      ${this.exposure()} ${this.list()}
      ${this.chosen?bs(this.texts,this.chosen.size,e=>this.setLevels(e)):c}
    `}exposure(){return this.devices?this.exposed===void 0?o`<p class="bar secondary">${this.texts("devices.ask_administrator")}</p>`:o`<div class="bar use">
      <p class="secondary">
        ${this.texts("devices.exposed",{exposed:this.exposed,entities:this.entities??0})}
      </p>
      ${f({label:this.texts("devices.expose"),click:()=>J(Hi)})}
      ${f({label:this.texts(this.chosen?"cancel":"devices.choose"),click:()=>{this.chosen=this.chosen?void 0:new Set}})}
    </div>`:c}list(){if(!this.devices)return c;let{language:e}=this.hass,t=this.search.toLocaleLowerCase(e).split(/\s+/).filter(Boolean),i=this.devices.filter(({name:a,area:l,kinds:d})=>{if(!t.length)return!0;let h=d.map(m=>this.kind(m)),v=[a,l,...d,...h].join(" ").toLocaleLowerCase(e);return t.every(m=>v.includes(m))});if(!i.length)return o`<p class="empty">
        ${b("mdi:devices")}
        ${this.texts(this.devices.length?"devices.none_found":"devices.none")}
      </p>`;let r=new Map;for(let a of i){let l=a.area??"";r.set(l,r.get(l)??[]),r.get(l).push(a)}return o`${I(r,([a])=>a,([a,l])=>{let d=a||this.texts("devices.no_area");return o`<section aria-label=${d}>
          ${this.heading(d,l)}
          <ha-card>
            <ul class="plain list">
              ${I(l,({id:h})=>h,h=>this.line(h))}
            </ul>
          </ha-card>
        </section>`})}`}heading(e,t){let i=t.filter(({controls:r})=>r);return o`<div class="heading">
      <h2>${e}</h2>
      ${this.chosen&&i.length?O("mdi:checkbox-multiple-marked-outline",this.texts("devices.choose_area",{area:e}),()=>this.chooseAll(i)):c}
    </div>`}line(e){let t=this.hass.states[e.entities[0]??""],i=this.chosen?.has(e.id),r=[e,t,i,this.parts,this.titles,this.narrow];return o`<li class="device">
      ${gs(r,()=>this.drawnLine(e,t,i))}
    </li>`}drawnLine(e,t,i){let r=[...e.kinds.map(a=>this.kind(a)),e.photos?this.texts("devices.photos",{count:e.photos}):""];return o`
      ${i===void 0?c:o`<input
              type="checkbox"
              aria-label=${e.name}
              .checked=${i}
              ?disabled=${!e.controls}
              @change=${()=>this.choose(e.id)}
            />`}
      <button class="item" aria-haspopup="dialog" @click=${()=>this.open(e)}>
        ${t&&customElements.get("ha-state-icon")?o`<ha-state-icon
                aria-hidden="true"
                .hass=${this.hass}
                .stateObj=${t}
              ></ha-state-icon>`:b("mdi:devices")}
        <span class="text">
          <span class="headline">${e.name}</span>
          <span class="supporting">${r.filter(Boolean).join(" · ")}</span>
        </span>
        ${e.level==="ask"||e.level==="never"?o`<span class="badge ${e.level==="ask"?"warning":"error"}"
                >${this.texts(`devices.level.${e.level}`)}</span
              >`:c}
        ${t?o`<span class="meta">${this.hass.formatEntityState(t)}</span>`:c}
      </button>
    `}sheet(){let{opened:e,whole:t}=this;if(!e)return;let i=()=>{this.opened=void 0,this.whole=void 0};return{title:e.name,content:t?this.details(t):o``,closed:i}}details(e){let t=[e.area,e.model,...e.aliases].filter(Boolean).join(" · ");return o`
      ${t?o`<p class="secondary">${t}</p>`:c}
      ${e.components.map(i=>this.component(e.id,i))}
      ${e.pictures.length||this.hass.user.is_admin?o`<sage-device-photos
              .hass=${this.hass}
              .texts=${this.texts}
              .parts=${this.parts}
              .device=${e}
              @changed=${()=>this.guarded(()=>this.read(e.id))}
            ></sage-device-photos>`:c}
      ${e.more?o`<p class="secondary">${this.texts("devices.more",{count:e.more})}</p>`:c}
    `}component(e,t){let i=this.hass.states[t.id],r=t.available?i&&this.hass.formatEntityState(i):this.texts("devices.unavailable");return o`
      <section class="component" aria-label=${t.name}>
        <h3>${t.name}<span class="value">${r}</span></h3>
        ${t.risk?ws(this.texts,t.id,t.risk,a=>this.setRisk(a,e,t.id)):c}
        ${t.notes.map(a=>o`<p class="secondary">${a}</p>`)}
        ${A({header:this.texts("devices.abilities"),secondary:this.type(t),content:()=>fs({hass:this.hass,texts:this.texts,actions:this.actions},t)})}
      </section>
    `}};M.styles=[y.styles,$s,ks,x`
      .bar {
        display: flex;
        gap: 8px;
        padding: 12px 0 0;
      }
      :host([narrow]) .bar {
        padding: 8px 12px 0;
      }
      .use {
        align-items: center;
        flex-wrap: wrap;
      }
      .use > .secondary {
        flex: 1;
        margin: 0;
      }
      .heading {
        align-items: end;
        display: flex;
        justify-content: space-between;
      }
      .heading > ha-icon-button {
        color: var(--secondary-text-color);
        margin-inline-end: 4px;
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
      .component + .component {
        border-top: 1px solid var(--divider-color);
        margin-top: 16px;
      }
      .value {
        float: inline-end;
      }
    `],p([u()],M.prototype,"devices",2),p([u()],M.prototype,"exposed",2),p([u()],M.prototype,"entities",2),p([u()],M.prototype,"search",2),p([u()],M.prototype,"titles",2),p([u()],M.prototype,"actions",2),p([u()],M.prototype,"opened",2),p([u()],M.prototype,"whole",2),p([u()],M.prototype,"chosen",2),M=p([k("sage-devices")],M);function As(n,s,e){return o`
    <section aria-labelledby="keep">
      <h2 id="keep">${n("memory.keep")}</h2>
      <ha-card>
        <div class="item">
          ${b("mdi:brain")}
          <span class="text">${n("memory.remembering")}</span>
          ${ae({label:n("memory.remembering"),isOn:s.enabled,change:t=>e.set({enabled:t})})}
        </div>
        ${A({id:"retention",header:n("memory.retention"),icon:"mdi:timer-sand",content:()=>Ui(n,s,e)})}
        ${A({id:"forget",header:n("memory.forget"),icon:"mdi:delete-outline",content:()=>Bi(n,e)})}
        <button class="item" @click=${e.exportAll}>
          ${b("mdi:download")}<span class="text">${n("memory.export")}</span>
        </button>
      </ha-card>
    </section>
  `}function Ui(n,s,e){let t=(i,r,a)=>R({name:i,label:r,value:String(a),type:"number",min:0,max:36500,required:!0});return o`<div class="padded">
    ${E(o`${t("days",n("memory.keep_days"),s.retention_days)}
      ${t("requests",n("memory.keep_requests"),s.request_days)}
      ${f({label:n("save"),look:"main",type:"submit"})}
      ${s.has_own_retention?f({label:n("memory.keep_as_household"),click:()=>e.set({household_retention:!0})}):c}`,({days:i,requests:r})=>e.set({retention_days:Number(i),request_days:Number(r)}))}
    <p class="secondary">${n("memory.keep_help")}</p>
  </div>`}function Bi(n,s){return o`<div class="padded">
    ${E(o`${R({name:"topic",label:n("memory.topic_label"),required:!0})}
      ${f({label:n("memory.forget_topic"),look:"danger",type:"submit"})}`,({topic:e})=>s.forget({topic:e},n("memory.forget_topic_ask",{topic:e})))}
    ${E(o`${R({name:"first",label:n("memory.first"),type:"date",required:!0})}
      ${R({name:"last",label:n("memory.last"),type:"date"})}
      ${f({label:n("memory.forget_days"),look:"danger",type:"submit"})}`,({first:e,last:t})=>s.forgetDays(e,t||e))}
    <div class="row end">
      ${f({label:n("memory.forget_all"),look:"danger",click:()=>s.forget({everything:!0},n("memory.forget_all_ask"))})}
    </div>
  </div>`}var zi=250,qi=50,F=class extends y{constructor(){super(...arguments);this.pages={};this.search="";this.typing=0}async load(){let{search:e}=this,[t,i,r]=await Promise.all([$(this.hass,"memory/overview",{}),this.page("told"),this.page("said")]);e===this.search&&(this.overview=t,this.found=e?i.found+r.found:void 0,this.pages={told:i,said:r},this.edited=void 0)}get isEditing(){let e=!!this.shadowRoot?.activeElement?.closest("form");return this.edited!==void 0||e}page(e,t){return $(this.hass,"memory/list",{group:e,count:qi,...t===void 0?{}:{before:t},...this.search?{search:this.search}:{}})}async more(e){let t=this.pages[e].memories,i=await this.page(e,t.at(-1).id);this.pages={...this.pages,[e]:{...i,memories:[...t,...i.memories]}}}find(e){this.search=e.trim(),window.clearTimeout(this.typing),this.typing=window.setTimeout(()=>this.act(async()=>{}),zi)}remember({text:e},t){return this.act(async()=>(await S(this.hass,"remember",{text:e}),Ft(t),this.texts("memory.remembered")))}correct(e,t){return this.act(async()=>(await S(this.hass,"correct_memory",{id:e,text:t}),this.texts("memory.corrected")))}async forget(e,t){await this.agrees(`${t} ${this.texts("memory.forget_log")}`)&&await this.act(async()=>{let{forgotten:i}=await S(this.hass,"forget",e);return i?this.texts.counted("memory.forgotten",i):this.texts("memory.forgotten_none")})}forgetDays(e,t){let i={first:this.day(e),last:this.day(t)};return this.forget({first_day:e,last_day:t},this.texts("memory.forget_days_ask",i))}forgetDay(e){return this.forget({first_day:e},this.texts("memory.forget_day_ask",{day:this.day(e)}))}rebuild(){return this.guarded(async()=>{let{error:e,days_left:t}=await S(this.hass,"rebuild_profile",{});return await this.load(),e||(t?this.texts.counted("memory.rebuild_unfinished",t):this.texts(this.overview?.profile.text?"memory.rebuilt":"memory.rebuilt_none"))})}set(e){return this.act(async()=>(await S(this.hass,"set_memory",e),this.texts("memory.saved")))}export(){return this.guarded(async()=>{let e=await S(this.hass,"export_memory",{}),t=new Blob([JSON.stringify(e,null,2)],{type:"application/json"}),i=document.createElement("a");return i.href=URL.createObjectURL(t),i.download="sage-memory.json",i.click(),URL.revokeObjectURL(i.href),this.texts("memory.exported")})}content(){let{overview:e}=this;return e?o`
      <div class="search" role="search">
        ${R({name:"search",type:"search",label:this.texts("memory.search_label"),value:this.search,input:t=>this.find(t)})}
      </div>
      <div role="status">
        ${this.found===void 0?c:o`<p class="secondary">
                ${this.found?this.texts.counted("memory.found",this.found):this.texts("memory.found_none")}
              </p>`}
      </div>
      <p class="secondary">
        ${this.texts(e.settings.enabled?"memory.is_on":"memory.is_off")}
      </p>
      ${this.told(e)} ${this.found===void 0?this.concluded(e):c}
      ${this.said()}
      ${this.found===void 0?o`<sage-voice
                .hass=${this.hass}
                .texts=${this.texts}
                .parts=${this.parts}
              ></sage-voice>
              ${As(this.texts,e.settings,{set:t=>this.set(t),forget:(t,i)=>this.forget(t,i),forgetDays:(t,i)=>this.forgetDays(t,i),exportAll:()=>this.export()})}`:c}
    `:c}told({settings:e}){return o`
      <section aria-labelledby="told">
        <h2 id="told">${this.texts("memory.told")}</h2>
        <ha-card>
          ${this.list("told",this.texts("memory.told_none"))}
          ${e.enabled&&this.found===void 0?E(o`${R({name:"text",label:this.texts("memory.tell_label"),required:!0,maxlength:4e3})}
                  ${f({label:this.texts("memory.tell"),type:"submit"})}`,(t,i)=>this.remember(t,i),{className:"row add"}):c}
        </ha-card>
      </section>
    `}concluded({profile:e,days:t}){return o`
      <section aria-labelledby="concluded">
        <h2 id="concluded">${this.texts("memory.concluded")}</h2>
        <ha-card>
          <div class="padded">
            ${e.text?o`<p class="profile">${e.text}</p>
                    <p class="secondary">
                      ${this.texts("memory.made",{at:this.dateTime(e.made_at),days:this.texts.counted("memory.of_days",e.dates.length)})}
                    </p>`:o`<p class="secondary">${this.texts("memory.no_profile")}</p>`}
            ${e.corrections.length?o`<h3>${this.texts("memory.corrections")}</h3>
                    <ul>
                      ${e.corrections.map(({text:i})=>o`<li>${i}</li>`)}
                    </ul>`:c}
            ${f({label:this.texts("memory.rebuild"),icon:"mdi:refresh",click:()=>this.rebuild()})}
          </div>
          ${t.length?A({header:this.texts.counted("memory.days",t.length),icon:"mdi:calendar",content:()=>o`<ul class="plain list">
                      ${t.map(({date:i,text:r})=>o`<li>
                            <div class="item">
                              <span class="text">
                                <span class="headline">${r}</span>
                                <span class="supporting">${this.day(i)}</span>
                              </span>
                            </div>
                            ${O("mdi:delete-outline",this.texts("memory.forget_day",{day:this.day(i)}),()=>this.forgetDay(i))}
                          </li>`)}
                    </ul>`}):c}
        </ha-card>
      </section>
    `}said(){return o`
      <section aria-labelledby="said">
        <h2 id="said">${this.texts("memory.rest")}</h2>
        <ha-card>${this.list("said",this.texts("memory.rest_none"))}</ha-card>
      </section>
    `}list(e,t){let i=this.pages[e];return i?i.memories.length?o`
      <ul class="plain list" data-group=${e}>
        ${I(i.memories,r=>r.id,r=>o`<li>${this.line(r)}</li>`)}
      </ul>
      ${i.has_more?o`<div class="more">
              ${f({label:this.texts("more"),click:()=>this.guarded(()=>this.more(e))})}
            </div>`:c}
    `:o`<p class="empty">
        ${this.found===void 0?t:this.texts("memory.found_none")}
      </p>`:c}line(e){if(e.id===this.edited)return E(o`${R({name:"text",label:this.texts("memory.correct_label"),value:e.text,required:!0,maxlength:4e3})}
        ${f({label:this.texts("save"),look:"main",type:"submit"})}
        ${f({label:this.texts("cancel"),click:()=>this.edit()})}`,({text:d})=>this.correct(e.id,d));let{text:t,place:i,count:r,origin:a}=e,l=[this.dateTime(e.at),i??"",a==="corrected"?this.texts("memory.correction"):"",r>1?this.texts("memory.times",{count:r}):""];return o`
      <div class="item">
        <span class="text">
          ${e.question?o`<span class="supporting">${e.question}</span>`:c}
          <span class="headline">${t}</span>
          <span class="supporting">${l.filter(Boolean).join(" · ")}</span>
        </span>
      </div>
      ${O("mdi:pencil-outline",this.texts("memory.correct_it",{text:t}),()=>this.edit(e.id))}
      ${O("mdi:delete-outline",this.texts("memory.delete_it",{text:t}),()=>this.forget({ids:[e.id]},this.texts("memory.delete_ask",{text:t})))}
    `}async edit(e){this.edited=e,await this.updateComplete,this.renderRoot.querySelector("li [name=text]")?.focus()}};F.styles=[y.styles,x`
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
    `],p([u()],F.prototype,"overview",2),p([u()],F.prototype,"pages",2),p([u()],F.prototype,"search",2),p([u()],F.prototype,"found",2),p([u()],F.prototype,"edited",2),F=p([k("sage-memory")],F);var ge=1e3;function ut(n,s){let e=Date.parse(n.since),t=i=>Math.max(0,Math.min(1,(Date.parse(i)-e)/864e5))*ge;return o`<svg
    class="day"
    viewBox="0 0 ${ge} 32"
    preserveAspectRatio="none"
    role="img"
    aria-label=${s}
  >
    <rect class="empty" y="10" width=${ge} height="12" rx="4" />
    ${n.true.map(([i,r])=>de`<rect class="so" y="10" height="12" x=${t(i)} width=${Math.max(3,t(r)-t(i))} />`)}
    ${n.moments.map(i=>de`<rect class="moment" y="2" height="28" width="3" x=${t(i)-1} />`)}
  </svg>`}function Es(n,s,e){let t=[0,6,12,18,24].map(i=>Date.parse(n)+i*36e5);return o`${s}
    <div class="hours" aria-hidden="true">
      ${t.map(i=>o`<span>${e(new Date(i).toISOString())}</span>`)}
    </div>`}var Te=60,Ni=60;function Ss(n,s,e,t){let i=Math.max(...n.map(({value:d})=>d),0);if(!i)return c;let r=new Map(n.map(({day:d,value:h})=>[d,h])),a=s.slice(-Ni),l=ge/a.length;return o`
    <svg
      class="bars"
      viewBox="0 0 ${ge} ${Te}"
      preserveAspectRatio="none"
      role="img"
      aria-label=${e}
    >
      <line class="axis" x1="0" x2=${ge} y1=${Te-.5} y2=${Te-.5} />
      ${a.map((d,h)=>{let v=r.get(d)??0,m=v/i*(Te-4),w=h*l+l*.1;return de`<rect class="so" x=${w} width=${l*.8} y=${Te-m} height=${m}>
          <title>${t(d,v)}</title>
        </rect>`})}
    </svg>
  `}var We=30,Ps="/config/integrations/integration/sage",ji=1e6,Ii=["calls","tokens","cost","seconds"],Cs=["input","cached","output"],te=class extends y{constructor(){super(...arguments);this.currency=""}async load(){let e=await $(this.hass,"models/list",{days:We});this.settings=await this.hass.loadBackendTranslation("selector","sage"),this.agents=e.agents,this.currency=e.currency}get isEditing(){return!!this.shadowRoot?.activeElement?.closest("form")}setPrice(e,t){let i=Cs.filter(a=>e[a]),r=Object.fromEntries(i.map(a=>[a,Number(e[a])]));return this.act(async()=>(await $(this.hass,"models/set_price",{agent:t,...r}),this.texts("models.price_saved")))}content(){return this.agents?.length===0?o`<div class="empty">
        ${b("mdi:creation-outline")}${this.texts("models.none")}
        <p>
          ${f({label:this.texts("models.change"),look:"main",click:()=>J(Ps)})}
        </p>
      </div>`:o`${this.agents?.map(e=>o`<ha-card><section aria-label=${e.name}>${this.agent(e)}</section></ha-card>`)}`}agent(e){let t=[e.model,e.server].filter(Boolean).join(" · ");return o`
      <div class="item">
        ${b("mdi:creation-outline")}
        <span class="text">
          <h3 class="headline">${e.name}</h3>
          <span class="supporting">${t}</span>
        </span>
        ${f({label:this.texts("models.change"),icon:"mdi:cog-outline",click:()=>J(Ps)})}
      </div>
      ${e.days.length?this.usage(e):o`<p class="empty">${this.texts("models.unused")}</p>`}
      ${this.prices(e)}
      ${A({header:this.texts("models.advanced"),icon:"mdi:tune",content:()=>o`<p class="padded">
            ${this.texts("models.formats",{format:this.format(e.format),formats:e.formats.map(i=>this.format(i)).join(", ")})}
            ${this.texts("models.how")}
          </p>`})}
    `}format(e){return this.settings?.(`component.sage.selector.decision_format.options.${e}`)||e}usage(e){let t=this.lastDays(),i=Ii.filter(a=>a!=="cost"||e.price),r=o`<div>
      <div class="secondary">${this.texts("models.column.cost")}</div>
      <div class="number">${this.texts("models.cost_unknown")}</div>
      <div class="secondary">${this.texts("models.enter_prices")}</div>
    </div>`;return o`
      <div class="padded charts">
        ${i.map(a=>{let l=e.days.map(v=>({day:v.day,value:Os(v,a,e.price)})),d=this.shown(a,l.reduce((v,{value:m})=>v+m,0)),h=this.texts(`models.${a}`,{total:d,days:We});return o`<div>
            <div class="secondary">${this.texts(`models.column.${a}`)}</div>
            <div class="number">${d}</div>
            ${Ss(l,t,h,(v,m)=>`${this.day(v)}: ${this.shown(a,m)}`)}
            <div class="hours" aria-hidden="true">
              <span>${this.day(t[0])}</span><span>${this.day(t.at(-1))}</span>
            </div>
          </div>`})}
        ${e.price?c:r}
      </div>
      ${A({header:this.texts("models.by_day"),icon:"mdi:calendar",content:()=>this.table(e,i)})}
    `}table(e,t){return o`<div class="padded">
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">${this.texts("models.day")}</th>
              ${t.map(i=>o`<th scope="col">${this.texts(`models.column.${i}`)}</th>`)}
              <th scope="col">${this.texts("models.column.failed")}</th>
            </tr>
          </thead>
          <tbody>
            ${[...e.days].reverse().map(i=>o`<tr>
                  <th scope="row">${this.day(i.day)}</th>
                  ${t.map(r=>o`<td>${this.shown(r,Os(i,r,e.price))}</td>`)}
                  <td>${this.number(i.failed)}</td>
                </tr>`)}
          </tbody>
        </table>
      </div>
      <p class="secondary">${this.texts("models.failed")}</p>
    </div>`}lastDays(){let e=new Intl.DateTimeFormat("en-CA",{timeZone:this.hass.config.time_zone}),t=Date.now();return Array.from({length:We},(i,r)=>e.format(t-(We-1-r)*864e5))}shown(e,t){return e==="cost"?t.toLocaleString(this.hass.language,{style:"currency",currency:this.currency,maximumFractionDigits:4}):this.number(t,e==="seconds"?1:0)}prices(e){return A({header:this.texts("models.prices",{currency:this.currency}),icon:"mdi:cash",content:()=>o`<div class="padded">
          ${E(o`${Cs.map(t=>R({name:t,label:this.texts(`models.price.${t}`),type:"number",min:0,max:1e5,value:String(e.price?.[t]??"")}))}
            ${f({label:this.texts("save"),look:"main",type:"submit"})}`,t=>this.setPrice(t,e.id))}
          <p class="secondary">${this.texts("models.prices_info")}</p>
        </div>`})}};te.styles=[y.styles,ue,x`
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
    `],p([u()],te.prototype,"agents",2),p([u()],te.prototype,"currency",2),p([u()],te.prototype,"settings",2),te=p([k("sage-models")],te);function Os(n,s,e){switch(s){case"tokens":return n.prompt_tokens+n.completion_tokens;case"cost":return Fi(n,e??{});default:return n[s]}}function Fi(n,{input:s=0,cached:e=s,output:t=0}){return((n.prompt_tokens-n.cached_tokens)*s+n.cached_tokens*e+n.completion_tokens*t)/ji}var Vi="and as assert break class continue def del elif else except finally for from if import in is lambda not or pass raise return try while with True False None",Wi=new RegExp(["(?<comment>#.*)",`(?<string>"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')`,`(?<keyword>\\b(?:${Vi.split(" ").join("|")})\\b)`,"(?<number>\\b\\d[\\d_.]*\\b)","(?<call>\\b[A-Za-z_]\\w*(?=\\())"].join("|"),"g");function Ki(n){let s=[],e=0;for(let t of n.matchAll(Wi)){let[i]=Object.entries(t.groups??{}).find(([,r])=>r!==void 0);s.push(n.slice(e,t.index),o`<span class=${i}>${t[0]}</span>`),e=t.index+t[0].length}return[...s,n.slice(e)]}var le=class extends L{constructor(){super(...arguments);this.value="";this.label=""}render(){return o`<pre role="group" tabindex="0" aria-label=${this.label}>
${Ki(this.value)}</pre>`}};le.styles=[je,x`
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
    `],p([T()],le.prototype,"value",2),p([T()],le.prototype,"label",2),le=p([k("sage-code")],le);function Ls(n,s,e,t){let{texts:i}=n;return o`
    <p class="secondary">${i("routines.number",{number:s.number})}</p>
    ${Gi(i,s)} ${t?Zi(t):c}
    ${e?Qi(n,e):c}
  `}function Gi(n,{does:s,action:e}){return s&&"commands"in s?o`<ul>
      ${s.commands.map(({device:t,command:i,arguments:r})=>o`<li><strong>${t}</strong>: <code>${i}</code> ${Ji(r)}</li>`)}
    </ul>`:s&&"words"in s?o`<p>${n("routines.tells",{words:s.words})}</p>`:o`<p>${n("routines.decides",{action:e})}</p>`}function Qi({texts:n,number:s,duration:e},t){return o`
    <p class="secondary">
      ${n("routines.code_info",{interval:s(t.interval??0)})}
      ${t.hold?n("routines.code_hold",{time:e(t.hold)}):n("routines.code_no_hold")}
    </p>
    <sage-code .value=${t.code??""} .label=${n("routines.code")}></sage-code>
    ${t.end_code?o`<p class="secondary">${n("routines.end_code")}</p>
            <sage-code .value=${t.end_code} .label=${n("routines.end_code")}></sage-code>`:c}
  `}function Zi({reads:n=[]}){return o`<ul>
    ${n.map(s=>o`<li>
          <code
            >${s.function}(${s.arguments.map(e=>JSON.stringify(e)).join(", ")})</code
          >
          =
          <code>${s.is_unknown?"?":s.error??JSON.stringify(s.value)}</code>
        </li>`)}
  </ul>`}function Ji(n){return Object.entries(n).map(([s,e])=>`${s}: ${JSON.stringify(e)}`).join(", ")}var Yi=20,Xi=6e4;function Ds(n,s,e){return"problem"in s?o`<p class="secondary">${n(`routines.problem.${s.problem}`)}</p>`:o`
    <h3>${n("routines.last_day")}</h3>
    ${Es(s.since,ut(...Hs(n,s,e)),e)}
    <p class="secondary">
      ${n("routines.would_have_fired",{count:s.would_have_fired.length})}
    </p>
  `}function Hs(n,s,e){let t=s.true.map(([a,l])=>`${e(a)} – ${e(l)}`),i=t.length?t.slice(0,Yi).join(", "):n("routines.never");return[{since:s.since,true:s.true,moments:s.would_have_fired},n("routines.day",{times:i})]}var Ms=Promise.resolve(),V=class extends L{constructor(){super(...arguments);this.isInSight=!1;this.asked="";this.askedAt=0;this.sight=new IntersectionObserver(e=>{this.isInSight=e.some(({isIntersecting:t})=>t),this.askAgain()})}connectedCallback(){super.connectedCallback(),this.sight.observe(this)}disconnectedCallback(){super.disconnectedCallback(),this.sight.disconnect()}updated(e){e.has("routine")&&this.askAgain()}askAgain(){let{id:e,is_true:t,fired:i}=this.routine,r=`${e} ${t} ${i}`;this.isInSight&&r!==this.asked&&Date.now()-this.askedAt>Xi&&(this.asked=r,this.askedAt=Date.now(),Ms=Ms.then(()=>this.load(e)).catch(()=>{}))}async load(e){if(this.isConnected){let{last_24_hours:t}=await S(this.hass,"test_routine",{routine:e});this.day="problem"in t?void 0:t,this.hidden=!this.day}}render(){return this.day?ut(...Hs(this.texts,this.day,this.clock)):c}};V.styles=[ue,x`
      :host {
        /* Its space is there before the line is. */
        display: block;
        height: 16px;
        margin-top: 4px;
      }
      :host([hidden]) {
        display: none;
      }
      svg.day {
        height: 16px;
      }
    `],p([T({attribute:!1})],V.prototype,"hass",2),p([T({attribute:!1})],V.prototype,"texts",2),p([T({attribute:!1})],V.prototype,"routine",2),p([T({attribute:!1})],V.prototype,"clock",2),p([u()],V.prototype,"day",2),V=p([k("sage-routine-day")],V);function Us(n,s,e){let t={label:n("yes"),look:"main"},i=R({name:"answer",label:n(s.takes_pin?"routines.pin":"routines.your_answer"),type:s.takes_pin?"password":"text",isNumeric:s.takes_pin,required:!0});return o`
    <div class="question" role="group" aria-label=${s.text}>
      <p><strong>${s.text}</strong></p>
      ${E(o`${s.wanted==="yes_or_no"?f({...t,click:()=>e(s.yes)}):o`${i}
              ${f({label:n("routines.send"),look:"main",type:"submit"})}`}
        ${s.wanted==="text"?c:f({label:n("no"),click:()=>e(s.no)})}`,({answer:r})=>e(r))}
    </div>
  `}function mt(n,{kind:s,line:e,detail:t}){return o`
    ${e?n("routines.line",{line:e}):c} ${n(`routines.fault.${s}`)}
    ${t?o`<code lang="en">${t}</code>`:c}
  `}function Bs(n,s,e){return o`
    <div class="test" role="status">
      <p>${s.error?mt(n,s.error):en(n,s)}</p>
      ${Ds(n,s.last_24_hours,e)}
    </div>
  `}function en(n,{value:s}){return n(s===null?"routines.now_unknown":s?"routines.is_true":"routines.is_false")}var H=new Map;function zs(n,s,e){let t=H.get(s)??{conversation:null,reply:"",words:n};if(t.answer)return;let i=tn(s,{...t,words:n},e);return H.set(s,{...t,words:n,answer:i}),i}async function tn(n,s,{hass:e,agent:t,ids:i,load:r}){H.set(n,s);let a=i();try{let{response:l,conversation_id:d}=await e.callWS({type:"conversation/process",text:s.words,agent_id:t,conversation_id:s.conversation,language:e.language}),h=l.speech.plain?.speech??"";return await r(),[...i()].every(v=>a.has(v))?(H.set(n,{...s,conversation:d,reply:h,words:""}),""):(s.replaces&&await S(e,"delete_routine",{routine:s.replaces}),H.delete(n),h)}catch(l){throw H.set(n,s),l}}function qs(n,s,e,t){let i=H.get(s),r=!!i?.answer,a=n(i?.reply?"routines.your_answer":s?"routines.new_words":"routines.sentence");return o`
    <div aria-busy=${r}>
      <div role="status">
        ${i?.reply?o`<p>${i.reply}</p>`:c}
        ${r?o`<p class="row">${pe()}${n("card.working")}</p>`:c}
      </div>
      ${E(o`${R({name:"words",label:a,value:i?.words??"",required:!0,maxlength:1e3,readonly:r})}
        ${f({label:n("routines.send"),look:"main",type:"submit",disabled:r})}
        ${!r&&(i?.replaces||i?.reply)?f({label:n("cancel"),click:t}):c}`,({words:l})=>e(l))}
    </div>
  `}var sn=20,U=class extends y{constructor(){super(...arguments);this.others=[];this.questions=[];this.agent=null;this.unreadable=0;this.clockOf=e=>this.clock(e)}firstUpdated(e){this.loaded?.then(()=>this.showLinked());for(let{answer:t}of H.values())t&&this.act(()=>t)}showLinked(){let e=this.routines?.find(({id:t})=>t===this.path);if(!(!this.path||!this.routines))return e?this.open(e):this.guarded(async()=>this.texts("routines.gone"))}willUpdate(e){let t=e.get("hass"),i=[...this.routines??[],...this.others].map(({entity_id:l})=>l),{states:r,entities:a}=this.hass;t&&(t.entities!==a||i.some(l=>t.states[l]!==r[l]))&&this.refresh()}async load(){let e=await $(this.hass,"routines/list",this.wording);this.routines=e.routines,this.others=e.others,this.questions=e.questions,this.agent=e.agent,this.unreadable=e.unreadable}open(e){return this.opened=e.id,this.whole=void 0,this.tested=void 0,this.guarded(async()=>{if(Ke(e)){let t={routine:e.id,...this.wording};this.whole=await $(this.hass,"routines/get",t),e.is_household||(this.tested=await S(this.hass,"test_routine",{routine:e.id}))}})}get wording(){return{language:this.hass.language,has_twelve_hours:Ue(this.hass)}}test(e){return this.guarded(async()=>{this.tested=await S(this.hass,"test_routine",{routine:e})})}pause(e){let t=e.status==="watching"?"pause_routine":"resume_routine";return this.act(async()=>{await S(this.hass,t,{routine:e.id})})}async delete(e,t){await this.agrees(this.texts("routines.delete_question",{routine:t}))&&await this.act(async()=>(await S(this.hass,"delete_routine",{routine:e.id}),this.texts("routines.deleted")))}reply(e,t){return this.act(async()=>(await Yt(this.hass,e.routine,t),this.questions=this.questions.filter(({id:i})=>i!==e.id),this.texts("routines.answered")))}speak(e,t){let i=zs(e,t,{hass:this.hass,agent:this.agent,ids:()=>new Set(this.routines?.map(({id:r})=>r)),load:()=>this.load()});return i&&this.act(()=>i)}edit({id:e,request:t}){H.set(e,{replaces:e,conversation:null,reply:"",words:t}),this.requestUpdate()}words(e){let t=()=>{H.delete(e),this.requestUpdate()};return qs(this.texts,e,i=>this.speak(i,e),t)}content(){return o`
      ${this.agent?o`<ha-card class="new">
              <section class="padded" aria-label=${this.texts("routines.new")}>
                ${this.words("")}
              </section>
            </ha-card>`:c}
      ${this.unreadable?o`<p class="failed">
              ${this.texts("routines.unreadable",{count:this.unreadable})}
            </p>`:c}
      ${this.strangeQuestions()} ${this.list()} ${this.ofOthers()}
    `}list(){if(!this.routines)return c;if(!this.routines.length)return o`<div class="empty">
        ${b("mdi:calendar-clock")}${this.texts("routines.none")}
      </div>`;let e=this.routines.filter(i=>Ke(i)&&!i.is_household),t=new Set(e.slice(0,sn).map(({id:i})=>i));return o`${this.zone()}
      <ha-card>
        <ul class="plain list" id="routines">
          ${I(this.routines,({id:i})=>i,i=>this.line(i,t.has(i.id)))}
        </ul>
      </ha-card>`}zone(){let{time_zone:e}=this.hass.config,t=_e(this.hass)??Intl.DateTimeFormat().resolvedOptions().timeZone;return t===e?c:o`<p class="secondary zone">${this.texts("routines.zone",{home:e,own:t})}</p>`}line(e,t){let i=this.questions.filter(({routine:l})=>l===e.id),r=e.status==="watching",a=[r?"":this.status(e),e.is_household?this.texts("routines.household"):"",this.next(e)];return o`<li class=${r?"on":"off"}>
        <button class="item" aria-haspopup="dialog" @click=${()=>this.open(e)}>
          ${b(Ke(e)?"mdi:flash-outline":"mdi:clock-outline")}
          <span class="text">
            <span class="headline">${e.says}</span>
            <span class="supporting">${a.filter(Boolean).join(" · ")}</span>
            ${t?o`<sage-routine-day
                    .hass=${this.hass}
                    .texts=${this.texts}
                    .routine=${e}
                    .clock=${this.clockOf}
                  ></sage-routine-day>`:c}
          </span>
          ${e.trouble?o`<span class="badge error">${this.texts("routines.trouble")}</span>`:c}
        </button>
        ${this.switch(e,e.says)}
      </li>
      ${i.map(l=>o`<li>${this.asked(l)}</li>`)}`}switch(e,t){return e.status==="ended"?c:ae({label:t,isOn:e.status==="watching",change:()=>this.pause(e)})}status(e){return this.texts(`routines.status.${e.status}`)}next(e){return e.status==="paused"&&e.paused_until?this.texts("routines.until",{time:this.dateTime(e.paused_until)}):e.status!=="watching"?"":e.is_true!==null?this.texts(e.is_true?"routines.is_true":"routines.is_false"):e.next_check?this.texts("routines.next",{time:this.dateTime(e.next_check)}):""}sheet(){let e=this.routines?.find(({id:i})=>i===this.opened);if(!e)return;let t=()=>{this.opened=void 0};return{title:e.says,content:this.details(e),closed:t}}details(e){let t=this.questions.filter(({routine:i})=>i===e.id);return o`
      <div class="row">
        <span class="grow status">${this.status(e)}</span>
        ${this.switch(e,e.says)}
      </div>
      ${e.trouble?o`<p class="failed">${mt(this.texts,e.trouble)}</p>`:c}
      ${t.map(i=>this.asked(i))}
      ${e.request?o`<p>${this.texts("routines.request",{words:e.request})}</p>`:c}
      <p class="secondary">${this.times(e)}</p>
      ${H.has(e.id)?this.words(e.id):c}
      ${this.tested?Bs(this.texts,this.tested,this.clockOf):c}
      <div class="row">
        ${e.is_household?c:this.ownButtons(e)}
        ${f({label:this.texts("delete"),look:"danger",icon:"mdi:delete-outline",click:()=>this.delete(e,e.says)})}
      </div>
      ${A({header:this.texts("routines.advanced"),content:()=>{let i=l=>this.number(l),r=l=>this.duration(l),a={texts:this.texts,number:i,duration:r};return Ls(a,e,this.whole,this.tested)}})}
    `}ownButtons(e){return o`
      ${this.agent&&!H.has(e.id)?f({label:this.texts("routines.edit"),icon:"mdi:pencil",click:()=>this.edit(e)}):c}
      ${Ke(e)?f({label:this.texts("routines.test"),icon:"mdi:play-outline",click:()=>this.test(e.id)}):c}
    `}times(e){let t=[this.next(e),this.texts("routines.fired",{count:e.fired})];return e.last_fired&&t.push(this.texts("routines.last",{time:this.dateTime(e.last_fired)})),e.is_true!==null&&e.next_check&&e.status==="watching"&&t.push(this.texts("routines.next_check",{time:this.dateTime(e.next_check)})),t.filter(Boolean).join(" · ")}asked(e){return Us(this.texts,e,t=>this.reply(e,t))}strangeQuestions(){let e=new Set(this.routines?.map(({id:t})=>t));return this.questions.filter(({routine:t})=>!e.has(t)).map(t=>o`<ha-card>${this.asked(t)}</ha-card>`)}ofOthers(){if(!this.others.length)return c;let e=({number:t})=>this.texts("routines.number",{number:t});return o`<ha-card>
      ${A({id:"others",header:this.texts("routines.others",{count:this.others.length}),icon:"mdi:account-group-outline",content:()=>o`<ul class="plain list">
            ${this.others.map(t=>o`<li>
                  <div class="item">
                    <span class="text">
                      <span class="headline">${e(t)}</span>
                      <span class="supporting"
                        >${this.status(t)} ·
                        ${this.texts("routines.fired",{count:t.fired})}</span
                      >
                    </span>
                  </div>
                  ${O("mdi:delete-outline",this.texts("delete"),()=>this.delete(t,e(t)))}
                  ${this.switch(t,e(t))}
                </li>`)}
          </ul>`})}
    </ha-card>`}};U.styles=[y.styles,ue,x`
      .new {
        margin-top: 16px;
      }
      :host([narrow]) .new {
        margin-top: 8px;
      }
      .zone {
        padding: 0 16px;
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
    `],p([u()],U.prototype,"routines",2),p([u()],U.prototype,"others",2),p([u()],U.prototype,"questions",2),p([u()],U.prototype,"agent",2),p([u()],U.prototype,"unreadable",2),p([u()],U.prototype,"opened",2),p([u()],U.prototype,"whole",2),p([u()],U.prototype,"tested",2),U=p([k("sage-routines")],U);function Ke({interval:n}){return n!==void 0}var nn=[{path:"activity",icon:"mdi:history"},{path:"routines",icon:"mdi:calendar-clock"},{path:"memory",icon:"mdi:brain"},{path:"devices",icon:"mdi:devices"},{path:"models",icon:"mdi:chart-bar",needsAdmin:!0},{path:"accounts",icon:"mdi:account-circle-outline",isLast:!0}],W=class extends L{constructor(){super(...arguments);this.narrow=!1;this.parts=0;this.language=""}willUpdate(e){e.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,this.prepare(this.hass))}async prepare(e){[this.texts]=await Promise.all([Wt(e),jt()]),await ot(),this.parts+=1}get tabs(){return nn.filter(e=>!e.needsAdmin||this.hass?.user.is_admin)}render(){if(!this.hass||!this.route)return c;let[e,...t]=this.route.path.split("/").filter(Boolean),i=this.tabs.find(r=>r.path===e)??this.tabs[0];return o`
      ${this.texts?this.header(this.texts,i):c}
      <main>${this.view(i,t.join("/"))}</main>
    `}header(e,t){return o`
      <header>
        ${customElements.get("ha-menu-button")?o`<ha-menu-button .hass=${this.hass} .narrow=${this.narrow}></ha-menu-button>`:o`<button class="menu" aria-label=${e("menu")} @click=${this.toggleMenu}>
                ☰
              </button>`}
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs.filter(i=>!i.isLast).map(i=>this.link(e,i,i===t))}
        </nav>
        <div class="end">
          ${this.tabs.filter(i=>i.isLast).map(i=>this.link(e,i,i===t))}
        </div>
      </header>
    `}link(e,t,i){let r=e(`tabs.${t.path}`),a=b(t.icon),l=t.isLast&&a!==c;return o`<a
      href="${this.route.prefix}/${t.path}"
      title=${l?r:c}
      aria-label=${l?r:c}
      aria-current=${i?"page":c}
      @click=${Be}
      >${a}<span class=${l?"wide":""}>${r}</span></a
    >`}view(e,t){let i=Ut(`sage-${e.path}`);return Bt`<${i} .hass=${this.hass} .texts=${this.texts} .path=${t} .parts=${this.parts} .narrow=${this.narrow}></${i}>`}toggleMenu(){this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))}};W.styles=x`
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
    @media (max-width: 1279px) {
      .wide {
        display: none;
      }
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
  `,p([T({attribute:!1})],W.prototype,"hass",2),p([T({type:Boolean,reflect:!0})],W.prototype,"narrow",2),p([T({attribute:!1})],W.prototype,"route",2),p([u()],W.prototype,"texts",2),p([u()],W.prototype,"parts",2),W=p([k("sage-panel")],W);export{W as Panel};
