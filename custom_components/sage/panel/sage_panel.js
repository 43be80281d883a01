var He=Object.defineProperty;var Ue=Object.getOwnPropertyDescriptor;var d=(r,i,t,e)=>{for(var s=e>1?void 0:e?Ue(i,t):i,n=r.length-1,o;n>=0;n--)(o=r[n])&&(s=(e?o(i,t,s):o(s))||s);return e&&s&&He(i,t,s),s};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var ht=globalThis,dt=ht.ShadowRoot&&(ht.ShadyCSS===void 0||ht.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,St=Symbol(),zt=new WeakMap,st=class{constructor(i,t,e){if(this._$cssResult$=!0,e!==St)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=i,this.t=t}get styleSheet(){let i=this.o,t=this.t;if(dt&&i===void 0){let e=t!==void 0&&t.length===1;e&&(i=zt.get(t)),i===void 0&&((this.o=i=new CSSStyleSheet).replaceSync(this.cssText),e&&zt.set(t,i))}return i}toString(){return this.cssText}},Bt=r=>new st(typeof r=="string"?r:r+"",void 0,St),_=(r,...i)=>{let t=r.length===1?r[0]:i.reduce((e,s,n)=>e+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+r[n+1],r[0]);return new st(t,r,St)},Wt=(r,i)=>{if(dt)r.adoptedStyleSheets=i.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of i){let e=document.createElement("style"),s=ht.litNonce;s!==void 0&&e.setAttribute("nonce",s),e.textContent=t.cssText,r.appendChild(e)}},Pt=dt?r=>r:r=>r instanceof CSSStyleSheet?(i=>{let t="";for(let e of i.cssRules)t+=e.cssText;return Bt(t)})(r):r;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:qe,defineProperty:Ne,getOwnPropertyDescriptor:je,getOwnPropertyNames:Ie,getOwnPropertySymbols:ze,getPrototypeOf:Be}=Object,ut=globalThis,Kt=ut.trustedTypes,We=Kt?Kt.emptyScript:"",Ke=ut.reactiveElementPolyfillSupport,it=(r,i)=>r,rt={toAttribute(r,i){switch(i){case Boolean:r=r?We:null;break;case Object:case Array:r=r==null?r:JSON.stringify(r)}return r},fromAttribute(r,i){let t=r;switch(i){case Boolean:t=r!==null;break;case Number:t=r===null?null:Number(r);break;case Object:case Array:try{t=JSON.parse(r)}catch{t=null}}return t}},pt=(r,i)=>!qe(r,i),Vt={attribute:!0,type:String,converter:rt,reflect:!1,useDefault:!1,hasChanged:pt};Symbol.metadata??=Symbol("metadata"),ut.litPropertyMetadata??=new WeakMap;var O=class extends HTMLElement{static addInitializer(i){this._$Ei(),(this.l??=[]).push(i)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(i,t=Vt){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(i)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(i,t),!t.noAccessor){let e=Symbol(),s=this.getPropertyDescriptor(i,e,t);s!==void 0&&Ne(this.prototype,i,s)}}static getPropertyDescriptor(i,t,e){let{get:s,set:n}=je(this.prototype,i)??{get(){return this[t]},set(o){this[t]=o}};return{get:s,set(o){let c=s?.call(this);n?.call(this,o),this.requestUpdate(i,c,e)},configurable:!0,enumerable:!0}}static getPropertyOptions(i){return this.elementProperties.get(i)??Vt}static _$Ei(){if(this.hasOwnProperty(it("elementProperties")))return;let i=Be(this);i.finalize(),i.l!==void 0&&(this.l=[...i.l]),this.elementProperties=new Map(i.elementProperties)}static finalize(){if(this.hasOwnProperty(it("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(it("properties"))){let t=this.properties,e=[...Ie(t),...ze(t)];for(let s of e)this.createProperty(s,t[s])}let i=this[Symbol.metadata];if(i!==null){let t=litPropertyMetadata.get(i);if(t!==void 0)for(let[e,s]of t)this.elementProperties.set(e,s)}this._$Eh=new Map;for(let[t,e]of this.elementProperties){let s=this._$Eu(t,e);s!==void 0&&this._$Eh.set(s,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(i){let t=[];if(Array.isArray(i)){let e=new Set(i.flat(1/0).reverse());for(let s of e)t.unshift(Pt(s))}else i!==void 0&&t.push(Pt(i));return t}static _$Eu(i,t){let e=t.attribute;return e===!1?void 0:typeof e=="string"?e:typeof i=="string"?i.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(i=>this.enableUpdating=i),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(i=>i(this))}addController(i){(this._$EO??=new Set).add(i),this.renderRoot!==void 0&&this.isConnected&&i.hostConnected?.()}removeController(i){this._$EO?.delete(i)}_$E_(){let i=new Map,t=this.constructor.elementProperties;for(let e of t.keys())this.hasOwnProperty(e)&&(i.set(e,this[e]),delete this[e]);i.size>0&&(this._$Ep=i)}createRenderRoot(){let i=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Wt(i,this.constructor.elementStyles),i}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(i=>i.hostConnected?.())}enableUpdating(i){}disconnectedCallback(){this._$EO?.forEach(i=>i.hostDisconnected?.())}attributeChangedCallback(i,t,e){this._$AK(i,e)}_$ET(i,t){let e=this.constructor.elementProperties.get(i),s=this.constructor._$Eu(i,e);if(s!==void 0&&e.reflect===!0){let n=(e.converter?.toAttribute!==void 0?e.converter:rt).toAttribute(t,e.type);this._$Em=i,n==null?this.removeAttribute(s):this.setAttribute(s,n),this._$Em=null}}_$AK(i,t){let e=this.constructor,s=e._$Eh.get(i);if(s!==void 0&&this._$Em!==s){let n=e.getPropertyOptions(s),o=typeof n.converter=="function"?{fromAttribute:n.converter}:n.converter?.fromAttribute!==void 0?n.converter:rt;this._$Em=s;let c=o.fromAttribute(t,n.type);this[s]=c??this._$Ej?.get(s)??c,this._$Em=null}}requestUpdate(i,t,e,s=!1,n){if(i!==void 0){let o=this.constructor;if(s===!1&&(n=this[i]),e??=o.getPropertyOptions(i),!((e.hasChanged??pt)(n,t)||e.useDefault&&e.reflect&&n===this._$Ej?.get(i)&&!this.hasAttribute(o._$Eu(i,e))))return;this.C(i,t,e)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(i,t,{useDefault:e,reflect:s,wrapped:n},o){e&&!(this._$Ej??=new Map).has(i)&&(this._$Ej.set(i,o??t??this[i]),n!==!0||o!==void 0)||(this._$AL.has(i)||(this.hasUpdated||e||(t=void 0),this._$AL.set(i,t)),s===!0&&this._$Em!==i&&(this._$Eq??=new Set).add(i))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let i=this.scheduleUpdate();return i!=null&&await i,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[s,n]of this._$Ep)this[s]=n;this._$Ep=void 0}let e=this.constructor.elementProperties;if(e.size>0)for(let[s,n]of e){let{wrapped:o}=n,c=this[s];o!==!0||this._$AL.has(s)||c===void 0||this.C(s,void 0,n,c)}}let i=!1,t=this._$AL;try{i=this.shouldUpdate(t),i?(this.willUpdate(t),this._$EO?.forEach(e=>e.hostUpdate?.()),this.update(t)):this._$EM()}catch(e){throw i=!1,this._$EM(),e}i&&this._$AE(t)}willUpdate(i){}_$AE(i){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(i)),this.updated(i)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(i){return!0}update(i){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(i){}firstUpdated(i){}};O.elementStyles=[],O.shadowRootOptions={mode:"open"},O[it("elementProperties")]=new Map,O[it("finalized")]=new Map,Ke?.({ReactiveElement:O}),(ut.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Mt=globalThis,Ft=r=>r,mt=Mt.trustedTypes,Gt=mt?mt.createPolicy("lit-html",{createHTML:r=>r}):void 0,Ot="$lit$",D=`lit$${Math.random().toFixed(9).slice(2)}$`,Dt="?"+D,Ve=`<${Dt}>`,V=document,ot=()=>V.createComment(""),at=r=>r===null||typeof r!="object"&&typeof r!="function",Lt=Array.isArray,te=r=>Lt(r)||typeof r?.[Symbol.iterator]=="function",Ct=`[ 	
\f\r]`,nt=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Zt=/-->/g,Jt=/>/g,W=RegExp(`>|${Ct}(?:([^\\s"'>=/]+)(${Ct}*=${Ct}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Qt=/'/g,Yt=/"/g,ee=/^(?:script|style|textarea|title)$/i,Ht=r=>(i,...t)=>({_$litType$:r,strings:i,values:t}),a=Ht(1),Y=Ht(2),se=Ht(3),L=Symbol.for("lit-noChange"),l=Symbol.for("lit-nothing"),Xt=new WeakMap,K=V.createTreeWalker(V,129);function ie(r,i){if(!Lt(r)||!r.hasOwnProperty("raw"))throw Error("invalid template strings array");return Gt!==void 0?Gt.createHTML(i):i}var re=(r,i)=>{let t=r.length-1,e=[],s,n=i===2?"<svg>":i===3?"<math>":"",o=nt;for(let c=0;c<t;c++){let h=r[c],u,x,p=-1,y=0;for(;y<h.length&&(o.lastIndex=y,x=o.exec(h),x!==null);)y=o.lastIndex,o===nt?x[1]==="!--"?o=Zt:x[1]!==void 0?o=Jt:x[2]!==void 0?(ee.test(x[2])&&(s=RegExp("</"+x[2],"g")),o=W):x[3]!==void 0&&(o=W):o===W?x[0]===">"?(o=s??nt,p=-1):x[1]===void 0?p=-2:(p=o.lastIndex-x[2].length,u=x[1],o=x[3]===void 0?W:x[3]==='"'?Yt:Qt):o===Yt||o===Qt?o=W:o===Zt||o===Jt?o=nt:(o=W,s=void 0);let v=o===W&&r[c+1].startsWith("/>")?" ":"";n+=o===nt?h+Ve:p>=0?(e.push(u),h.slice(0,p)+Ot+h.slice(p)+D+v):h+D+(p===-2?c:v)}return[ie(r,n+(r[t]||"<?>")+(i===2?"</svg>":i===3?"</math>":"")),e]},lt=class r{constructor({strings:i,_$litType$:t},e){let s;this.parts=[];let n=0,o=0,c=i.length-1,h=this.parts,[u,x]=re(i,t);if(this.el=r.createElement(u,e),K.currentNode=this.el.content,t===2||t===3){let p=this.el.content.firstChild;p.replaceWith(...p.childNodes)}for(;(s=K.nextNode())!==null&&h.length<c;){if(s.nodeType===1){if(s.hasAttributes())for(let p of s.getAttributeNames())if(p.endsWith(Ot)){let y=x[o++],v=s.getAttribute(p).split(D),b=/([.?@])?(.*)/.exec(y);h.push({type:1,index:n,name:b[2],strings:v,ctor:b[1]==="."?vt:b[1]==="?"?ft:b[1]==="@"?yt:G}),s.removeAttribute(p)}else p.startsWith(D)&&(h.push({type:6,index:n}),s.removeAttribute(p));if(ee.test(s.tagName)){let p=s.textContent.split(D),y=p.length-1;if(y>0){s.textContent=mt?mt.emptyScript:"";for(let v=0;v<y;v++)s.append(p[v],ot()),K.nextNode(),h.push({type:2,index:++n});s.append(p[y],ot())}}}else if(s.nodeType===8)if(s.data===Dt)h.push({type:2,index:n});else{let p=-1;for(;(p=s.data.indexOf(D,p+1))!==-1;)h.push({type:7,index:n}),p+=D.length-1}n++}}static createElement(i,t){let e=V.createElement("template");return e.innerHTML=i,e}};function F(r,i,t=r,e){if(i===L)return i;let s=e!==void 0?t._$Co?.[e]:t._$Cl,n=at(i)?void 0:i._$litDirective$;return s?.constructor!==n&&(s?._$AO?.(!1),n===void 0?s=void 0:(s=new n(r),s._$AT(r,t,e)),e!==void 0?(t._$Co??=[])[e]=s:t._$Cl=s),s!==void 0&&(i=F(r,s._$AS(r,i.values),s,e)),i}var gt=class{constructor(i,t){this._$AV=[],this._$AN=void 0,this._$AD=i,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(i){let{el:{content:t},parts:e}=this._$AD,s=(i?.creationScope??V).importNode(t,!0);K.currentNode=s;let n=K.nextNode(),o=0,c=0,h=e[0];for(;h!==void 0;){if(o===h.index){let u;h.type===2?u=new Q(n,n.nextSibling,this,i):h.type===1?u=new h.ctor(n,h.name,h.strings,this,i):h.type===6&&(u=new $t(n,this,i)),this._$AV.push(u),h=e[++c]}o!==h?.index&&(n=K.nextNode(),o++)}return K.currentNode=V,s}p(i){let t=0;for(let e of this._$AV)e!==void 0&&(e.strings!==void 0?(e._$AI(i,e,t),t+=e.strings.length-2):e._$AI(i[t])),t++}},Q=class r{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(i,t,e,s){this.type=2,this._$AH=l,this._$AN=void 0,this._$AA=i,this._$AB=t,this._$AM=e,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let i=this._$AA.parentNode,t=this._$AM;return t!==void 0&&i?.nodeType===11&&(i=t.parentNode),i}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(i,t=this){i=F(this,i,t),at(i)?i===l||i==null||i===""?(this._$AH!==l&&this._$AR(),this._$AH=l):i!==this._$AH&&i!==L&&this._(i):i._$litType$!==void 0?this.$(i):i.nodeType!==void 0?this.T(i):te(i)?this.k(i):this._(i)}O(i){return this._$AA.parentNode.insertBefore(i,this._$AB)}T(i){this._$AH!==i&&(this._$AR(),this._$AH=this.O(i))}_(i){this._$AH!==l&&at(this._$AH)?this._$AA.nextSibling.data=i:this.T(V.createTextNode(i)),this._$AH=i}$(i){let{values:t,_$litType$:e}=i,s=typeof e=="number"?this._$AC(i):(e.el===void 0&&(e.el=lt.createElement(ie(e.h,e.h[0]),this.options)),e);if(this._$AH?._$AD===s)this._$AH.p(t);else{let n=new gt(s,this),o=n.u(this.options);n.p(t),this.T(o),this._$AH=n}}_$AC(i){let t=Xt.get(i.strings);return t===void 0&&Xt.set(i.strings,t=new lt(i)),t}k(i){Lt(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,e,s=0;for(let n of i)s===t.length?t.push(e=new r(this.O(ot()),this.O(ot()),this,this.options)):e=t[s],e._$AI(n),s++;s<t.length&&(this._$AR(e&&e._$AB.nextSibling,s),t.length=s)}_$AR(i=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);i!==this._$AB;){let e=Ft(i).nextSibling;Ft(i).remove(),i=e}}setConnected(i){this._$AM===void 0&&(this._$Cv=i,this._$AP?.(i))}},G=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(i,t,e,s,n){this.type=1,this._$AH=l,this._$AN=void 0,this.element=i,this.name=t,this._$AM=s,this.options=n,e.length>2||e[0]!==""||e[1]!==""?(this._$AH=Array(e.length-1).fill(new String),this.strings=e):this._$AH=l}_$AI(i,t=this,e,s){let n=this.strings,o=!1;if(n===void 0)i=F(this,i,t,0),o=!at(i)||i!==this._$AH&&i!==L,o&&(this._$AH=i);else{let c=i,h,u;for(i=n[0],h=0;h<n.length-1;h++)u=F(this,c[e+h],t,h),u===L&&(u=this._$AH[h]),o||=!at(u)||u!==this._$AH[h],u===l?i=l:i!==l&&(i+=(u??"")+n[h+1]),this._$AH[h]=u}o&&!s&&this.j(i)}j(i){i===l?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,i??"")}},vt=class extends G{constructor(){super(...arguments),this.type=3}j(i){this.element[this.name]=i===l?void 0:i}},ft=class extends G{constructor(){super(...arguments),this.type=4}j(i){this.element.toggleAttribute(this.name,!!i&&i!==l)}},yt=class extends G{constructor(i,t,e,s,n){super(i,t,e,s,n),this.type=5}_$AI(i,t=this){if((i=F(this,i,t,0)??l)===L)return;let e=this._$AH,s=i===l&&e!==l||i.capture!==e.capture||i.once!==e.once||i.passive!==e.passive,n=i!==l&&(e===l||s);s&&this.element.removeEventListener(this.name,this,e),n&&this.element.addEventListener(this.name,this,i),this._$AH=i}handleEvent(i){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,i):this._$AH.handleEvent(i)}},$t=class{constructor(i,t,e){this.element=i,this.type=6,this._$AN=void 0,this._$AM=t,this.options=e}get _$AU(){return this._$AM._$AU}_$AI(i){F(this,i)}},ne={M:Ot,P:D,A:Dt,C:1,L:re,R:gt,D:te,V:F,I:Q,H:G,N:ft,U:yt,B:vt,F:$t},Fe=Mt.litHtmlPolyfillSupport;Fe?.(lt,Q),(Mt.litHtmlVersions??=[]).push("3.3.3");var oe=(r,i,t)=>{let e=t?.renderBefore??i,s=e._$litPart$;if(s===void 0){let n=t?.renderBefore??null;e._$litPart$=s=new Q(i.insertBefore(ot(),n),n,void 0,t??{})}return s._$AI(r),s};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Ut=globalThis,A=class extends O{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let i=super.createRenderRoot();return this.renderOptions.renderBefore??=i.firstChild,i}update(i){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(i),this._$Do=oe(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return L}};A._$litElement$=!0,A.finalized=!0,Ut.litElementHydrateSupport?.({LitElement:A});var Ge=Ut.litElementPolyfillSupport;Ge?.({LitElement:A});(Ut.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var w=r=>(i,t)=>{t!==void 0?t.addInitializer(()=>{customElements.define(r,i)}):customElements.define(r,i)};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Ze={attribute:!0,type:String,converter:rt,reflect:!1,hasChanged:pt},Je=(r=Ze,i,t)=>{let{kind:e,metadata:s}=t,n=globalThis.litPropertyMetadata.get(s);if(n===void 0&&globalThis.litPropertyMetadata.set(s,n=new Map),e==="setter"&&((r=Object.create(r)).wrapped=!0),n.set(t.name,r),e==="accessor"){let{name:o}=t;return{set(c){let h=i.get.call(this);i.set.call(this,c),this.requestUpdate(o,h,r,!0,c)},init(c){return c!==void 0&&this.C(o,void 0,r,c),c}}}if(e==="setter"){let{name:o}=t;return function(c){let h=this[o];i.call(this,c),this.requestUpdate(o,h,r,!0,c)}}throw Error("Unsupported decorator location: "+e)};function k(r){return(i,t)=>typeof t=="object"?Je(r,i,t):((e,s,n)=>{let o=s.hasOwnProperty(n);return s.constructor.createProperty(n,e),o?Object.getOwnPropertyDescriptor(s,n):void 0})(r,i,t)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function m(r){return k({...r,state:!0,attribute:!1})}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Z=(r,i,t)=>(t.configurable=!0,t.enumerable=!0,Reflect.decorate&&typeof i!="object"&&Object.defineProperty(r,i,t),t);/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function xt(r,i){return(t,e,s)=>{let n=o=>o.renderRoot?.querySelector(r)??null;if(i){let{get:o,set:c}=typeof e=="object"?t:s??(()=>{let h=Symbol();return{get(){return this[h]},set(u){this[h]=u}}})();return Z(t,e,{get(){let h=o.call(this);return h===void 0&&(h=n(this),(h!==null||this.hasUpdated)&&c.call(this,h)),h}})}return Z(t,e,{get(){return n(this)}})}}/**
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
 */var le=Symbol.for(""),Qe=r=>{if(r?.r===le)return r?._$litStatic$},ce=r=>({_$litStatic$:r,r:le});var ae=new Map,qt=r=>(i,...t)=>{let e=t.length,s,n,o=[],c=[],h,u=0,x=!1;for(;u<e;){for(h=i[u];u<e&&(n=t[u],(s=Qe(n))!==void 0);)h+=s+i[++u],x=!0;u!==e&&c.push(n),o.push(h),u++}if(u===e&&o.push(i[e]),x){let p=o.join("$$lit$$");(i=ae.get(p))===void 0&&(o.raw=o,ae.set(p,i=o)),t=c}return r(i,...t)},he=qt(a),Mi=qt(Y),Oi=qt(se);function de({entities:r}){return Object.values(r).find(({entity_id:i,platform:t})=>t==="sage"&&i.startsWith("conversation."))?.entity_id}function bt({locale:r,config:i}){return r.time_zone==="local"?void 0:i.time_zone}function _t({locale:{language:r,time_format:i}}){return i==="12"||i==="24"?i==="12":!!new Intl.DateTimeFormat(i==="system"?void 0:r,{timeStyle:"short"}).resolvedOptions().hour12}function Ye(r){history.pushState(null,"",r),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}}))}function N(r){r.ctrlKey||r.metaKey||r.shiftKey||(r.preventDefault(),Ye(r.currentTarget.pathname))}async function ue(r){let i=await r.loadBackendTranslation("config_panel","sage"),t=(s,n)=>i(`component.sage.config_panel.${s}`,n);return Object.assign(t,{counted:(s,n)=>t(`${s}_${n===1?"one":"other"}`,{count:n.toLocaleString(r.language)})})}async function pe(r,i){let{message:t,translation_key:e,translation_domain:s,translation_placeholders:n}=i;if(e&&s){let c=(await r.loadBackendTranslation("exceptions",s))(`component.${s}.exceptions.${e}.message`,n);if(c)return c}return t??String(i)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var me={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},ge=r=>(...i)=>({_$litDirective$:r,values:i}),wt=class{constructor(i){}get _$AU(){return this._$AM._$AU}_$AT(i,t,e){this._$Ct=i,this._$AM=t,this._$Ci=e}_$AS(i,t){return this.update(i,t)}update(i,t){return this.render(...t)}};/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{I:Xe}=ne,ve=r=>r;var fe=()=>document.createComment(""),X=(r,i,t)=>{let e=r._$AA.parentNode,s=i===void 0?r._$AB:i._$AA;if(t===void 0){let n=e.insertBefore(fe(),s),o=e.insertBefore(fe(),s);t=new Xe(n,o,r,r.options)}else{let n=t._$AB.nextSibling,o=t._$AM,c=o!==r;if(c){let h;t._$AQ?.(r),t._$AM=r,t._$AP!==void 0&&(h=r._$AU)!==o._$AU&&t._$AP(h)}if(n!==s||c){let h=t._$AA;for(;h!==n;){let u=ve(h).nextSibling;ve(e).insertBefore(h,s),h=u}}}return t},j=(r,i,t=r)=>(r._$AI(i,t),r),ts={},ye=(r,i=ts)=>r._$AH=i,$e=r=>r._$AH,kt=r=>{r._$AR(),r._$AA.remove()};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var xe=(r,i,t)=>{let e=new Map;for(let s=i;s<=t;s++)e.set(r[s],s);return e},I=ge(class extends wt{constructor(r){if(super(r),r.type!==me.CHILD)throw Error("repeat() can only be used in text expressions")}dt(r,i,t){let e;t===void 0?t=i:i!==void 0&&(e=i);let s=[],n=[],o=0;for(let c of r)s[o]=e?e(c,o):o,n[o]=t(c,o),o++;return{values:n,keys:s}}render(r,i,t){return this.dt(r,i,t).values}update(r,[i,t,e]){let s=$e(r),{values:n,keys:o}=this.dt(i,t,e);if(!Array.isArray(s))return this.ut=o,n;let c=this.ut??=[],h=[],u,x,p=0,y=s.length-1,v=0,b=n.length-1;for(;p<=y&&v<=b;)if(s[p]===null)p++;else if(s[y]===null)y--;else if(c[p]===o[v])h[v]=j(s[p],n[v]),p++,v++;else if(c[y]===o[b])h[b]=j(s[y],n[b]),y--,b--;else if(c[p]===o[b])h[b]=j(s[p],n[b]),X(r,h[b+1],s[p]),p++,b--;else if(c[y]===o[v])h[v]=j(s[y],n[v]),X(r,s[p],s[y]),y--,v++;else if(u===void 0&&(u=xe(o,v,b),x=xe(c,p,y)),u.has(c[p]))if(u.has(c[y])){let M=x.get(o[v]),Rt=M!==void 0?s[M]:null;if(Rt===null){let It=X(r,s[p]);j(It,n[v]),h[v]=It}else h[v]=j(Rt,n[v]),X(r,s[p],Rt),s[M]=null;v++}else kt(s[y]),y--;else kt(s[p]),p++;for(;v<=b;){let M=X(r,h[b+1]);j(M,n[v]),h[v++]=M}for(;p<=y;){let M=s[p++];M!==null&&kt(M)}return this.ut=o,ye(r,h),L}});function $(r,i,t){return r.callWS({type:`sage/${i}`,data:t})}function T(r,i,t){return r.callWS({type:"sage/action",action:i,data:t})}function be(r,i,t){return r.callWS({type:"sage/answer_routine",routine:i,answer:t})}function _e({thinking_content:r=""}){return r.replace(/^- /,"").replace(/\\(.)/g,"$1").trim()}var es=3600;function we(r,{text:i,agent:t,conversation:e},s){let{components:n,language:o}=r.config;return o!==r.language||!n.includes("assist_pipeline")?r.callWS({type:"conversation/process",text:i,agent_id:t,language:r.language,conversation_id:e}):ss(r,{type:"assist_pipeline/run",start_stage:"intent",end_stage:"intent",input:{text:i},pipeline:t,conversation_id:e,timeout:es},s)}async function ss({connection:r,localize:i},t,e){let s=()=>{},n;try{return await new Promise((o,c)=>{s=()=>c(new Error(i("ui.notification_toast.connection_lost"))),r.addEventListener("disconnected",s);let h=u=>{u.type==="intent-progress"?e(u.data.chat_log_delta??{}):u.type==="intent-end"?o(u.data.intent_output):u.type==="error"&&c(u.data)};n=r.subscribeMessage(h,t,{resubscribe:!1}),n.catch(c)})}finally{r.removeEventListener("disconnected",s),n?.then(o=>o()).catch(()=>{})}}function H(r,i){return r.preventDefault(),String(new FormData(r.target).get(i)??"").trim()}var Tt=_`
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
`,At=_`
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
`;var f=class extends A{constructor(){super(...arguments);this.path="";this.error="";this.notice="";this.question="";this.verb=""}static{this.styles=Tt}connectedCallback(){super.connectedCallback(),this.loaded??=this.act(async()=>{})}shouldUpdate(t){return!!this.texts}act(t){return this.guarded(async()=>{let e=await t();return await this.load(),e})}async guarded(t){this.error="",this.notice="";try{this.notice=await t()??""}catch(e){this.error=await pe(this.hass,e)}}async agrees(t,e=this.texts("delete")){return this.question=t,this.verb=e,await this.updateComplete,this.dialog.returnValue="",this.dialog.showModal(),new Promise(s=>{this.dialog.addEventListener("close",()=>s(this.dialog.returnValue==="yes"),{once:!0})})}number(t,e=0){return t.toLocaleString(this.hass.language,{minimumFractionDigits:e,maximumFractionDigits:e})}duration(t){let e=t%60===0;return(e?t/60:t).toLocaleString(this.hass.language,{style:"unit",unit:e?"minute":"second",unitDisplay:"long"})}dateTime(t){return new Date(t).toLocaleString(this.hass.language,{dateStyle:"medium",...this.ofClock()})}clock(t){return new Date(t).toLocaleTimeString(this.hass.language,this.ofClock())}ofClock(){return{timeStyle:"short",hourCycle:_t(this.hass)?"h12":"h23",timeZone:bt(this.hass)}}day(t){return new Date(`${t}T00:00:00Z`).toLocaleDateString(this.hass.language,{dateStyle:"medium",timeZone:"UTC"})}messages(){return a`
      <div class="messages">
        <div role="alert" aria-live="assertive">${this.message("error",this.error)}</div>
        <div role="status" aria-live="polite">${this.message("notice",this.notice)}</div>
      </div>
      <dialog aria-label=${this.question||l}>
        <form method="dialog">
          <p>${this.question}</p>
          <div class="row">
            <button autofocus value="no">${this.texts("cancel")}</button>
            <button class="danger" value="yes">${this.verb}</button>
          </div>
        </form>
      </dialog>
    `}message(t,e){return e?a`<div class="message row">
      <p class="grow ${t}">${e}</p>
      <button
        class="close"
        aria-label=${this.texts("close")}
        @click=${()=>{this[t]=""}}
      >
        ✕
      </button>
    </div>`:l}};d([k({attribute:!1})],f.prototype,"hass",2),d([k({attribute:!1})],f.prototype,"texts",2),d([k({attribute:!1})],f.prototype,"path",2),d([m()],f.prototype,"error",2),d([m()],f.prototype,"notice",2),d([m()],f.prototype,"question",2),d([m()],f.prototype,"verb",2),d([xt("dialog")],f.prototype,"dialog",2);var is="new",C=class extends f{constructor(){super(...arguments);this.sentences=[];this.assistants=null;this.answers=new Map;this.asked="";this.isNew=!1}async load(){let{sentences:t,assistants:e}=await $(this.hass,"start/get",{});this.sentences=t,this.assistants=e}willUpdate(){this.isNew||=this.hasCommands===!1}async say(t,e){this.asked=t;let s=n=>{this.answers=new Map(this.answers).set(t,n)};s(this.texts("card.working")),await this.guarded(async()=>{try{let n={text:t,agent:e,conversation:null},{response:o}=await we(this.hass,n,c=>{let h=_e(c);h&&s(h)});s(o.speech.plain?.speech??"")}catch(n){throw s(""),n}}),this.asked="",this.dispatchEvent(new CustomEvent("answered"))}use(t){let e=H(t,"assistant");return this.act(async()=>(await $(this.hass,"start/use_in_assistant",{assistant:e}),this.texts("start.used")))}render(){return a`${this.messages()} ${this.proposals()} ${this.offer()}`}proposals(){let t=de(this.hass);if(!this.isNew||!t||!this.sentences.length)return l;let e=this.sentences.map(({kind:s,device:n})=>this.texts(`start.say.${s}`,{device:n}));return a`
      <section class="card" aria-label=${this.texts("start.title")}>
        <h3>${this.texts("start.title")}</h3>
        <p>${this.texts("start.intro")}</p>
        <ul class="plain" aria-live="polite">
          ${e.map(s=>a`<li>
              <button ?disabled=${this.asked!==""} @click=${()=>this.say(s,t)}>
                ${s}
              </button>
              ${this.answers.get(s)?a`<p class="answer">${this.answers.get(s)}</p>`:l}
              ${this.asked===s?a`<progress aria-label=${this.texts("card.working")}></progress>`:l}
            </li>`)}
        </ul>
      </section>
    `}offer(){return this.assistants?a`
      <section class="card" aria-label=${this.texts("start.assist")}>
        <h3>${this.texts("start.assist")}</h3>
        <p>${this.texts("start.assist_info")}</p>
        <form class="row" @submit=${this.use}>
          <label>
            ${this.texts("start.assistant")}
            <select name="assistant">
              ${this.assistants.map(({id:t,name:e})=>a`<option value=${t}>${e}</option>`)}
              <option value=${is}>${this.texts("start.new_assistant")}</option>
            </select>
          </label>
          <button class="primary">${this.texts("start.use")}</button>
        </form>
      </section>
    `:l}};C.styles=[f.styles,_`
    li { margin: 8px 0; }
    .answer { white-space: pre-line; }
  `],d([k({attribute:!1})],C.prototype,"hasCommands",2),d([m()],C.prototype,"sentences",2),d([m()],C.prototype,"assistants",2),d([m()],C.prototype,"answers",2),d([m()],C.prototype,"asked",2),C=d([w("sage-start")],C);var Nt=50,rs=500,ns=2e4,U=class extends f{constructor(){super(...arguments);this.hasMore=!1;this.traces=new Map;this.questions=new Map;this.timer=0;this.refresh=()=>{!document.hidden&&this.commands&&this.load().catch(()=>{})}}connectedCallback(){super.connectedCallback(),this.timer=window.setInterval(this.refresh,ns),window.addEventListener("focus",this.refresh)}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer),window.removeEventListener("focus",this.refresh)}async load(){let t=Math.min(rs,Math.max(Nt,this.commands?.length??0)),e=await $(this.hass,"activity/list",{count:t});this.commands=e.commands,this.hasMore=e.has_more}async more(){let t=this.commands?.at(-1),e=t?.is_waiting?void 0:t?.id;if(e){let s=await $(this.hass,"activity/list",{count:Nt,before:e});this.commands=[...this.commands??[],...s.commands],this.hasMore=s.has_more}}async open(t,e){t.currentTarget.open&&!this.traces.has(e.id)&&await this.guarded(async()=>{let n=await $(this.hass,"activity/trace",{id:e.id});this.traces=new Map(this.traces).set(e.id,n)})}undo(t,e){return this.act(async()=>{let s={id:t.id,language:this.hass.language},n=await $(this.hass,"activity/undo",e?{...s,agreed:e}:s);return this.questions=new Map(this.questions),n.question?this.questions.set(t.id,n.question):this.questions.delete(t.id),n.done??""})}async openHousehold(t){t.currentTarget.open&&!this.household&&await this.guarded(async()=>{this.household=(await $(this.hass,"activity/household",{count:Nt})).commands})}render(){return a`
      <div class="row">
        <h2 class="grow">${this.texts("activity.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("activity.intro")}</p>
      ${this.messages()}
      <sage-start
        .hass=${this.hass}
        .texts=${this.texts}
        .hasCommands=${this.commands&&this.commands.length>0}
        @answered=${()=>this.act(async()=>{})}
      ></sage-start>
      ${this.list()} ${this.hass.user.is_admin?this.ofHousehold():l}
    `}list(){return this.commands?this.commands.length?a`
      <ul class="plain" id="commands">
        ${I(this.commands,t=>t.id,t=>a`<li class="card">${this.card(t)}</li>`)}
      </ul>
      ${this.hasMore?a`<button @click=${()=>this.guarded(()=>this.more())}>
            ${this.texts("more")}
          </button>`:l}
    `:a`<p>${this.texts("activity.none")}</p>`:l}card(t){let e=this.questions.get(t.id);return a`
      <p class="secondary">
        ${this.dateTime(t.at)}
        ${t.routine||t.routine_id?a`· ${this.routine(t)}`:l}
        ${t.is_undone?a`· <strong>${this.texts("activity.undone")}</strong>`:l}
        ${t.is_waiting?a`· <strong>${this.texts("activity.waiting")}</strong>`:l}
      </p>
      <h3>${t.command||this.texts("activity.forgotten")}</h3>
      <p>${t.answer}</p>
      ${t.can_undo&&!e?a`<button @click=${()=>this.undo(t)}>${this.texts("activity.undo")}</button>`:l}
      ${e?this.ask(t,e):l}
      ${t.is_waiting?l:a`<details @toggle=${s=>this.open(s,t)}>
            <summary>${this.texts("activity.details")}</summary>
            ${this.traces.has(t.id)?this.trace(t,this.traces.get(t.id)):l}
          </details>`}
    `}routine({routine:t,routine_id:e}){let s=this.texts("activity.routine",{when:t});return e?a`<a href="/sage/routines/${e}" @click=${N}>${s}</a>`:a`${s}`}ask(t,e){return a`
      <div role="group" aria-label=${e}>
        <p>${e}</p>
        <div class="row">
          <button class="primary" @click=${()=>this.undo(t,e)}>
            ${this.texts("yes")}
          </button>
          <button
            @click=${()=>{this.questions=new Map(this.questions),this.questions.delete(t.id)}}
          >
            ${this.texts("no")}
          </button>
        </div>
      </div>
    `}summary(t){return this.texts("activity.summary",{seconds:this.number(t.seconds,1),calls:this.texts.counted("activity.calls",t.model_calls),tokens:this.tokens(t.usage,t.usage.prompt_tokens+t.usage.completion_tokens)})}trace(t,e){return a`
      ${this.why(e)} ${this.changes(t,e)}
      ${e.seen?.length?a`<h3>${this.texts("activity.also")}</h3>
            <ul>
              ${e.seen.map(s=>a`<li>${s}</li>`)}
            </ul>`:l}
      <details>
        <summary>${this.texts("activity.technical")}</summary>
        ${this.technical(e)}
      </details>
    `}technical(t){let e=t.outcomes.filter(({after:s})=>Object.keys(s).length);return a`
      <p class="secondary">${this.summary(t)}</p>
      ${e.length?a`<h3>${this.texts("activity.values")}</h3>
            <ul>
              ${e.map(({name:s,before:n,after:o})=>a`<li>${s}: ${this.values(n,o)}</li>`)}
            </ul>`:l}
      <h3>${this.texts("activity.steps")}</h3>
      <p class="secondary">
        ${this.texts("activity.costs",{seconds:this.number(t.seconds,1),model_seconds:this.number(t.model_seconds,1)})}
        ${t.reads?this.texts.counted("activity.reads",t.reads):this.texts("activity.reads_none")}
        ${this.usage(t.usage)}
      </p>
      ${t.root.children.length?a`<ul class="plain">
            ${t.root.children.map(s=>this.step(s))}
          </ul>`:a`<p>${this.texts("activity.no_steps")}</p>`}
    `}why(t){let e=t.outcomes.filter(({kind:s})=>s==="refused"||s==="failed");return!t.confirmations.length&&!e.length?l:a`
      <h3>${this.texts("activity.why")}</h3>
      <ul>
        ${t.confirmations.map(({question:s,risks:n,result:o})=>a`<li>
            ${this.texts("activity.asked",{question:s})}
            ${n.map(c=>a`<br />${this.texts(`activity.risk.${c}`)}`)}
            <br />${this.texts(`activity.reply.${o}`)}
          </li>`)}
        ${e.map(({sentence:s})=>a`<li>${s}</li>`)}
      </ul>
    `}changes(t,e){let s=e.outcomes.filter(({kind:n})=>n!=="refused"&&n!=="failed");return a`
      <h3>${this.texts("activity.changes")}</h3>
      ${t.is_undone?a`<p>${this.texts("activity.undone_changes")}</p>`:l}
      ${s.length?a`<ul>
            ${s.map(({sentence:n})=>a`<li>${n}</li>`)}
          </ul>`:a`<p>${this.texts("activity.no_changes")}</p>`}
    `}values(t,e){return Object.keys(e).map(s=>`${s}: ${ke(t[s])} → ${ke(e[s])}`).join(", ")}step(t){let e=[this.texts("activity.seconds",{seconds:this.number(t.seconds,1)})];t.usage&&e.push(this.usage(t.usage));let s=t.children.length||t.result||Object.keys(t.arguments).length,n=a`<strong
        >${t.kind==="model"?this.texts("activity.model"):t.name}</strong
      >
      ${t.error?a`<span class="failed">${this.texts("activity.error")}</span>`:l}
      <span class="secondary">${e.join(" · ")}</span>`;return s?a`<li>
      <details>
        <summary>${n}</summary>
        ${Object.keys(t.arguments).length?a`<pre>${JSON.stringify(t.arguments,null,2)}</pre>`:l}
        ${t.children.length?a`<ul class="plain">
              ${t.children.map(o=>this.step(o))}
            </ul>`:l}
        ${t.result?a`<p class="secondary">${this.texts("activity.seen")}</p>
              <pre>${t.result}</pre>`:l}
      </details>
    </li>`:a`<li>${n}</li>`}usage(t){return this.texts("activity.tokens",{prompt:this.tokens(t,t.prompt_tokens),cached:this.tokens(t,t.cached_tokens),written:this.tokens(t,t.completion_tokens)})}tokens(t,e){let s=this.number(e);return t.is_estimated?this.texts("activity.about",{number:s}):s}ofHousehold(){return a`
      <details id="household" @toggle=${this.openHousehold}>
        <summary>${this.texts("activity.household")}</summary>
        <p class="secondary">${this.texts("activity.household_intro")}</p>
        ${this.household?.length===0?a`<p>${this.texts("activity.household_none")}</p>`:l}
        <ul class="plain">
          ${this.household?.map(t=>a`<li class="card">
              <p class="secondary">${this.dateTime(t.at)}</p>
              <ul>
                ${t.outcomes.map(({name:e,kind:s})=>a`<li>${e}: ${this.texts(`activity.outcome.${s}`)}</li>`)}
              </ul>
              <p>${this.summary(t)}</p>
            </li>`)}
        </ul>
      </details>
    `}};d([m()],U.prototype,"commands",2),d([m()],U.prototype,"hasMore",2),d([m()],U.prototype,"household",2),d([m()],U.prototype,"traces",2),d([m()],U.prototype,"questions",2),U=d([w("sage-activity")],U);function ke(r){return typeof r=="string"?r:JSON.stringify(r)??"–"}var os="/config/voice-assistants/expose",as=["free","ask","never"],Te=50,Ae=250,Ee="image/jpeg,image/png,image/webp",E=class extends f{constructor(){super(...arguments);this.search="";this.opened=new Map}async load(){let t=await $(this.hass,"devices/list",{start:0,count:Te});this.exposed=t.exposed,this.entities=t.entities,this.devices??=t.devices;let e=[...t.devices];for(let n=Te;n<t.total;n+=Ae){let o=await $(this.hass,"devices/list",{start:n,count:Ae});e.push(...o.devices)}this.devices=e;let s=this.known(e.flatMap(n=>n.kinds));this.titles=await this.hass.loadBackendTranslation("title",s)}known(t){return[...new Set(t)].filter(e=>this.hass.config.components.includes(e))}kind(t){return this.titles?.(`component.${t}.title`)||t.replace(/(?<=[a-z])(?=[A-Z])/g," ").replaceAll("_"," ")}type({id:t,summary:e,capability:s}){let n=this.hass.states[t];if(!n)return e||this.kind(s);let[o]=t.split("."),c=`component.${o}.entity_component.${n.attributes.device_class}.name`;return this.hass.localize(c)||this.kind(o)}async open(t,e){t.currentTarget.open&&!this.opened.has(e)&&await this.guarded(()=>this.read(e))}async read(t){let{language:e}=this.hass,s=await $(this.hass,"devices/get",{device:t,language:e}),n=s.components.flatMap(o=>o.commands.map(c=>Re(c,o)[0]));this.actions=await this.hass.loadBackendTranslation("services",this.known(n)),this.opened=new Map(this.opened).set(t,s)}change(t,e){return this.guarded(async()=>{let s=await e();await this.read(t);let n=this.opened.get(t).photos;return this.devices=this.devices?.map(o=>o.id===t?{...o,photos:n}:o),s})}upload(t,e){let s=t.target,n=s.files?.[0];return s.value="",n?this.change(e,async()=>{let o=new FormData;o.append("file",n);let c=await this.hass.fetchWithAuth("/api/file_upload",{method:"POST",body:o});if(!c.ok)throw new Error(this.texts("devices.not_uploaded",{status:c.status}));let{file_id:h}=await c.json();return await $(this.hass,"devices/add_photo",{device:e,upload:h}),this.texts("devices.photo_added")}):Promise.resolve()}setCaption(t,e,s){let n=H(t,"caption");return this.change(e,async()=>(await T(this.hass,"set_photo_caption",{photo:s,caption:n}),this.texts("devices.caption_saved")))}async writeCaption(t,e,s){let n=t.currentTarget,o=this.texts("devices.write_caption_question",{model:s});await this.agrees(o,this.texts("devices.write_caption"))&&(n.disabled=!0,await this.guarded(async()=>{let{language:c}=this.hass,{caption:h}=await $(this.hass,"devices/write_caption",{photo:e,language:c});return n.form.querySelector("[name=caption]").value=h,this.texts("devices.caption_written")}),n.disabled=!1)}async deletePhoto(t,e){await this.agrees(this.texts("devices.delete_photo_question"))&&await this.change(t,async()=>(await T(this.hass,"delete_photo",{photo:e}),this.texts("devices.photo_deleted")))}setRisk(t,e,s){let n=t.target.value||null;return this.change(e,async()=>(await $(this.hass,"devices/set_risk",{entity_id:s,level:n}),this.texts("devices.level_saved")))}render(){return a`
      <div class="row">
        <h2 class="grow">${this.texts("devices.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("devices.intro")}</p>
      ${this.exposure()} ${this.messages()}
      <input
        type="search"
        class="search"
        aria-label=${this.texts("devices.search")}
        placeholder=${this.texts("devices.search")}
        .value=${this.search}
        @input=${t=>{this.search=t.target.value}}
      />
      ${this.list()}
    `}exposure(){return this.exposed===void 0?a`<p class="secondary">${this.texts("devices.ask_administrator")}</p>`:a`<p>
      ${this.texts("devices.exposed",{exposed:this.exposed,entities:this.entities??0})}
      <a href=${os} @click=${N}>${this.texts("devices.expose")}</a>
    </p>`}list(){if(!this.devices)return l;let t=this.search.toLocaleLowerCase(this.hass.language).split(/\s+/).filter(Boolean),e=this.devices.filter(({name:n,area:o,kinds:c})=>{if(!t.length)return!0;let h=[n,o,...c,...c.map(u=>this.kind(u))].join(" ").toLocaleLowerCase(this.hass.language);return t.every(u=>h.includes(u))});if(!e.length)return a`<p>${this.texts(this.devices.length?"devices.none_found":"devices.none")}</p>`;let s=new Map;for(let n of e){let o=n.area??"";s.set(o,s.get(o)??[]),s.get(o).push(n)}return a`${[...s].map(([n,o])=>a`
        <h2>${n||this.texts("devices.no_area")}</h2>
        <ul class="plain">
          ${I(o,({id:c})=>c,c=>a`<li class="card">${this.card(c)}</li>`)}
        </ul>
      `)}`}card(t){return a`
      <details @toggle=${e=>this.open(e,t.id)}>
        <summary>
          <strong>${t.name}</strong>
          <span class="secondary">
            ${t.kinds.map(e=>this.kind(e)).join(", ")}
            ${t.photos?a` · ${this.texts("devices.photos",{count:t.photos})}`:l}
          </span>
        </summary>
        ${this.opened.has(t.id)?this.whole(this.opened.get(t.id)):l}
      </details>
    `}whole(t){let e=[t.model,...t.aliases].filter(Boolean).join(" · ");return a`
      ${e?a`<p class="secondary">${e}</p>`:l} ${this.photos(t)}
      ${t.components.map(s=>this.component(t.id,s))}
      ${t.more?a`<p>${this.texts("devices.more",{count:t.more})}</p>`:l}
    `}photos(t){let e=this.hass.user.is_admin;return!t.pictures.length&&!e?l:a`
      <div class="row photos">
        ${t.pictures.map(s=>this.photo(t,s,e))}
      </div>
      ${e&&t.pictures.length<t.most_photos?this.adding(t):l}
    `}photo(t,e,s){let n=e.entity_id??"",o=this.hass.states[n]?.attributes.entity_picture,c=a`<img
      loading="lazy"
      src=${typeof o=="string"?o:l}
      alt=${e.caption||this.texts("devices.photo_of",{name:t.name})}
    />`;return s?a`
      <form @submit=${h=>this.setCaption(h,t.id,n)}>
        ${c}
        <input
          name="caption"
          maxlength="200"
          aria-label=${this.texts("devices.caption")}
          placeholder=${this.texts("devices.caption")}
          .value=${e.caption}
        />
        <div class="row">
          <button>${this.texts("save")}</button>
          ${t.caption_model?a`<button
                type="button"
                @click=${h=>this.writeCaption(h,n,t.caption_model)}
              >
                ${this.texts("devices.write_caption")}
              </button>`:l}
          <button type="button" class="danger" @click=${()=>this.deletePhoto(t.id,n)}>
            ${this.texts("delete")}
          </button>
        </div>
      </form>
    `:a`<figure>
        ${c}
        <figcaption>${e.caption}</figcaption>
      </figure>`}adding({id:t,photo_destination:e}){return a`
      <p class="secondary">${this.texts("devices.photo_use")} ${e}</p>
      <div class="row">
        <button @click=${this.choose}>${this.texts("devices.take_photo")}</button>
        <input
          type="file"
          accept=${Ee}
          capture="environment"
          aria-label=${this.texts("devices.take_photo")}
          @change=${s=>this.upload(s,t)}
        />
        <button @click=${this.choose}>${this.texts("devices.upload_photo")}</button>
        <input
          type="file"
          accept=${Ee}
          aria-label=${this.texts("devices.upload_photo")}
          @change=${s=>this.upload(s,t)}
        />
      </div>
    `}choose(t){t.currentTarget.nextElementSibling.click()}component(t,e){return a`
      <section class="component" aria-label=${e.name}>
        <h3>${e.name}</h3>
        <p class="secondary">
          <code>${e.id}</code> · ${this.type(e)}
          ${e.available?l:a` · ${this.texts("devices.unavailable")}`}
        </p>
        ${e.risk?this.risk(t,e,e.risk):l}
        ${e.notes.map(s=>a`<p class="secondary">${s}</p>`)}
        ${e.attributes.length?this.table(e):l}
        ${e.commands.length?a`<p>${this.texts("devices.commands")}</p>
              <ul>
                ${e.commands.map(s=>a`<li>
                    <code>${s.name}</code>
                    ${s.arguments.length?a`(${s.arguments.map(ls).join(", ")})`:l}
                    <span class="secondary">${this.description(s,e)}</span>
                  </li>`)}
              </ul>`:a`<p class="secondary">${this.texts("devices.read_only")}</p>`}
      </section>
    `}description(t,e){let[s,n]=Re(t,e);return this.actions?.(`component.${s}.services.${n}.description`)||t.description}table({id:t,attributes:e}){return a`
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
            ${e.map(s=>a`<tr>
                <th scope="row"><code>${s.name}</code></th>
                <td>${this.value(t,s)}</td>
                <td class="secondary">
                  ${Se(s,n=>this.worded(t,s.name,n))}
                </td>
              </tr>`)}
          </tbody>
        </table>
      </div>
    `}value(t,{name:e,value:s,meaning:n,unit:o}){return s==null?"–":typeof s=="string"&&!o&&this.hass.states[t]?this.worded(t,e,s):[typeof s=="string"?s:JSON.stringify(s),o,n?`(${n})`:""].filter(Boolean).join(" ")}worded(t,e,s){let n=this.hass.states[t];return n?e==="state"?this.hass.formatEntityState(n,s):this.hass.formatEntityAttributeValue(n,e,s):s}risk(t,e,s){return a`
      <div class="row">
        <label>
          ${this.texts("devices.risk")}
          <select
            @change=${n=>this.setRisk(n,t,e.id)}
          >
            <option value="" ?selected=${s.choice===null}>
              ${this.texts("devices.level_auto",{level:this.texts(`devices.level.${s.automatic}`)})}
            </option>
            ${as.map(n=>a`<option value=${n} ?selected=${s.choice===n}>
                ${this.texts(n==="free"?"devices.free_for_all":`devices.level.${n}`)}
              </option>`)}
          </select>
        </label>
      </div>
      <p class="secondary">
        ${this.texts(`devices.by.${s.by}`)}
        ${s.risk?this.danger(e.id,s.risk):l} ${s.reason}
      </p>
    `}danger(t,e){let[s]=t.split(".");return e==="open"&&(s==="cover"||s==="valve")?this.texts(`devices.opens.${s}`):this.texts(`activity.risk.${e}`)}};E.styles=[f.styles,_`
    img {
      border-radius: 8px;
      display: block;
      height: 120px;
      object-fit: cover;
      width: 160px;
    }
    table {
      border-collapse: collapse;
      width: 100%;
    }
    th, td {
      border-bottom: 1px solid var(--divider-color);
      padding: 4px 8px 4px 0;
      text-align: start;
      vertical-align: top;
    }
    .scroll { overflow-x: auto; }
    li.card {
      /* The browser lays out only the devices in sight. */
      contain-intrinsic-size: auto 54px;
      content-visibility: auto;
    }
    .photos { align-items: start; }
    .photos form { display: grid; gap: 8px; width: 160px; }
    input[type="file"] { display: none; }
    .component { border-top: 1px solid var(--divider-color); margin-top: 12px; padding-top: 12px; }
    .component > h3 { overflow-wrap: anywhere; }
  `],d([m()],E.prototype,"devices",2),d([m()],E.prototype,"exposed",2),d([m()],E.prototype,"entities",2),d([m()],E.prototype,"search",2),d([m()],E.prototype,"titles",2),d([m()],E.prototype,"actions",2),d([m()],E.prototype,"opened",2),E=d([w("sage-devices")],E);function Re({name:r},{capability:i}){let[t,e]=r.split(".");return e?[t,e]:[i,r]}function Se(r,i=t=>t){if(r.values.length)return r.values.map(i).join(", ");let t=[r.minimum,r.maximum].map(e=>e??"");return t.some(e=>e!=="")?t.join(" – "):""}function ls(r){let i=Se(r);return`${r.name}${r.required?"":"?"}${i?`: ${i}`:""}`}var cs=50,P=class extends f{constructor(){super(...arguments);this.pages={};this.search=""}async load(){let[t,e,s]=await Promise.all([$(this.hass,"memory/overview",{}),this.page("told"),this.restIsOpen||this.search?this.page("said"):void 0]);this.overview=t,this.found=this.search&&s?e.found+s.found:void 0,this.pages=s?{told:e,said:s}:{told:e},this.restIsOpen===void 0&&!e.memories.length&&t.total&&(this.pages={told:e,said:await this.page("said")},this.restIsOpen=!0),this.edited=void 0}page(t,e){return $(this.hass,"memory/list",{group:t,count:cs,...e===void 0?{}:{before:e},...this.search?{search:this.search}:{}})}async more(t){let e=this.pages[t].memories,s=await this.page(t,e.at(-1).id);this.pages={...this.pages,[t]:{...s,memories:[...e,...s.memories]}}}toggleRest(){return this.restIsOpen=this.rest.open,this.restIsOpen&&!this.pages.said?this.guarded(async()=>{this.pages={...this.pages,said:await this.page("said")}}):Promise.resolve()}find(t){return this.search=z(t,"search"),this.search&&(this.restIsOpen=!0),this.act(async()=>{})}remember(t){let e=z(t,"text"),s=t.target;return this.act(async()=>(await T(this.hass,"remember",{text:e}),s.reset(),this.texts("memory.remembered")))}correct(t,e){let s=z(t,"text");return this.act(async()=>(await T(this.hass,"correct_memory",{id:e,text:s}),this.texts("memory.corrected")))}async forget(t,e){await this.agrees(`${e} ${this.texts("memory.forget_log")}`)&&await this.act(async()=>{let{forgotten:s}=await T(this.hass,"forget",t);return s?this.texts.counted("memory.forgotten",s):this.texts("memory.forgotten_none")})}forgetTopic(t){let e=z(t,"topic");return this.forget({topic:e},this.texts("memory.forget_topic_ask",{topic:e}))}forgetDays(t){let e=z(t,"first"),s=z(t,"last")||e;return this.forget({first_day:e,last_day:s},this.texts("memory.forget_days_ask",{first:this.day(e),last:this.day(s)}))}forgetDay(t){return this.forget({first_day:t},this.texts("memory.forget_day_ask",{day:this.day(t)}))}rebuild(){return this.guarded(async()=>{let{error:t,days_left:e}=await T(this.hass,"rebuild_profile",{});return await this.load(),t||(e?this.texts.counted("memory.rebuild_unfinished",e):this.texts(this.overview?.profile.text?"memory.rebuilt":"memory.rebuilt_none"))})}set(t){return this.act(async()=>(await T(this.hass,"set_memory",t),this.texts("memory.saved")))}setRetention(t){return this.set({retention_days:Number(z(t,"days")),request_days:Number(z(t,"requests"))})}export(){return this.guarded(async()=>{let t=await T(this.hass,"export_memory",{}),e=new Blob([JSON.stringify(t,null,2)],{type:"application/json"}),s=document.createElement("a");return s.href=URL.createObjectURL(e),s.download="sage-memory.json",s.click(),URL.revokeObjectURL(s.href),this.texts("memory.exported")})}render(){if(!this.overview)return a`${this.messages()}`;let{settings:t}=this.overview;return a`
      ${this.messages()}
      <div class="card row">
        <span class="grow"
          >${this.texts(t.enabled?"memory.is_on":"memory.is_off")}</span
        >
        <button @click=${()=>this.set({enabled:!t.enabled})}>
          ${this.texts(t.enabled?"memory.switch_off":"memory.switch_on")}
        </button>
      </div>
      ${this.concluded(this.overview)} ${this.searching()} ${this.told()}
      ${this.everythingElse(this.overview.total)}
      ${this.forgetting()} ${this.keeping(this.overview)}
    `}concluded({profile:t,days:e}){return a`
      <section aria-labelledby="concluded">
        <h2 id="concluded">${this.texts("memory.concluded")}</h2>
        <div class="card">
          ${t.text?a`<p class="text">${t.text}</p>
                <p class="secondary">
                  ${this.texts("memory.made",{at:this.dateTime(t.made_at),days:this.texts.counted("memory.of_days",t.dates.length)})}
                </p>`:a`<p>${this.texts("memory.no_profile")}</p>`}
          ${t.corrections.length?a`<h3>${this.texts("memory.corrections")}</h3>
                <ul>
                  ${t.corrections.map(({text:s})=>a`<li>${s}</li>`)}
                </ul>`:l}
          ${e.length?a`<details>
                <summary>${this.texts.counted("memory.days",e.length)}</summary>
                <ul class="plain">
                  ${e.map(({date:s,text:n})=>a`<li>
                      <h3>${this.day(s)}</h3>
                      <p class="text">${n}</p>
                      <button @click=${()=>this.forgetDay(s)}>
                        ${this.texts("memory.forget_day",{day:this.day(s)})}
                      </button>
                    </li>`)}
                </ul>
              </details>`:l}
          <button @click=${this.rebuild}>${this.texts("memory.rebuild")}</button>
        </div>
      </section>
    `}searching(){return a`
      <form class="row" role="search" @submit=${tt(this.find)}>
        <input
          class="grow"
          type="search"
          name="search"
          .value=${this.search}
          aria-label=${this.texts("memory.search_label")}
          placeholder=${this.texts("memory.search_label")}
        />
        <button>${this.texts("memory.search")}</button>
      </form>
      <div role="status">
        ${this.found===void 0?l:a`<p>
              ${this.found?this.texts.counted("memory.found",this.found):this.texts("memory.found_none")}
            </p>`}
      </div>`}told(){return a`
      <section aria-labelledby="told">
        <h2 id="told">${this.texts("memory.told")}</h2>
        ${this.list("told",this.texts("memory.told_none"))}
        ${this.overview.settings.enabled?a`<form class="row" @submit=${tt(this.remember)}>
              <input
                class="grow"
                name="text"
                required
                maxlength="4000"
                aria-label=${this.texts("memory.tell_label")}
                placeholder=${this.texts("memory.tell_label")}
              />
              <button>${this.texts("memory.tell")}</button>
            </form>`:l}
      </section>
    `}everythingElse(t){return a`
      <details id="rest" .open=${this.restIsOpen??!1} @toggle=${this.toggleRest}>
        <summary>
          <h2>
            ${this.found===void 0?this.texts("memory.rest",{count:this.number(t)}):this.texts("memory.rest_found",{count:this.number(this.pages.said?.found??0)})}
          </h2>
        </summary>
        ${this.list("said",this.texts("memory.rest_none"))}
      </details>
    `}list(t,e){let s=this.pages[t];return s?s.memories.length?a`
      <ul class="plain" data-group=${t}>
        ${I(s.memories,n=>n.id,n=>a`<li class="card">${this.card(n)}</li>`)}
      </ul>
      ${s.has_more?a`<button @click=${()=>this.guarded(()=>this.more(t))}>
            ${this.texts("more")}
          </button>`:l}
    `:this.found===void 0?a`<p>${e}</p>`:l:l}card(t){if(t.id===this.edited)return a`<form
        class="row"
        @submit=${tt(s=>this.correct(s,t.id))}
      >
        <input
          class="grow"
          name="text"
          required
          maxlength="4000"
          .value=${t.text}
          aria-label=${this.texts("memory.correct_label")}
        />
        <button class="primary">${this.texts("save")}</button>
        <button type="button" @click=${()=>this.edit()}>${this.texts("cancel")}</button>
      </form>`;let e=[this.dateTime(t.at),t.place??"",this.texts(`memory.origin.${t.origin}`),t.count>1?this.texts("memory.times",{count:t.count}):""];return a`
      ${t.question?a`<p class="secondary">${t.question}</p>`:l}
      <p class="text">${t.text}</p>
      <p class="secondary">${e.filter(Boolean).join(" · ")}</p>
      <div class="row">
        <button
          aria-label=${this.texts("memory.correct_it",{text:t.text})}
          @click=${()=>this.edit(t.id)}
        >
          ${this.texts("memory.correct")}
        </button>
        <button
          aria-label=${this.texts("memory.delete_it",{text:t.text})}
          @click=${()=>this.forget({ids:[t.id]},this.texts("memory.delete_ask",{text:t.text}))}
        >
          ${this.texts("delete")}
        </button>
      </div>
    `}async edit(t){this.edited=t,await this.updateComplete,this.renderRoot.querySelector("li form input")?.focus()}forgetting(){return a`
      <section aria-labelledby="forget">
        <h2 id="forget">${this.texts("memory.forget")}</h2>
        <div class="card">
          <form class="row" @submit=${tt(this.forgetTopic)}>
            <input
              class="grow"
              name="topic"
              required
              aria-label=${this.texts("memory.topic_label")}
              placeholder=${this.texts("memory.topic_label")}
            />
            <button>${this.texts("memory.forget_topic")}</button>
          </form>
          <form class="row" @submit=${tt(this.forgetDays)}>
            <label>${this.texts("memory.first")} <input type="date" name="first" required /></label>
            <label>${this.texts("memory.last")} <input type="date" name="last" /></label>
            <button>${this.texts("memory.forget_days")}</button>
          </form>
          <button
            class="danger"
            @click=${()=>this.forget({everything:!0},this.texts("memory.forget_all_ask"))}
          >
            ${this.texts("memory.forget_all")}
          </button>
        </div>
      </section>
    `}keeping({settings:t}){return a`
      <section aria-labelledby="keep">
        <h2 id="keep">${this.texts("memory.keep")}</h2>
        <div class="card">
          <form class="row" @submit=${tt(this.setRetention)}>
            <label
              >${this.texts("memory.keep_days")}
              <input
                type="number"
                name="days"
                min="0"
                max="36500"
                required
                .value=${String(t.retention_days)}
            /></label>
            <label
              >${this.texts("memory.keep_requests")}
              <input
                type="number"
                name="requests"
                min="0"
                max="36500"
                required
                .value=${String(t.request_days)}
            /></label>
            <button>${this.texts("save")}</button>
            ${t.has_own_retention?a`<button
                  type="button"
                  @click=${()=>this.set({household_retention:!0})}
                >
                  ${this.texts("memory.keep_as_household")}
                </button>`:l}
          </form>
          <p class="secondary">${this.texts("memory.keep_help")}</p>
          <button @click=${this.export}>${this.texts("memory.export")}</button>
        </div>
      </section>
    `}};d([m()],P.prototype,"overview",2),d([m()],P.prototype,"pages",2),d([m()],P.prototype,"search",2),d([m()],P.prototype,"found",2),d([m()],P.prototype,"restIsOpen",2),d([m()],P.prototype,"edited",2),d([xt("#rest")],P.prototype,"rest",2),P=d([w("sage-memory")],P);function tt(r){return function(i){i.preventDefault(),r.call(this,i)}}function z(r,i){return String(new FormData(r.target).get(i)??"").trim()}var et=1e3;function Pe(r,i,t){let e=Date.parse(r.since),s=o=>Math.max(0,Math.min(1,(new Date(o).getTime()-e)/864e5))*et,n=[0,6,12,18,24].map(o=>e+o*36e5);return a`
    <svg class="day" viewBox="0 0 ${et} 32" preserveAspectRatio="none" role="img" aria-label=${t}>
      <rect class="empty" y="10" width=${et} height="12" rx="4" />
      ${r.true.map(([o,c])=>Y`<rect class="so" y="10" height="12" x=${s(o)} width=${Math.max(3,s(c)-s(o))} />`)}
      ${r.moments.map(o=>Y`<rect class="moment" y="2" height="28" width="3" x=${s(o)-1} />`)}
    </svg>
    <div class="hours" aria-hidden="true">
      ${n.map(o=>a`<span>${i(new Date(o).toISOString())}</span>`)}
    </div>
  `}var ct=60,hs=60;function Ce(r,i,t){let e=Math.max(...r.map(({value:c})=>c),0);if(!e)return l;let s=new Map(r.map(({day:c,value:h})=>[c,h])),n=i.slice(-hs),o=et/n.length;return a`
    <svg class="bars" viewBox="0 0 ${et} ${ct}" preserveAspectRatio="none" role="img" aria-label=${t}>
      <line class="axis" x1="0" x2=${et} y1=${ct-.5} y2=${ct-.5} />
      ${n.map((c,h)=>{let u=(s.get(c)??0)/e*(ct-4);return Y`<rect class="so" x=${h*o+o*.1} width=${o*.8} y=${ct-u} height=${u} />`})}
    </svg>
  `}var Et=30,ds="/config/integrations/integration/sage",us=1e6,ps=["calls","tokens","cost","seconds"],Me=["input","cached","output"],B=class extends f{constructor(){super(...arguments);this.currency=""}async load(){let t=await $(this.hass,"models/list",{days:Et});this.settings=await this.hass.loadBackendTranslation("selector","sage"),this.agents=t.agents,this.currency=t.currency}setPrice(t,e){let s={};for(let n of Me){let o=H(t,n);o&&(s[n]=Number(o))}return this.act(async()=>(await $(this.hass,"models/set_price",{agent:e,...s}),this.texts("models.price_saved")))}render(){return a`
      <div class="row">
        <h2 class="grow">${this.texts("models.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("models.intro")}</p>
      ${this.messages()}
      ${this.agents?.length===0?a`<p>${this.texts("models.none")}</p>`:l}
      ${this.agents?.map(t=>a`<section class="card" aria-label=${t.name}>
          ${this.agent(t)}
        </section>`)}
    `}agent(t){return a`
      <h3>${t.name}</h3>
      <p>
        ${this.texts("models.model",{model:t.model})}
        ${t.server?a` · ${this.texts("models.server",{server:t.server})}`:l}
      </p>
      <p>
        <a href=${ds} @click=${N}>${this.texts("models.change")}</a>
      </p>
      <p class="secondary">
        ${this.texts("models.formats",{format:this.format(t.format),formats:t.formats.map(e=>this.format(e)).join(", ")})}
      </p>
      ${t.days.length?this.usage(t):a`<p>${this.texts("models.unused")}</p>`}
      ${this.prices(t)}
    `}format(t){return this.settings?.(`component.sage.selector.decision_format.options.${t}`)||t}usage(t){let e=this.lastDays(),s=ps.filter(n=>n!=="cost"||t.price);return a`
      <div class="charts">
        ${s.map(n=>{let o=t.days.map(u=>({day:u.day,value:Oe(u,n,t.price)})),c=this.shown(n,o.reduce((u,{value:x})=>u+x,0)),h=this.texts(`models.${n}`,{total:c,days:Et});return a`<div>
            <h4>${h}</h4>
            ${Ce(o,e,h)}
          </div>`})}
      </div>
      <details>
        <summary>${this.texts("models.by_day")}</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">${this.texts("models.day")}</th>
                ${s.map(n=>a`<th scope="col">${this.texts(`models.column.${n}`)}</th>`)}
                <th scope="col">${this.texts("models.column.failed")}</th>
              </tr>
            </thead>
            <tbody>
              ${[...t.days].reverse().map(n=>a`<tr>
                  <th scope="row">${this.day(n.day)}</th>
                  ${s.map(o=>a`<td>${this.shown(o,Oe(n,o,t.price))}</td>`)}
                  <td>${this.number(n.failed)}</td>
                </tr>`)}
            </tbody>
          </table>
        </div>
        <p class="secondary">${this.texts("models.failed")}</p>
      </details>
    `}lastDays(){let t=new Intl.DateTimeFormat("en-CA",{timeZone:this.hass.config.time_zone}),e=Date.now();return Array.from({length:Et},(s,n)=>t.format(e-(Et-1-n)*864e5))}shown(t,e){return t==="cost"?e.toLocaleString(this.hass.language,{style:"currency",currency:this.currency,maximumFractionDigits:4}):this.number(e,t==="seconds"?1:0)}prices(t){return a`
      <details>
        <summary>${this.texts("models.prices",{currency:this.currency})}</summary>
        <p class="secondary">${this.texts("models.prices_info")}</p>
        <form class="row" @submit=${e=>this.setPrice(e,t.id)}>
          ${Me.map(e=>a`<label>
              ${this.texts(`models.price.${e}`)}
              <input
                name=${e}
                type="number"
                min="0"
                max="100000"
                step="any"
                .value=${String(t.price?.[e]??"")}
              />
            </label>`)}
          <button>${this.texts("save")}</button>
        </form>
      </details>
    `}};B.styles=[f.styles,At,_`
    .charts {
      display: grid;
      gap: 16px;
      grid-template-columns: repeat(auto-fit, minmax(240px, 1fr));
    }
    .charts h4 { font-weight: 500; margin: 0; }
    table { border-collapse: collapse; }
    th, td { padding: 2px 12px 2px 0; text-align: end; }
    th[scope="row"], th:first-child { text-align: start; }
    .scroll { overflow-x: auto; }
    input[type="number"] { width: 110px; }
  `],d([m()],B.prototype,"agents",2),d([m()],B.prototype,"currency",2),d([m()],B.prototype,"settings",2),B=d([w("sage-models")],B);function Oe(r,i,t){switch(i){case"tokens":return r.prompt_tokens+r.completion_tokens;case"cost":return ms(r,t??{});default:return r[i]}}function ms(r,{input:i=0,cached:t=i,output:e=0}){return((r.prompt_tokens-r.cached_tokens)*i+r.cached_tokens*t+r.completion_tokens*e)/us}var gs="and as assert break class continue def del elif else except finally for from if import in is lambda not or pass raise return try while with True False None",vs=new RegExp(["(?<comment>#.*)",`(?<string>"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')`,`(?<keyword>\\b(?:${gs.split(" ").join("|")})\\b)`,"(?<number>\\b\\d[\\d_.]*\\b)","(?<call>\\b[A-Za-z_]\\w*(?=\\())"].join("|"),"g");function fs(r){let i=[],t=0;for(let e of r.matchAll(vs)){let[s]=Object.entries(e.groups??{}).find(([,n])=>n!==void 0);i.push(r.slice(t,e.index),a`<span class=${s}>${e[0]}</span>`),t=e.index+e[0].length}return[...i,r.slice(t)]}var J=class extends A{constructor(){super(...arguments);this.value="";this.label=""}render(){return a`<pre role="group" tabindex="0" aria-label=${this.label}>${fs(this.value)}</pre>`}};J.styles=[Tt,_`
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
    `],d([k()],J.prototype,"value",2),d([k()],J.prototype,"label",2),J=d([w("sage-code")],J);var ys=20;function jt(r,{kind:i,line:t,detail:e}){return a`
    ${t?r("routines.line",{line:t}):l} ${r(`routines.fault.${i}`)}
    ${e?a`<code lang="en">${e}</code>`:l}
  `}function De(r,i,t){return a`
    <div class="test" role="status">
      <p>${i.error?jt(r,i.error):$s(r,i)}</p>
      ${i.reads?.length?a`<ul>
            ${i.reads.map(e=>a`<li>
                <code
                  >${e.function}(${e.arguments.map(s=>JSON.stringify(s)).join(", ")})</code
                >
                =
                <code>${e.is_unknown?"?":e.error??JSON.stringify(e.value)}</code>
              </li>`)}
          </ul>`:l}
      ${xs(r,i.last_24_hours,t)}
    </div>
  `}function $s(r,{value:i}){return r(i===null?"routines.now_unknown":i?"routines.is_true":"routines.is_false")}function xs(r,i,t){if("problem"in i)return a`<p class="secondary">${r(`routines.problem.${i.problem}`)}</p>`;let e=i.true.map(([n,o])=>`${t(n)} – ${t(o)}`),s=r("routines.day",{times:e.length?e.slice(0,ys).join(", "):r("routines.never")});return a`
    <h3>${r("routines.last_day")}</h3>
    ${Pe({since:i.since,true:i.true,moments:i.would_have_fired},t,s)}
    <p class="secondary">
      ${r("routines.would_have_fired",{count:i.would_have_fired.length})}
    </p>
  `}var bs=1e4,R=new Map,S=class extends f{constructor(){super(...arguments);this.others=[];this.questions=[];this.agent=null;this.unreadable=0;this.opened=new Map;this.tests=new Map;this.timer=0}connectedCallback(){super.connectedCallback(),this.timer=window.setInterval(()=>{!document.hidden&&this.routines&&this.load().catch(()=>{})},bs)}firstUpdated(t){this.loaded?.then(()=>this.showLinked());for(let{answer:e}of R.values())e&&this.act(()=>e)}async showLinked(){if(!this.path||!this.routines)return;await this.updateComplete;let t=this.renderRoot.querySelector(".linked");if(!t){await this.guarded(async()=>this.texts("routines.gone"));return}t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer)}async load(){let t=await $(this.hass,"routines/list",this.wording);this.routines=t.routines,this.others=t.others,this.questions=t.questions,this.agent=t.agent,this.unreadable=t.unreadable}async open(t,e){t.currentTarget.open&&!this.opened.has(e)&&await this.guarded(()=>this.read(e))}get wording(){return{language:this.hass.language,has_twelve_hours:_t(this.hass)}}async read(t){let e={routine:t,...this.wording},s=await $(this.hass,"routines/get",e);this.opened=new Map(this.opened).set(t,s)}test(t){return this.guarded(async()=>{let e=await T(this.hass,"test_routine",{routine:t});this.tests=new Map(this.tests).set(t,e)})}pause(t){let e=t.status==="watching"?"pause_routine":"resume_routine";return this.act(async()=>{await T(this.hass,e,{routine:t.id})})}async delete(t,e){await this.agrees(this.texts("routines.delete_question",{routine:e}))&&await this.act(async()=>(await T(this.hass,"delete_routine",{routine:t.id}),this.texts("routines.deleted")))}answer(t,e){return this.act(async()=>(await be(this.hass,t.routine,e),this.questions=this.questions.filter(({id:s})=>s!==t.id),this.texts("routines.answered")))}speak(t,e){let s=H(t,"words"),n=R.get(e)??{conversation:null,reply:"",words:s};if(n.answer)return Promise.resolve();let o=this.answerTo(e,{...n,words:s});return R.set(e,{...n,words:s,answer:o}),this.act(()=>o)}async answerTo(t,e){R.set(t,e);let s=new Set(this.routines?.map(({id:n})=>n));try{let{response:n,conversation_id:o}=await this.hass.callWS({type:"conversation/process",text:e.words,agent_id:this.agent,conversation_id:e.conversation,language:this.hass.language}),c=n.speech.plain?.speech??"";return await this.load(),this.routines.some(({id:h})=>!s.has(h))?(e.replaces&&await T(this.hass,"delete_routine",{routine:e.replaces}),R.delete(t),c):(R.set(t,{...e,conversation:o,reply:c,words:""}),"")}catch(n){throw R.set(t,e),n}}edit({id:t,request:e}){R.set(t,{replaces:t,conversation:null,reply:"",words:e}),this.requestUpdate()}cancel(t){R.delete(t),this.requestUpdate()}render(){return a`
      <div class="row">
        <h2 class="grow">${this.texts("routines.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("routines.intro")}</p>
      ${this.messages()}
      ${this.unreadable?a`<p class="error">
            ${this.texts("routines.unreadable",{count:this.unreadable})}
          </p>`:l}
      ${this.agent?a`<section class="card" aria-labelledby="new">
            <h3 id="new">${this.texts("routines.new")}</h3>
            ${this.words("")}
          </section>`:l}
      ${this.strangeQuestions()} ${this.list()} ${this.ofOthers()}
    `}list(){return this.routines?this.routines.length?a`${this.zone()}<ul class="plain" id="routines">
      ${I(this.routines,({id:t})=>t,t=>a`<li
          class="card ${t.id===this.path?"linked":""}"
          tabindex=${t.id===this.path?-1:l}
          id="routine-${t.id}"
        >
          ${this.card(t)}
        </li>`)}
    </ul>`:a`<p>${this.texts("routines.none")}</p>`:l}zone(){let{time_zone:t}=this.hass.config,e=bt(this.hass)??Intl.DateTimeFormat().resolvedOptions().timeZone;return e===t?l:a`<p class="secondary">${this.texts("routines.zone",{home:t,own:e})}</p>`}card(t){let e=this.questions.filter(({routine:n})=>n===t.id),s=this.tests.get(t.id);return a`
      <p class="secondary">
        ${this.texts("routines.number",{number:t.number})} ·
        <span class="status">${this.status(t)}</span>
        ${t.is_household?a` · ${this.texts("routines.household")}`:l}
      </p>
      <h3>${t.says}</h3>
      ${t.request?a`<p class="secondary">
            ${this.texts("routines.request",{words:t.request})}
          </p>`:l}
      ${e.map(n=>this.asked(n))}
      ${this.does(t)}
      <p class="secondary">${this.times(t)}</p>
      ${t.trouble?a`<p class="error">${jt(this.texts,t.trouble)}</p>`:l}
      ${R.has(t.id)?this.words(t.id):l}
      <div class="row">
        ${t.is_household?l:this.ownButtons(t)} ${this.buttons(t)}
      </div>
      ${s?De(this.texts,s,n=>this.clock(n)):l}
      ${Le(t)?a`<details @toggle=${n=>this.open(n,t.id)}>
            <summary>${this.texts("routines.details")}</summary>
            ${this.opened.has(t.id)?this.details(this.opened.get(t.id)):l}
          </details>`:l}
    `}ownButtons(t){return a`
      ${Le(t)?a`<button @click=${()=>this.test(t.id)}>${this.texts("routines.test")}</button>`:l}
      ${this.agent&&!R.has(t.id)?a`<button @click=${()=>this.edit(t)}>${this.texts("routines.edit")}</button>`:l}
    `}buttons(t){let e=t.says??this.texts("routines.number",{number:t.number});return a`
      ${t.status==="ended"?l:a`<button @click=${()=>this.pause(t)}>
            ${this.texts(t.status==="watching"?"routines.pause":"routines.resume")}
          </button>`}
      <button class="danger" @click=${()=>this.delete(t,e)}>
        ${this.texts("delete")}
      </button>
    `}status(t){return this.texts(`routines.status.${t.status}`)}times(t){let e=[this.texts("routines.fired",{count:t.fired})];if(t.last_fired&&e.push(this.texts("routines.last",{time:this.dateTime(t.last_fired)})),t.status==="paused"&&t.paused_until)e.push(this.texts("routines.until",{time:this.dateTime(t.paused_until)}));else if(t.next_check&&t.status==="watching"){let s=t.is_true===null?"routines.next":"routines.next_check";e.push(this.texts(s,{time:this.dateTime(t.next_check)}))}return t.is_true!==null&&t.status==="watching"&&e.push(this.texts(t.is_true?"routines.is_true":"routines.is_false")),e.join(" · ")}does({does:t,action:e}){return t&&"commands"in t?a`<ul>
        ${t.commands.map(({device:s,command:n,arguments:o})=>a`<li><strong>${s}</strong>: <code>${n}</code> ${_s(o)}</li>`)}
      </ul>`:t&&"words"in t?a`<p>${this.texts("routines.tells",{words:t.words})}</p>`:a`<p>${this.texts("routines.decides",{action:e})}</p>`}asked(t){let e=a`<input
      name="answer"
      required
      autocomplete="off"
      type=${t.takes_pin?"password":"text"}
      inputmode=${t.takes_pin?"numeric":l}
      aria-label=${this.texts(t.takes_pin?"routines.pin":"routines.your_answer")}
      placeholder=${this.texts(t.takes_pin?"routines.pin":"routines.your_answer")}
    />`,s=t.wanted!=="text";return a`
      <div class="question" role="group" aria-label=${t.text}>
        <p><strong>${t.text}</strong></p>
        <form
          class="row"
          @submit=${n=>this.answer(t,H(n,"answer"))}
        >
          ${t.wanted==="yes_or_no"?a`<button
                type="button"
                class="primary"
                @click=${()=>this.answer(t,t.yes)}
              >
                ${this.texts("yes")}
              </button>`:a`${e}<button class="primary">${this.texts("routines.send")}</button>`}
          ${s?a`<button
                type="button"
                @click=${()=>this.answer(t,t.no)}
              >
                ${this.texts("no")}
              </button>`:l}
        </form>
      </div>
    `}strangeQuestions(){let t=new Set(this.routines?.map(({id:e})=>e));return this.questions.filter(({routine:e})=>!t.has(e)).map(e=>a`<section class="card">${this.asked(e)}</section>`)}words(t){let e=R.get(t),s=!!e?.answer,n=this.texts(e?.reply?"routines.your_answer":t?"routines.new_words":"routines.sentence");return a`
      <form
        aria-busy=${s}
        @submit=${o=>this.speak(o,t)}
      >
        <div role="status">
          ${e?.reply?a`<p>${e.reply}</p>`:l}
          ${s?a`<p class="secondary">${this.texts("card.working")}</p>
                <progress aria-label=${this.texts("card.working")}></progress>`:l}
        </div>
        ${t&&!e?.reply?a`<p class="secondary">${this.texts("routines.edit_info")}</p>`:l}
        <textarea
          name="words"
          required
          rows="2"
          maxlength="1000"
          aria-label=${n}
          placeholder=${n}
          ?readonly=${s}
          .value=${e?.words??""}
        ></textarea>
        <div class="row">
          <button class="primary" ?disabled=${s}>${this.texts("routines.send")}</button>
          ${!s&&(e?.replaces||e?.reply)?a`<button type="button" @click=${()=>this.cancel(t)}>
                ${this.texts("cancel")}
              </button>`:l}
        </div>
      </form>
    `}details(t){return a`
      <p class="secondary">
        ${this.texts("routines.code_info",{interval:this.number(t.interval??0)})}
        ${t.hold?this.texts("routines.code_hold",{time:this.duration(t.hold)}):this.texts("routines.code_no_hold")}
      </p>
      <sage-code .value=${t.code??""} .label=${this.texts("routines.code")}></sage-code>
      ${t.end_code?a`<p class="secondary">${this.texts("routines.end_code")}</p>
            <sage-code
              .value=${t.end_code}
              .label=${this.texts("routines.end_code")}
            ></sage-code>`:l}
    `}ofOthers(){return this.others.length?a`
      <details id="others">
        <summary>${this.texts("routines.others",{count:this.others.length})}</summary>
        <p class="secondary">${this.texts("routines.others_info")}</p>
        <ul class="plain">
          ${this.others.map(t=>a`<li class="card row">
              <span class="grow"
                >${this.texts("routines.number",{number:t.number})} ·
                ${this.status(t)} ·
                ${this.texts("routines.fired",{count:t.fired})}</span
              >
              ${this.buttons(t)}
            </li>`)}
        </ul>
      </details>
    `:l}};S.styles=[f.styles,At,_`
    .status { font-weight: 500; }
    .linked { outline: 2px solid var(--primary-color); }
    .replaced { opacity: 0.6; }
  `],d([m()],S.prototype,"routines",2),d([m()],S.prototype,"others",2),d([m()],S.prototype,"questions",2),d([m()],S.prototype,"agent",2),d([m()],S.prototype,"unreadable",2),d([m()],S.prototype,"opened",2),d([m()],S.prototype,"tests",2),S=d([w("sage-routines")],S);function Le({interval:r}){return r!==void 0}function _s(r){return Object.entries(r).map(([i,t])=>`${i}: ${JSON.stringify(t)}`).join(", ")}var ws=[{path:"activity"},{path:"memory"},{path:"routines"},{path:"devices"},{path:"models",needsAdmin:!0}],q=class extends A{constructor(){super(...arguments);this.narrow=!1;this.language=""}willUpdate(t){t.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,this.readTexts(this.hass))}async readTexts(t){this.texts=await ue(t)}get tabs(){return ws.filter(t=>!t.needsAdmin||this.hass?.user.is_admin)}render(){if(!this.hass||!this.route)return l;let[t,...e]=this.route.path.split("/").filter(Boolean),s=this.tabs.find(n=>n.path===t)??this.tabs[0];return a`
      ${this.texts?this.header(this.texts,s):l}
      <main>${this.view(s,e.join("/"))}</main>
    `}header(t,e){return a`
      <header>
        <button class="menu" aria-label=${t("menu")} @click=${this.toggleMenu}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 6h18v2H3V6m0 5h18v2H3v-2m0 5h18v2H3v-2Z" />
          </svg>
        </button>
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs.map(s=>a`<a
              href="${this.route.prefix}/${s.path}"
              aria-current=${s===e?"page":l}
              @click=${N}
              >${t(`tabs.${s.path}`)}</a
            >`)}
        </nav>
      </header>
    `}view(t,e){let s=ce(`sage-${t.path}`);return he`<${s} .hass=${this.hass} .texts=${this.texts} .path=${e}></${s}>`}toggleMenu(){this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))}};q.styles=_`
    :host {
      /* Where a message of a view stays: just below the header. */
      --sage-header-height: var(--header-height, 56px);
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
    :host([narrow]) {
      /* The tabs are in a second row. */
      --sage-header-height: calc(var(--header-height, 56px) + 50px);
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
    :host([narrow]) nav a {
      flex-grow: 1;
      padding: 0 6px;
      text-align: center;
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
  `,d([k({attribute:!1})],q.prototype,"hass",2),d([k({type:Boolean,reflect:!0})],q.prototype,"narrow",2),d([k({attribute:!1})],q.prototype,"route",2),d([m()],q.prototype,"texts",2),q=d([w("sage-panel")],q);export{q as Panel};
