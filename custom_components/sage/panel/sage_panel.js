var He=Object.defineProperty;var Le=Object.getOwnPropertyDescriptor;var d=(r,i,t,e)=>{for(var s=e>1?void 0:e?Le(i,t):i,n=r.length-1,a;n>=0;n--)(a=r[n])&&(s=(e?a(i,t,s):a(s))||s);return e&&s&&He(i,t,s),s};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var lt=globalThis,ct=lt.ShadowRoot&&(lt.ShadyCSS===void 0||lt.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Et=Symbol(),It=new WeakMap,tt=class{constructor(i,t,e){if(this._$cssResult$=!0,e!==Et)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=i,this.t=t}get styleSheet(){let i=this.o,t=this.t;if(ct&&i===void 0){let e=t!==void 0&&t.length===1;e&&(i=It.get(t)),i===void 0&&((this.o=i=new CSSStyleSheet).replaceSync(this.cssText),e&&It.set(t,i))}return i}toString(){return this.cssText}},zt=r=>new tt(typeof r=="string"?r:r+"",void 0,Et),_=(r,...i)=>{let t=r.length===1?r[0]:i.reduce((e,s,n)=>e+(a=>{if(a._$cssResult$===!0)return a.cssText;if(typeof a=="number")return a;throw Error("Value passed to 'css' function must be a 'css' function result: "+a+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+r[n+1],r[0]);return new tt(t,r,Et)},Bt=(r,i)=>{if(ct)r.adoptedStyleSheets=i.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of i){let e=document.createElement("style"),s=lt.litNonce;s!==void 0&&e.setAttribute("nonce",s),e.textContent=t.cssText,r.appendChild(e)}},Rt=ct?r=>r:r=>r instanceof CSSStyleSheet?(i=>{let t="";for(let e of i.cssRules)t+=e.cssText;return zt(t)})(r):r;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:Ue,defineProperty:qe,getOwnPropertyDescriptor:Ne,getOwnPropertyNames:je,getOwnPropertySymbols:Ie,getPrototypeOf:ze}=Object,ht=globalThis,Wt=ht.trustedTypes,Be=Wt?Wt.emptyScript:"",We=ht.reactiveElementPolyfillSupport,et=(r,i)=>r,st={toAttribute(r,i){switch(i){case Boolean:r=r?Be:null;break;case Object:case Array:r=r==null?r:JSON.stringify(r)}return r},fromAttribute(r,i){let t=r;switch(i){case Boolean:t=r!==null;break;case Number:t=r===null?null:Number(r);break;case Object:case Array:try{t=JSON.parse(r)}catch{t=null}}return t}},dt=(r,i)=>!Ue(r,i),Kt={attribute:!0,type:String,converter:st,reflect:!1,useDefault:!1,hasChanged:dt};Symbol.metadata??=Symbol("metadata"),ht.litPropertyMetadata??=new WeakMap;var O=class extends HTMLElement{static addInitializer(i){this._$Ei(),(this.l??=[]).push(i)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(i,t=Kt){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(i)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(i,t),!t.noAccessor){let e=Symbol(),s=this.getPropertyDescriptor(i,e,t);s!==void 0&&qe(this.prototype,i,s)}}static getPropertyDescriptor(i,t,e){let{get:s,set:n}=Ne(this.prototype,i)??{get(){return this[t]},set(a){this[t]=a}};return{get:s,set(a){let h=s?.call(this);n?.call(this,a),this.requestUpdate(i,h,e)},configurable:!0,enumerable:!0}}static getPropertyOptions(i){return this.elementProperties.get(i)??Kt}static _$Ei(){if(this.hasOwnProperty(et("elementProperties")))return;let i=ze(this);i.finalize(),i.l!==void 0&&(this.l=[...i.l]),this.elementProperties=new Map(i.elementProperties)}static finalize(){if(this.hasOwnProperty(et("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(et("properties"))){let t=this.properties,e=[...je(t),...Ie(t)];for(let s of e)this.createProperty(s,t[s])}let i=this[Symbol.metadata];if(i!==null){let t=litPropertyMetadata.get(i);if(t!==void 0)for(let[e,s]of t)this.elementProperties.set(e,s)}this._$Eh=new Map;for(let[t,e]of this.elementProperties){let s=this._$Eu(t,e);s!==void 0&&this._$Eh.set(s,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(i){let t=[];if(Array.isArray(i)){let e=new Set(i.flat(1/0).reverse());for(let s of e)t.unshift(Rt(s))}else i!==void 0&&t.push(Rt(i));return t}static _$Eu(i,t){let e=t.attribute;return e===!1?void 0:typeof e=="string"?e:typeof i=="string"?i.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(i=>this.enableUpdating=i),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(i=>i(this))}addController(i){(this._$EO??=new Set).add(i),this.renderRoot!==void 0&&this.isConnected&&i.hostConnected?.()}removeController(i){this._$EO?.delete(i)}_$E_(){let i=new Map,t=this.constructor.elementProperties;for(let e of t.keys())this.hasOwnProperty(e)&&(i.set(e,this[e]),delete this[e]);i.size>0&&(this._$Ep=i)}createRenderRoot(){let i=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Bt(i,this.constructor.elementStyles),i}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(i=>i.hostConnected?.())}enableUpdating(i){}disconnectedCallback(){this._$EO?.forEach(i=>i.hostDisconnected?.())}attributeChangedCallback(i,t,e){this._$AK(i,e)}_$ET(i,t){let e=this.constructor.elementProperties.get(i),s=this.constructor._$Eu(i,e);if(s!==void 0&&e.reflect===!0){let n=(e.converter?.toAttribute!==void 0?e.converter:st).toAttribute(t,e.type);this._$Em=i,n==null?this.removeAttribute(s):this.setAttribute(s,n),this._$Em=null}}_$AK(i,t){let e=this.constructor,s=e._$Eh.get(i);if(s!==void 0&&this._$Em!==s){let n=e.getPropertyOptions(s),a=typeof n.converter=="function"?{fromAttribute:n.converter}:n.converter?.fromAttribute!==void 0?n.converter:st;this._$Em=s;let h=a.fromAttribute(t,n.type);this[s]=h??this._$Ej?.get(s)??h,this._$Em=null}}requestUpdate(i,t,e,s=!1,n){if(i!==void 0){let a=this.constructor;if(s===!1&&(n=this[i]),e??=a.getPropertyOptions(i),!((e.hasChanged??dt)(n,t)||e.useDefault&&e.reflect&&n===this._$Ej?.get(i)&&!this.hasAttribute(a._$Eu(i,e))))return;this.C(i,t,e)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(i,t,{useDefault:e,reflect:s,wrapped:n},a){e&&!(this._$Ej??=new Map).has(i)&&(this._$Ej.set(i,a??t??this[i]),n!==!0||a!==void 0)||(this._$AL.has(i)||(this.hasUpdated||e||(t=void 0),this._$AL.set(i,t)),s===!0&&this._$Em!==i&&(this._$Eq??=new Set).add(i))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let i=this.scheduleUpdate();return i!=null&&await i,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[s,n]of this._$Ep)this[s]=n;this._$Ep=void 0}let e=this.constructor.elementProperties;if(e.size>0)for(let[s,n]of e){let{wrapped:a}=n,h=this[s];a!==!0||this._$AL.has(s)||h===void 0||this.C(s,void 0,n,h)}}let i=!1,t=this._$AL;try{i=this.shouldUpdate(t),i?(this.willUpdate(t),this._$EO?.forEach(e=>e.hostUpdate?.()),this.update(t)):this._$EM()}catch(e){throw i=!1,this._$EM(),e}i&&this._$AE(t)}willUpdate(i){}_$AE(i){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(i)),this.updated(i)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(i){return!0}update(i){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(i){}firstUpdated(i){}};O.elementStyles=[],O.shadowRootOptions={mode:"open"},O[et("elementProperties")]=new Map,O[et("finalized")]=new Map,We?.({ReactiveElement:O}),(ht.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Pt=globalThis,Vt=r=>r,ut=Pt.trustedTypes,Ft=ut?ut.createPolicy("lit-html",{createHTML:r=>r}):void 0,Ct="$lit$",D=`lit$${Math.random().toFixed(9).slice(2)}$`,Mt="?"+D,Ke=`<${Mt}>`,V=document,rt=()=>V.createComment(""),nt=r=>r===null||typeof r!="object"&&typeof r!="function",Ot=Array.isArray,Xt=r=>Ot(r)||typeof r?.[Symbol.iterator]=="function",St=`[ 	
\f\r]`,it=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Gt=/-->/g,Zt=/>/g,W=RegExp(`>|${St}(?:([^\\s"'>=/]+)(${St}*=${St}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Jt=/'/g,Qt=/"/g,te=/^(?:script|style|textarea|title)$/i,Dt=r=>(i,...t)=>({_$litType$:r,strings:i,values:t}),o=Dt(1),yt=Dt(2),ee=Dt(3),H=Symbol.for("lit-noChange"),l=Symbol.for("lit-nothing"),Yt=new WeakMap,K=V.createTreeWalker(V,129);function se(r,i){if(!Ot(r)||!r.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ft!==void 0?Ft.createHTML(i):i}var ie=(r,i)=>{let t=r.length-1,e=[],s,n=i===2?"<svg>":i===3?"<math>":"",a=it;for(let h=0;h<t;h++){let c=r[h],u,x,p=-1,y=0;for(;y<c.length&&(a.lastIndex=y,x=a.exec(c),x!==null);)y=a.lastIndex,a===it?x[1]==="!--"?a=Gt:x[1]!==void 0?a=Zt:x[2]!==void 0?(te.test(x[2])&&(s=RegExp("</"+x[2],"g")),a=W):x[3]!==void 0&&(a=W):a===W?x[0]===">"?(a=s??it,p=-1):x[1]===void 0?p=-2:(p=a.lastIndex-x[2].length,u=x[1],a=x[3]===void 0?W:x[3]==='"'?Qt:Jt):a===Qt||a===Jt?a=W:a===Gt||a===Zt?a=it:(a=W,s=void 0);let v=a===W&&r[h+1].startsWith("/>")?" ":"";n+=a===it?c+Ke:p>=0?(e.push(u),c.slice(0,p)+Ct+c.slice(p)+D+v):c+D+(p===-2?h:v)}return[se(r,n+(r[t]||"<?>")+(i===2?"</svg>":i===3?"</math>":"")),e]},ot=class r{constructor({strings:i,_$litType$:t},e){let s;this.parts=[];let n=0,a=0,h=i.length-1,c=this.parts,[u,x]=ie(i,t);if(this.el=r.createElement(u,e),K.currentNode=this.el.content,t===2||t===3){let p=this.el.content.firstChild;p.replaceWith(...p.childNodes)}for(;(s=K.nextNode())!==null&&c.length<h;){if(s.nodeType===1){if(s.hasAttributes())for(let p of s.getAttributeNames())if(p.endsWith(Ct)){let y=x[a++],v=s.getAttribute(p).split(D),b=/([.?@])?(.*)/.exec(y);c.push({type:1,index:n,name:b[2],strings:v,ctor:b[1]==="."?mt:b[1]==="?"?gt:b[1]==="@"?vt:G}),s.removeAttribute(p)}else p.startsWith(D)&&(c.push({type:6,index:n}),s.removeAttribute(p));if(te.test(s.tagName)){let p=s.textContent.split(D),y=p.length-1;if(y>0){s.textContent=ut?ut.emptyScript:"";for(let v=0;v<y;v++)s.append(p[v],rt()),K.nextNode(),c.push({type:2,index:++n});s.append(p[y],rt())}}}else if(s.nodeType===8)if(s.data===Mt)c.push({type:2,index:n});else{let p=-1;for(;(p=s.data.indexOf(D,p+1))!==-1;)c.push({type:7,index:n}),p+=D.length-1}n++}}static createElement(i,t){let e=V.createElement("template");return e.innerHTML=i,e}};function F(r,i,t=r,e){if(i===H)return i;let s=e!==void 0?t._$Co?.[e]:t._$Cl,n=nt(i)?void 0:i._$litDirective$;return s?.constructor!==n&&(s?._$AO?.(!1),n===void 0?s=void 0:(s=new n(r),s._$AT(r,t,e)),e!==void 0?(t._$Co??=[])[e]=s:t._$Cl=s),s!==void 0&&(i=F(r,s._$AS(r,i.values),s,e)),i}var pt=class{constructor(i,t){this._$AV=[],this._$AN=void 0,this._$AD=i,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(i){let{el:{content:t},parts:e}=this._$AD,s=(i?.creationScope??V).importNode(t,!0);K.currentNode=s;let n=K.nextNode(),a=0,h=0,c=e[0];for(;c!==void 0;){if(a===c.index){let u;c.type===2?u=new Q(n,n.nextSibling,this,i):c.type===1?u=new c.ctor(n,c.name,c.strings,this,i):c.type===6&&(u=new ft(n,this,i)),this._$AV.push(u),c=e[++h]}a!==c?.index&&(n=K.nextNode(),a++)}return K.currentNode=V,s}p(i){let t=0;for(let e of this._$AV)e!==void 0&&(e.strings!==void 0?(e._$AI(i,e,t),t+=e.strings.length-2):e._$AI(i[t])),t++}},Q=class r{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(i,t,e,s){this.type=2,this._$AH=l,this._$AN=void 0,this._$AA=i,this._$AB=t,this._$AM=e,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let i=this._$AA.parentNode,t=this._$AM;return t!==void 0&&i?.nodeType===11&&(i=t.parentNode),i}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(i,t=this){i=F(this,i,t),nt(i)?i===l||i==null||i===""?(this._$AH!==l&&this._$AR(),this._$AH=l):i!==this._$AH&&i!==H&&this._(i):i._$litType$!==void 0?this.$(i):i.nodeType!==void 0?this.T(i):Xt(i)?this.k(i):this._(i)}O(i){return this._$AA.parentNode.insertBefore(i,this._$AB)}T(i){this._$AH!==i&&(this._$AR(),this._$AH=this.O(i))}_(i){this._$AH!==l&&nt(this._$AH)?this._$AA.nextSibling.data=i:this.T(V.createTextNode(i)),this._$AH=i}$(i){let{values:t,_$litType$:e}=i,s=typeof e=="number"?this._$AC(i):(e.el===void 0&&(e.el=ot.createElement(se(e.h,e.h[0]),this.options)),e);if(this._$AH?._$AD===s)this._$AH.p(t);else{let n=new pt(s,this),a=n.u(this.options);n.p(t),this.T(a),this._$AH=n}}_$AC(i){let t=Yt.get(i.strings);return t===void 0&&Yt.set(i.strings,t=new ot(i)),t}k(i){Ot(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,e,s=0;for(let n of i)s===t.length?t.push(e=new r(this.O(rt()),this.O(rt()),this,this.options)):e=t[s],e._$AI(n),s++;s<t.length&&(this._$AR(e&&e._$AB.nextSibling,s),t.length=s)}_$AR(i=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);i!==this._$AB;){let e=Vt(i).nextSibling;Vt(i).remove(),i=e}}setConnected(i){this._$AM===void 0&&(this._$Cv=i,this._$AP?.(i))}},G=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(i,t,e,s,n){this.type=1,this._$AH=l,this._$AN=void 0,this.element=i,this.name=t,this._$AM=s,this.options=n,e.length>2||e[0]!==""||e[1]!==""?(this._$AH=Array(e.length-1).fill(new String),this.strings=e):this._$AH=l}_$AI(i,t=this,e,s){let n=this.strings,a=!1;if(n===void 0)i=F(this,i,t,0),a=!nt(i)||i!==this._$AH&&i!==H,a&&(this._$AH=i);else{let h=i,c,u;for(i=n[0],c=0;c<n.length-1;c++)u=F(this,h[e+c],t,c),u===H&&(u=this._$AH[c]),a||=!nt(u)||u!==this._$AH[c],u===l?i=l:i!==l&&(i+=(u??"")+n[c+1]),this._$AH[c]=u}a&&!s&&this.j(i)}j(i){i===l?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,i??"")}},mt=class extends G{constructor(){super(...arguments),this.type=3}j(i){this.element[this.name]=i===l?void 0:i}},gt=class extends G{constructor(){super(...arguments),this.type=4}j(i){this.element.toggleAttribute(this.name,!!i&&i!==l)}},vt=class extends G{constructor(i,t,e,s,n){super(i,t,e,s,n),this.type=5}_$AI(i,t=this){if((i=F(this,i,t,0)??l)===H)return;let e=this._$AH,s=i===l&&e!==l||i.capture!==e.capture||i.once!==e.once||i.passive!==e.passive,n=i!==l&&(e===l||s);s&&this.element.removeEventListener(this.name,this,e),n&&this.element.addEventListener(this.name,this,i),this._$AH=i}handleEvent(i){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,i):this._$AH.handleEvent(i)}},ft=class{constructor(i,t,e){this.element=i,this.type=6,this._$AN=void 0,this._$AM=t,this.options=e}get _$AU(){return this._$AM._$AU}_$AI(i){F(this,i)}},re={M:Ct,P:D,A:Mt,C:1,L:ie,R:pt,D:Xt,V:F,I:Q,H:G,N:gt,U:vt,B:mt,F:ft},Ve=Pt.litHtmlPolyfillSupport;Ve?.(ot,Q),(Pt.litHtmlVersions??=[]).push("3.3.3");var ne=(r,i,t)=>{let e=t?.renderBefore??i,s=e._$litPart$;if(s===void 0){let n=t?.renderBefore??null;e._$litPart$=s=new Q(i.insertBefore(rt(),n),n,void 0,t??{})}return s._$AI(r),s};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Ht=globalThis,A=class extends O{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let i=super.createRenderRoot();return this.renderOptions.renderBefore??=i.firstChild,i}update(i){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(i),this._$Do=ne(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return H}};A._$litElement$=!0,A.finalized=!0,Ht.litElementHydrateSupport?.({LitElement:A});var Fe=Ht.litElementPolyfillSupport;Fe?.({LitElement:A});(Ht.litElementVersions??=[]).push("4.2.2");/**
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
 */var Ge={attribute:!0,type:String,converter:st,reflect:!1,hasChanged:dt},Ze=(r=Ge,i,t)=>{let{kind:e,metadata:s}=t,n=globalThis.litPropertyMetadata.get(s);if(n===void 0&&globalThis.litPropertyMetadata.set(s,n=new Map),e==="setter"&&((r=Object.create(r)).wrapped=!0),n.set(t.name,r),e==="accessor"){let{name:a}=t;return{set(h){let c=i.get.call(this);i.set.call(this,h),this.requestUpdate(a,c,r,!0,h)},init(h){return h!==void 0&&this.C(a,void 0,r,h),h}}}if(e==="setter"){let{name:a}=t;return function(h){let c=this[a];i.call(this,h),this.requestUpdate(a,c,r,!0,h)}}throw Error("Unsupported decorator location: "+e)};function k(r){return(i,t)=>typeof t=="object"?Ze(r,i,t):((e,s,n)=>{let a=s.hasOwnProperty(n);return s.constructor.createProperty(n,e),a?Object.getOwnPropertyDescriptor(s,n):void 0})(r,i,t)}/**
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
 */function $t(r,i){return(t,e,s)=>{let n=a=>a.renderRoot?.querySelector(r)??null;if(i){let{get:a,set:h}=typeof e=="object"?t:s??(()=>{let c=Symbol();return{get(){return this[c]},set(u){this[c]=u}}})();return Z(t,e,{get(){let c=a.call(this);return c===void 0&&(c=n(this),(c!==null||this.hasUpdated)&&h.call(this,c)),c}})}return Z(t,e,{get(){return n(this)}})}}/**
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
 */var ae=Symbol.for(""),Je=r=>{if(r?.r===ae)return r?._$litStatic$},le=r=>({_$litStatic$:r,r:ae});var oe=new Map,Lt=r=>(i,...t)=>{let e=t.length,s,n,a=[],h=[],c,u=0,x=!1;for(;u<e;){for(c=i[u];u<e&&(n=t[u],(s=Je(n))!==void 0);)c+=s+i[++u],x=!0;u!==e&&h.push(n),a.push(c),u++}if(u===e&&a.push(i[e]),x){let p=a.join("$$lit$$");(i=oe.get(p))===void 0&&(a.raw=a,oe.set(p,i=a)),t=h}return r(i,...t)},ce=Lt(o),Si=Lt(yt),Pi=Lt(ee);function he({entities:r}){return Object.values(r).find(({entity_id:i,platform:t})=>t==="sage"&&i.startsWith("conversation."))?.entity_id}function xt({locale:r,config:i}){return r.time_zone==="local"?void 0:i.time_zone}function bt({locale:{language:r,time_format:i}}){return i==="12"||i==="24"?i==="12":!!new Intl.DateTimeFormat(i==="system"?void 0:r,{timeStyle:"short"}).resolvedOptions().hour12}function Qe(r){history.pushState(null,"",r),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}}))}function N(r){r.ctrlKey||r.metaKey||r.shiftKey||(r.preventDefault(),Qe(r.currentTarget.pathname))}async function de(r){let i=await r.loadBackendTranslation("config_panel","sage"),t=(s,n)=>i(`component.sage.config_panel.${s}`,n);return Object.assign(t,{counted:(s,n)=>t(`${s}_${n===1?"one":"other"}`,{count:n.toLocaleString(r.language)})})}async function ue(r,i){let{message:t,translation_key:e,translation_domain:s,translation_placeholders:n}=i;if(e&&s){let h=(await r.loadBackendTranslation("exceptions",s))(`component.${s}.exceptions.${e}.message`,n);if(h)return h}return t??String(i)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var pe={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},me=r=>(...i)=>({_$litDirective$:r,values:i}),_t=class{constructor(i){}get _$AU(){return this._$AM._$AU}_$AT(i,t,e){this._$Ct=i,this._$AM=t,this._$Ci=e}_$AS(i,t){return this.update(i,t)}update(i,t){return this.render(...t)}};/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{I:Ye}=re,ge=r=>r;var ve=()=>document.createComment(""),Y=(r,i,t)=>{let e=r._$AA.parentNode,s=i===void 0?r._$AB:i._$AA;if(t===void 0){let n=e.insertBefore(ve(),s),a=e.insertBefore(ve(),s);t=new Ye(n,a,r,r.options)}else{let n=t._$AB.nextSibling,a=t._$AM,h=a!==r;if(h){let c;t._$AQ?.(r),t._$AM=r,t._$AP!==void 0&&(c=r._$AU)!==a._$AU&&t._$AP(c)}if(n!==s||h){let c=t._$AA;for(;c!==n;){let u=ge(c).nextSibling;ge(e).insertBefore(c,s),c=u}}}return t},j=(r,i,t=r)=>(r._$AI(i,t),r),Xe={},fe=(r,i=Xe)=>r._$AH=i,ye=r=>r._$AH,wt=r=>{r._$AR(),r._$AA.remove()};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var $e=(r,i,t)=>{let e=new Map;for(let s=i;s<=t;s++)e.set(r[s],s);return e},I=me(class extends _t{constructor(r){if(super(r),r.type!==pe.CHILD)throw Error("repeat() can only be used in text expressions")}dt(r,i,t){let e;t===void 0?t=i:i!==void 0&&(e=i);let s=[],n=[],a=0;for(let h of r)s[a]=e?e(h,a):a,n[a]=t(h,a),a++;return{values:n,keys:s}}render(r,i,t){return this.dt(r,i,t).values}update(r,[i,t,e]){let s=ye(r),{values:n,keys:a}=this.dt(i,t,e);if(!Array.isArray(s))return this.ut=a,n;let h=this.ut??=[],c=[],u,x,p=0,y=s.length-1,v=0,b=n.length-1;for(;p<=y&&v<=b;)if(s[p]===null)p++;else if(s[y]===null)y--;else if(h[p]===a[v])c[v]=j(s[p],n[v]),p++,v++;else if(h[y]===a[b])c[b]=j(s[y],n[b]),y--,b--;else if(h[p]===a[b])c[b]=j(s[p],n[b]),Y(r,c[b+1],s[p]),p++,b--;else if(h[y]===a[v])c[v]=j(s[y],n[v]),Y(r,s[p],s[y]),y--,v++;else if(u===void 0&&(u=$e(a,v,b),x=$e(h,p,y)),u.has(h[p]))if(u.has(h[y])){let M=x.get(a[v]),At=M!==void 0?s[M]:null;if(At===null){let jt=Y(r,s[p]);j(jt,n[v]),c[v]=jt}else c[v]=j(At,n[v]),Y(r,s[p],At),s[M]=null;v++}else wt(s[y]),y--;else wt(s[p]),p++;for(;v<=b;){let M=Y(r,c[b+1]);j(M,n[v]),c[v++]=M}for(;p<=y;){let M=s[p++];M!==null&&wt(M)}return this.ut=a,fe(r,c),H}});function $(r,i,t){return r.callWS({type:`sage/${i}`,data:t})}function T(r,i,t){return r.callWS({type:"sage/action",action:i,data:t})}function xe(r,i,t){return r.callWS({type:"sage/answer_routine",routine:i,answer:t})}function be({thinking_content:r=""}){return r.replace(/^- /,"").replace(/\\(.)/g,"$1").trim()}var ts=3600;function _e(r,{text:i,agent:t,conversation:e},s){let{components:n,language:a}=r.config;return a!==r.language||!n.includes("assist_pipeline")?r.callWS({type:"conversation/process",text:i,agent_id:t,language:r.language,conversation_id:e}):es(r,{type:"assist_pipeline/run",start_stage:"intent",end_stage:"intent",input:{text:i},pipeline:t,conversation_id:e,timeout:ts},s)}async function es({connection:r,localize:i},t,e){let s=()=>{},n;try{return await new Promise((a,h)=>{s=()=>h(new Error(i("ui.notification_toast.connection_lost"))),r.addEventListener("disconnected",s);let c=u=>{u.type==="intent-progress"?e(u.data.chat_log_delta??{}):u.type==="intent-end"?a(u.data.intent_output):u.type==="error"&&h(u.data)};n=r.subscribeMessage(c,t,{resubscribe:!1}),n.catch(h)})}finally{r.removeEventListener("disconnected",s),n?.then(a=>a()).catch(()=>{})}}function L(r,i){return r.preventDefault(),String(new FormData(r.target).get(i)??"").trim()}var kt=_`
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
`,we=_`
  svg.bars {
    display: block;
    height: 60px;
    width: 100%;
  }
  svg .so {
    fill: var(--primary-color);
  }
  svg .axis {
    stroke: var(--divider-color);
  }
`;var f=class extends A{constructor(){super(...arguments);this.path="";this.error="";this.notice="";this.question="";this.verb=""}static{this.styles=kt}connectedCallback(){super.connectedCallback(),this.loaded??=this.act(async()=>{})}shouldUpdate(t){return!!this.texts}act(t){return this.guarded(async()=>{let e=await t();return await this.load(),e})}async guarded(t){this.error="",this.notice="";try{this.notice=await t()??""}catch(e){this.error=await ue(this.hass,e)}}async agrees(t,e=this.texts("delete")){return this.question=t,this.verb=e,await this.updateComplete,this.dialog.returnValue="",this.dialog.showModal(),new Promise(s=>{this.dialog.addEventListener("close",()=>s(this.dialog.returnValue==="yes"),{once:!0})})}number(t,e=0){return t.toLocaleString(this.hass.language,{minimumFractionDigits:e,maximumFractionDigits:e})}duration(t){let e=t%60===0;return(e?t/60:t).toLocaleString(this.hass.language,{style:"unit",unit:e?"minute":"second",unitDisplay:"long"})}dateTime(t){return new Date(t).toLocaleString(this.hass.language,{dateStyle:"medium",...this.ofClock()})}clock(t){return new Date(t).toLocaleTimeString(this.hass.language,this.ofClock())}ofClock(){return{timeStyle:"short",hourCycle:bt(this.hass)?"h12":"h23",timeZone:xt(this.hass)}}day(t){return new Date(`${t}T00:00:00Z`).toLocaleDateString(this.hass.language,{dateStyle:"medium",timeZone:"UTC"})}messages(){return o`
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
    `}message(t,e){return e?o`<div class="message row">
      <p class="grow ${t}">${e}</p>
      <button
        class="close"
        aria-label=${this.texts("close")}
        @click=${()=>{this[t]=""}}
      >
        ✕
      </button>
    </div>`:l}};d([k({attribute:!1})],f.prototype,"hass",2),d([k({attribute:!1})],f.prototype,"texts",2),d([k({attribute:!1})],f.prototype,"path",2),d([m()],f.prototype,"error",2),d([m()],f.prototype,"notice",2),d([m()],f.prototype,"question",2),d([m()],f.prototype,"verb",2),d([$t("dialog")],f.prototype,"dialog",2);var ss="new",C=class extends f{constructor(){super(...arguments);this.sentences=[];this.assistants=null;this.answers=new Map;this.asked="";this.isNew=!1}async load(){let{sentences:t,assistants:e}=await $(this.hass,"start/get",{});this.sentences=t,this.assistants=e}willUpdate(){this.isNew||=this.hasCommands===!1}async say(t,e){this.asked=t;let s=n=>{this.answers=new Map(this.answers).set(t,n)};s(this.texts("card.working")),await this.guarded(async()=>{try{let n={text:t,agent:e,conversation:null},{response:a}=await _e(this.hass,n,h=>{let c=be(h);c&&s(c)});s(a.speech.plain?.speech??"")}catch(n){throw s(""),n}}),this.asked="",this.dispatchEvent(new CustomEvent("answered"))}use(t){let e=L(t,"assistant");return this.act(async()=>(await $(this.hass,"start/use_in_assistant",{assistant:e}),this.texts("start.used")))}render(){return o`${this.messages()} ${this.proposals()} ${this.offer()}`}proposals(){let t=he(this.hass);if(!this.isNew||!t||!this.sentences.length)return l;let e=this.sentences.map(({kind:s,device:n})=>this.texts(`start.say.${s}`,{device:n}));return o`
      <section class="card" aria-label=${this.texts("start.title")}>
        <h3>${this.texts("start.title")}</h3>
        <p>${this.texts("start.intro")}</p>
        <ul class="plain" aria-live="polite">
          ${e.map(s=>o`<li>
              <button ?disabled=${this.asked!==""} @click=${()=>this.say(s,t)}>
                ${s}
              </button>
              ${this.answers.get(s)?o`<p class="answer">${this.answers.get(s)}</p>`:l}
              ${this.asked===s?o`<progress aria-label=${this.texts("card.working")}></progress>`:l}
            </li>`)}
        </ul>
      </section>
    `}offer(){return this.assistants?o`
      <section class="card" aria-label=${this.texts("start.assist")}>
        <h3>${this.texts("start.assist")}</h3>
        <p>${this.texts("start.assist_info")}</p>
        <form class="row" @submit=${this.use}>
          <label>
            ${this.texts("start.assistant")}
            <select name="assistant">
              ${this.assistants.map(({id:t,name:e})=>o`<option value=${t}>${e}</option>`)}
              <option value=${ss}>${this.texts("start.new_assistant")}</option>
            </select>
          </label>
          <button class="primary">${this.texts("start.use")}</button>
        </form>
      </section>
    `:l}};C.styles=[f.styles,_`
    li { margin: 8px 0; }
    .answer { white-space: pre-line; }
  `],d([k({attribute:!1})],C.prototype,"hasCommands",2),d([m()],C.prototype,"sentences",2),d([m()],C.prototype,"assistants",2),d([m()],C.prototype,"answers",2),d([m()],C.prototype,"asked",2),C=d([w("sage-start")],C);var Ut=50,is=500,rs=2e4,U=class extends f{constructor(){super(...arguments);this.hasMore=!1;this.traces=new Map;this.questions=new Map;this.timer=0;this.refresh=()=>{!document.hidden&&this.commands&&this.load().catch(()=>{})}}connectedCallback(){super.connectedCallback(),this.timer=window.setInterval(this.refresh,rs),window.addEventListener("focus",this.refresh)}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer),window.removeEventListener("focus",this.refresh)}async load(){let t=Math.min(is,Math.max(Ut,this.commands?.length??0)),e=await $(this.hass,"activity/list",{count:t});this.commands=e.commands,this.hasMore=e.has_more}async more(){let t=this.commands?.at(-1),e=t?.is_waiting?void 0:t?.id;if(e){let s=await $(this.hass,"activity/list",{count:Ut,before:e});this.commands=[...this.commands??[],...s.commands],this.hasMore=s.has_more}}async open(t,e){t.currentTarget.open&&!this.traces.has(e.id)&&await this.guarded(async()=>{let n=await $(this.hass,"activity/trace",{id:e.id});this.traces=new Map(this.traces).set(e.id,n)})}undo(t,e){return this.act(async()=>{let s={id:t.id,language:this.hass.language},n=await $(this.hass,"activity/undo",e?{...s,agreed:e}:s);return this.questions=new Map(this.questions),n.question?this.questions.set(t.id,n.question):this.questions.delete(t.id),n.done??""})}async openHousehold(t){t.currentTarget.open&&!this.household&&await this.guarded(async()=>{this.household=(await $(this.hass,"activity/household",{count:Ut})).commands})}render(){return o`
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
    `}list(){return this.commands?this.commands.length?o`
      <ul class="plain" id="commands">
        ${I(this.commands,t=>t.id,t=>o`<li class="card">${this.card(t)}</li>`)}
      </ul>
      ${this.hasMore?o`<button @click=${()=>this.guarded(()=>this.more())}>
            ${this.texts("more")}
          </button>`:l}
    `:o`<p>${this.texts("activity.none")}</p>`:l}card(t){let e=this.questions.get(t.id);return o`
      <p class="secondary">
        ${this.dateTime(t.at)}
        ${t.routine||t.routine_id?o`· ${this.routine(t)}`:l}
        ${t.is_undone?o`· <strong>${this.texts("activity.undone")}</strong>`:l}
        ${t.is_waiting?o`· <strong>${this.texts("activity.waiting")}</strong>`:l}
      </p>
      <h3>${t.command||this.texts("activity.forgotten")}</h3>
      <p>${t.answer}</p>
      ${t.can_undo&&!e?o`<button @click=${()=>this.undo(t)}>${this.texts("activity.undo")}</button>`:l}
      ${e?this.ask(t,e):l}
      ${t.is_waiting?l:o`<details @toggle=${s=>this.open(s,t)}>
            <summary>${this.texts("activity.details")}</summary>
            ${this.traces.has(t.id)?this.trace(t,this.traces.get(t.id)):l}
          </details>`}
    `}routine({routine:t,routine_id:e}){let s=this.texts("activity.routine",{when:t});return e?o`<a href="/sage/routines/${e}" @click=${N}>${s}</a>`:o`${s}`}ask(t,e){return o`
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
    `}summary(t){return this.texts("activity.summary",{seconds:this.number(t.seconds,1),calls:this.texts.counted("activity.calls",t.model_calls),tokens:this.tokens(t.usage,t.usage.prompt_tokens+t.usage.completion_tokens)})}trace(t,e){return o`
      ${this.why(e)} ${this.changes(t,e)}
      ${e.seen?.length?o`<h3>${this.texts("activity.also")}</h3>
            <ul>
              ${e.seen.map(s=>o`<li>${s}</li>`)}
            </ul>`:l}
      <details>
        <summary>${this.texts("activity.technical")}</summary>
        ${this.technical(e)}
      </details>
    `}technical(t){let e=t.outcomes.filter(({after:s})=>Object.keys(s).length);return o`
      <p class="secondary">${this.summary(t)}</p>
      ${e.length?o`<h3>${this.texts("activity.values")}</h3>
            <ul>
              ${e.map(({name:s,before:n,after:a})=>o`<li>${s}: ${this.values(n,a)}</li>`)}
            </ul>`:l}
      <h3>${this.texts("activity.steps")}</h3>
      <p class="secondary">
        ${this.texts("activity.costs",{seconds:this.number(t.seconds,1),model_seconds:this.number(t.model_seconds,1)})}
        ${t.reads?this.texts.counted("activity.reads",t.reads):this.texts("activity.reads_none")}
        ${this.usage(t.usage)}
      </p>
      ${t.root.children.length?o`<ul class="plain">
            ${t.root.children.map(s=>this.step(s))}
          </ul>`:o`<p>${this.texts("activity.no_steps")}</p>`}
    `}why(t){let e=t.outcomes.filter(({kind:s})=>s==="refused"||s==="failed");return!t.confirmations.length&&!e.length?l:o`
      <h3>${this.texts("activity.why")}</h3>
      <ul>
        ${t.confirmations.map(({question:s,risks:n,result:a})=>o`<li>
            ${this.texts("activity.asked",{question:s})}
            ${n.map(h=>o`<br />${this.texts(`activity.risk.${h}`)}`)}
            <br />${this.texts(`activity.reply.${a}`)}
          </li>`)}
        ${e.map(({sentence:s})=>o`<li>${s}</li>`)}
      </ul>
    `}changes(t,e){let s=e.outcomes.filter(({kind:n})=>n!=="refused"&&n!=="failed");return o`
      <h3>${this.texts("activity.changes")}</h3>
      ${t.is_undone?o`<p>${this.texts("activity.undone_changes")}</p>`:l}
      ${s.length?o`<ul>
            ${s.map(({sentence:n})=>o`<li>${n}</li>`)}
          </ul>`:o`<p>${this.texts("activity.no_changes")}</p>`}
    `}values(t,e){return Object.keys(e).map(s=>`${s}: ${ke(t[s])} → ${ke(e[s])}`).join(", ")}step(t){let e=[this.texts("activity.seconds",{seconds:this.number(t.seconds,1)})];t.usage&&e.push(this.usage(t.usage));let s=t.children.length||t.result||Object.keys(t.arguments).length,n=o`<strong
        >${t.kind==="model"?this.texts("activity.model"):t.name}</strong
      >
      ${t.error?o`<span class="failed">${this.texts("activity.error")}</span>`:l}
      <span class="secondary">${e.join(" · ")}</span>`;return s?o`<li>
      <details>
        <summary>${n}</summary>
        ${Object.keys(t.arguments).length?o`<pre>${JSON.stringify(t.arguments,null,2)}</pre>`:l}
        ${t.children.length?o`<ul class="plain">
              ${t.children.map(a=>this.step(a))}
            </ul>`:l}
        ${t.result?o`<p class="secondary">${this.texts("activity.seen")}</p>
              <pre>${t.result}</pre>`:l}
      </details>
    </li>`:o`<li>${n}</li>`}usage(t){return this.texts("activity.tokens",{prompt:this.tokens(t,t.prompt_tokens),cached:this.tokens(t,t.cached_tokens),written:this.tokens(t,t.completion_tokens)})}tokens(t,e){let s=this.number(e);return t.is_estimated?this.texts("activity.about",{number:s}):s}ofHousehold(){return o`
      <details id="household" @toggle=${this.openHousehold}>
        <summary>${this.texts("activity.household")}</summary>
        <p class="secondary">${this.texts("activity.household_intro")}</p>
        ${this.household?.length===0?o`<p>${this.texts("activity.household_none")}</p>`:l}
        <ul class="plain">
          ${this.household?.map(t=>o`<li class="card">
              <p class="secondary">${this.dateTime(t.at)}</p>
              <ul>
                ${t.outcomes.map(({name:e,kind:s})=>o`<li>${e}: ${this.texts(`activity.outcome.${s}`)}</li>`)}
              </ul>
              <p>${this.summary(t)}</p>
            </li>`)}
        </ul>
      </details>
    `}};d([m()],U.prototype,"commands",2),d([m()],U.prototype,"hasMore",2),d([m()],U.prototype,"household",2),d([m()],U.prototype,"traces",2),d([m()],U.prototype,"questions",2),U=d([w("sage-activity")],U);function ke(r){return typeof r=="string"?r:JSON.stringify(r)??"–"}var ns="/config/voice-assistants/expose",os=["free","ask","never"],Te=50,Ae=250,Ee="image/jpeg,image/png,image/webp",E=class extends f{constructor(){super(...arguments);this.search="";this.opened=new Map}async load(){let t=await $(this.hass,"devices/list",{start:0,count:Te});this.exposed=t.exposed,this.entities=t.entities,this.devices??=t.devices;let e=[...t.devices];for(let n=Te;n<t.total;n+=Ae){let a=await $(this.hass,"devices/list",{start:n,count:Ae});e.push(...a.devices)}this.devices=e;let s=this.known(e.flatMap(n=>n.kinds));this.titles=await this.hass.loadBackendTranslation("title",s)}known(t){return[...new Set(t)].filter(e=>this.hass.config.components.includes(e))}kind(t){return this.titles?.(`component.${t}.title`)||t.replace(/(?<=[a-z])(?=[A-Z])/g," ").replaceAll("_"," ")}type({id:t,summary:e,capability:s}){let n=this.hass.states[t];if(!n)return e||this.kind(s);let[a]=t.split("."),h=`component.${a}.entity_component.${n.attributes.device_class}.name`;return this.hass.localize(h)||this.kind(a)}async open(t,e){t.currentTarget.open&&!this.opened.has(e)&&await this.guarded(()=>this.read(e))}async read(t){let{language:e}=this.hass,s=await $(this.hass,"devices/get",{device:t,language:e}),n=s.components.flatMap(a=>a.commands.map(h=>Re(h,a)[0]));this.actions=await this.hass.loadBackendTranslation("services",this.known(n)),this.opened=new Map(this.opened).set(t,s)}change(t,e){return this.guarded(async()=>{let s=await e();await this.read(t);let n=this.opened.get(t).photos;return this.devices=this.devices?.map(a=>a.id===t?{...a,photos:n}:a),s})}upload(t,e){let s=t.target,n=s.files?.[0];return s.value="",n?this.change(e,async()=>{let a=new FormData;a.append("file",n);let h=await this.hass.fetchWithAuth("/api/file_upload",{method:"POST",body:a});if(!h.ok)throw new Error(this.texts("devices.not_uploaded",{status:h.status}));let{file_id:c}=await h.json();return await $(this.hass,"devices/add_photo",{device:e,upload:c}),this.texts("devices.photo_added")}):Promise.resolve()}setCaption(t,e,s){let n=L(t,"caption");return this.change(e,async()=>(await T(this.hass,"set_photo_caption",{photo:s,caption:n}),this.texts("devices.caption_saved")))}async writeCaption(t,e,s){let n=t.currentTarget,a=this.texts("devices.write_caption_question",{model:s});await this.agrees(a,this.texts("devices.write_caption"))&&(n.disabled=!0,await this.guarded(async()=>{let{language:h}=this.hass,{caption:c}=await $(this.hass,"devices/write_caption",{photo:e,language:h});return n.form.querySelector("[name=caption]").value=c,this.texts("devices.caption_written")}),n.disabled=!1)}async deletePhoto(t,e){await this.agrees(this.texts("devices.delete_photo_question"))&&await this.change(t,async()=>(await T(this.hass,"delete_photo",{photo:e}),this.texts("devices.photo_deleted")))}setRisk(t,e,s){let n=t.target.value||null;return this.change(e,async()=>(await $(this.hass,"devices/set_risk",{entity_id:s,level:n}),this.texts("devices.level_saved")))}render(){return o`
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
    `}exposure(){return this.exposed===void 0?o`<p class="secondary">${this.texts("devices.ask_administrator")}</p>`:o`<p>
      ${this.texts("devices.exposed",{exposed:this.exposed,entities:this.entities??0})}
      <a href=${ns} @click=${N}>${this.texts("devices.expose")}</a>
    </p>`}list(){if(!this.devices)return l;let t=this.search.toLocaleLowerCase(this.hass.language).split(/\s+/).filter(Boolean),e=this.devices.filter(({name:n,area:a,kinds:h})=>{if(!t.length)return!0;let c=[n,a,...h,...h.map(u=>this.kind(u))].join(" ").toLocaleLowerCase(this.hass.language);return t.every(u=>c.includes(u))});if(!e.length)return o`<p>${this.texts(this.devices.length?"devices.none_found":"devices.none")}</p>`;let s=new Map;for(let n of e){let a=n.area??"";s.set(a,s.get(a)??[]),s.get(a).push(n)}return o`${[...s].map(([n,a])=>o`
        <h2>${n||this.texts("devices.no_area")}</h2>
        <ul class="plain">
          ${I(a,({id:h})=>h,h=>o`<li class="card">${this.card(h)}</li>`)}
        </ul>
      `)}`}card(t){return o`
      <details @toggle=${e=>this.open(e,t.id)}>
        <summary>
          <strong>${t.name}</strong>
          <span class="secondary">
            ${t.kinds.map(e=>this.kind(e)).join(", ")}
            ${t.photos?o` · ${this.texts("devices.photos",{count:t.photos})}`:l}
          </span>
        </summary>
        ${this.opened.has(t.id)?this.whole(this.opened.get(t.id)):l}
      </details>
    `}whole(t){let e=[t.model,...t.aliases].filter(Boolean).join(" · ");return o`
      ${e?o`<p class="secondary">${e}</p>`:l} ${this.photos(t)}
      ${t.components.map(s=>this.component(t.id,s))}
      ${t.more?o`<p>${this.texts("devices.more",{count:t.more})}</p>`:l}
    `}photos(t){let e=this.hass.user.is_admin;return!t.pictures.length&&!e?l:o`
      <div class="row photos">
        ${t.pictures.map(s=>this.photo(t,s,e))}
      </div>
      ${e&&t.pictures.length<t.most_photos?this.adding(t):l}
    `}photo(t,e,s){let n=e.entity_id??"",a=this.hass.states[n]?.attributes.entity_picture,h=o`<img
      loading="lazy"
      src=${typeof a=="string"?a:l}
      alt=${e.caption||this.texts("devices.photo_of",{name:t.name})}
    />`;return s?o`
      <form @submit=${c=>this.setCaption(c,t.id,n)}>
        ${h}
        <input
          name="caption"
          maxlength="200"
          aria-label=${this.texts("devices.caption")}
          placeholder=${this.texts("devices.caption")}
          .value=${e.caption}
        />
        <div class="row">
          <button>${this.texts("save")}</button>
          ${t.caption_model?o`<button
                type="button"
                @click=${c=>this.writeCaption(c,n,t.caption_model)}
              >
                ${this.texts("devices.write_caption")}
              </button>`:l}
          <button type="button" class="danger" @click=${()=>this.deletePhoto(t.id,n)}>
            ${this.texts("delete")}
          </button>
        </div>
      </form>
    `:o`<figure>
        ${h}
        <figcaption>${e.caption}</figcaption>
      </figure>`}adding({id:t,photo_destination:e}){return o`
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
    `}choose(t){t.currentTarget.nextElementSibling.click()}component(t,e){return o`
      <section class="component" aria-label=${e.name}>
        <h3>${e.name}</h3>
        <p class="secondary">
          <code>${e.id}</code> · ${this.type(e)}
          ${e.available?l:o` · ${this.texts("devices.unavailable")}`}
        </p>
        ${e.risk?this.risk(t,e,e.risk):l}
        ${e.notes.map(s=>o`<p class="secondary">${s}</p>`)}
        ${e.attributes.length?this.table(e):l}
        ${e.commands.length?o`<p>${this.texts("devices.commands")}</p>
              <ul>
                ${e.commands.map(s=>o`<li>
                    <code>${s.name}</code>
                    ${s.arguments.length?o`(${s.arguments.map(as).join(", ")})`:l}
                    <span class="secondary">${this.description(s,e)}</span>
                  </li>`)}
              </ul>`:o`<p class="secondary">${this.texts("devices.read_only")}</p>`}
      </section>
    `}description(t,e){let[s,n]=Re(t,e);return this.actions?.(`component.${s}.services.${n}.description`)||t.description}table({id:t,attributes:e}){return o`
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
            ${e.map(s=>o`<tr>
                <th scope="row"><code>${s.name}</code></th>
                <td>${this.value(t,s)}</td>
                <td class="secondary">
                  ${Se(s,n=>this.worded(t,s.name,n))}
                </td>
              </tr>`)}
          </tbody>
        </table>
      </div>
    `}value(t,{name:e,value:s,meaning:n,unit:a}){return s==null?"–":typeof s=="string"&&!a&&this.hass.states[t]?this.worded(t,e,s):[typeof s=="string"?s:JSON.stringify(s),a,n?`(${n})`:""].filter(Boolean).join(" ")}worded(t,e,s){let n=this.hass.states[t];return n?e==="state"?this.hass.formatEntityState(n,s):this.hass.formatEntityAttributeValue(n,e,s):s}risk(t,e,s){return o`
      <div class="row">
        <label>
          ${this.texts("devices.risk")}
          <select
            @change=${n=>this.setRisk(n,t,e.id)}
          >
            <option value="" ?selected=${s.choice===null}>
              ${this.texts("devices.level_auto",{level:this.texts(`devices.level.${s.automatic}`)})}
            </option>
            ${os.map(n=>o`<option value=${n} ?selected=${s.choice===n}>
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
  `],d([m()],E.prototype,"devices",2),d([m()],E.prototype,"exposed",2),d([m()],E.prototype,"entities",2),d([m()],E.prototype,"search",2),d([m()],E.prototype,"titles",2),d([m()],E.prototype,"actions",2),d([m()],E.prototype,"opened",2),E=d([w("sage-devices")],E);function Re({name:r},{capability:i}){let[t,e]=r.split(".");return e?[t,e]:[i,r]}function Se(r,i=t=>t){if(r.values.length)return r.values.map(i).join(", ");let t=[r.minimum,r.maximum].map(e=>e??"");return t.some(e=>e!=="")?t.join(" – "):""}function as(r){let i=Se(r);return`${r.name}${r.required?"":"?"}${i?`: ${i}`:""}`}var ls=50,P=class extends f{constructor(){super(...arguments);this.pages={};this.search=""}async load(){let[t,e,s]=await Promise.all([$(this.hass,"memory/overview",{}),this.page("told"),this.restIsOpen||this.search?this.page("said"):void 0]);this.overview=t,this.found=this.search&&s?e.found+s.found:void 0,this.pages=s?{told:e,said:s}:{told:e},this.restIsOpen===void 0&&!e.memories.length&&t.total&&(this.pages={told:e,said:await this.page("said")},this.restIsOpen=!0),this.edited=void 0}page(t,e){return $(this.hass,"memory/list",{group:t,count:ls,...e===void 0?{}:{before:e},...this.search?{search:this.search}:{}})}async more(t){let e=this.pages[t].memories,s=await this.page(t,e.at(-1).id);this.pages={...this.pages,[t]:{...s,memories:[...e,...s.memories]}}}toggleRest(){return this.restIsOpen=this.rest.open,this.restIsOpen&&!this.pages.said?this.guarded(async()=>{this.pages={...this.pages,said:await this.page("said")}}):Promise.resolve()}find(t){return this.search=z(t,"search"),this.search&&(this.restIsOpen=!0),this.act(async()=>{})}remember(t){let e=z(t,"text"),s=t.target;return this.act(async()=>(await T(this.hass,"remember",{text:e}),s.reset(),this.texts("memory.remembered")))}correct(t,e){let s=z(t,"text");return this.act(async()=>(await T(this.hass,"correct_memory",{id:e,text:s}),this.texts("memory.corrected")))}async forget(t,e){await this.agrees(`${e} ${this.texts("memory.forget_log")}`)&&await this.act(async()=>{let{forgotten:s}=await T(this.hass,"forget",t);return s?this.texts.counted("memory.forgotten",s):this.texts("memory.forgotten_none")})}forgetTopic(t){let e=z(t,"topic");return this.forget({topic:e},this.texts("memory.forget_topic_ask",{topic:e}))}forgetDays(t){let e=z(t,"first"),s=z(t,"last")||e;return this.forget({first_day:e,last_day:s},this.texts("memory.forget_days_ask",{first:this.day(e),last:this.day(s)}))}forgetDay(t){return this.forget({first_day:t},this.texts("memory.forget_day_ask",{day:this.day(t)}))}rebuild(){return this.guarded(async()=>{let{error:t,days_left:e}=await T(this.hass,"rebuild_profile",{});return await this.load(),t||(e?this.texts.counted("memory.rebuild_unfinished",e):this.texts(this.overview?.profile.text?"memory.rebuilt":"memory.rebuilt_none"))})}set(t){return this.act(async()=>(await T(this.hass,"set_memory",t),this.texts("memory.saved")))}setRetention(t){return this.set({retention_days:Number(z(t,"days")),request_days:Number(z(t,"requests"))})}export(){return this.guarded(async()=>{let t=await T(this.hass,"export_memory",{}),e=new Blob([JSON.stringify(t,null,2)],{type:"application/json"}),s=document.createElement("a");return s.href=URL.createObjectURL(e),s.download="sage-memory.json",s.click(),URL.revokeObjectURL(s.href),this.texts("memory.exported")})}render(){if(!this.overview)return o`${this.messages()}`;let{settings:t}=this.overview;return o`
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
    `}concluded({profile:t,days:e}){return o`
      <section aria-labelledby="concluded">
        <h2 id="concluded">${this.texts("memory.concluded")}</h2>
        <div class="card">
          ${t.text?o`<p class="text">${t.text}</p>
                <p class="secondary">
                  ${this.texts("memory.made",{at:this.dateTime(t.made_at),days:this.texts.counted("memory.of_days",t.dates.length)})}
                </p>`:o`<p>${this.texts("memory.no_profile")}</p>`}
          ${t.corrections.length?o`<h3>${this.texts("memory.corrections")}</h3>
                <ul>
                  ${t.corrections.map(({text:s})=>o`<li>${s}</li>`)}
                </ul>`:l}
          ${e.length?o`<details>
                <summary>${this.texts.counted("memory.days",e.length)}</summary>
                <ul class="plain">
                  ${e.map(({date:s,text:n})=>o`<li>
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
    `}searching(){return o`
      <form class="row" role="search" @submit=${X(this.find)}>
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
        ${this.found===void 0?l:o`<p>
              ${this.found?this.texts.counted("memory.found",this.found):this.texts("memory.found_none")}
            </p>`}
      </div>`}told(){return o`
      <section aria-labelledby="told">
        <h2 id="told">${this.texts("memory.told")}</h2>
        ${this.list("told",this.texts("memory.told_none"))}
        ${this.overview.settings.enabled?o`<form class="row" @submit=${X(this.remember)}>
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
    `}everythingElse(t){return o`
      <details id="rest" .open=${this.restIsOpen??!1} @toggle=${this.toggleRest}>
        <summary>
          <h2>
            ${this.found===void 0?this.texts("memory.rest",{count:this.number(t)}):this.texts("memory.rest_found",{count:this.number(this.pages.said?.found??0)})}
          </h2>
        </summary>
        ${this.list("said",this.texts("memory.rest_none"))}
      </details>
    `}list(t,e){let s=this.pages[t];return s?s.memories.length?o`
      <ul class="plain" data-group=${t}>
        ${I(s.memories,n=>n.id,n=>o`<li class="card">${this.card(n)}</li>`)}
      </ul>
      ${s.has_more?o`<button @click=${()=>this.guarded(()=>this.more(t))}>
            ${this.texts("more")}
          </button>`:l}
    `:this.found===void 0?o`<p>${e}</p>`:l:l}card(t){if(t.id===this.edited)return o`<form
        class="row"
        @submit=${X(s=>this.correct(s,t.id))}
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
      </form>`;let e=[this.dateTime(t.at),t.place??"",this.texts(`memory.origin.${t.origin}`),t.count>1?this.texts("memory.times",{count:t.count}):""];return o`
      ${t.question?o`<p class="secondary">${t.question}</p>`:l}
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
    `}async edit(t){this.edited=t,await this.updateComplete,this.renderRoot.querySelector("li form input")?.focus()}forgetting(){return o`
      <section aria-labelledby="forget">
        <h2 id="forget">${this.texts("memory.forget")}</h2>
        <div class="card">
          <form class="row" @submit=${X(this.forgetTopic)}>
            <input
              class="grow"
              name="topic"
              required
              aria-label=${this.texts("memory.topic_label")}
              placeholder=${this.texts("memory.topic_label")}
            />
            <button>${this.texts("memory.forget_topic")}</button>
          </form>
          <form class="row" @submit=${X(this.forgetDays)}>
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
    `}keeping({settings:t}){return o`
      <section aria-labelledby="keep">
        <h2 id="keep">${this.texts("memory.keep")}</h2>
        <div class="card">
          <form class="row" @submit=${X(this.setRetention)}>
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
            ${t.has_own_retention?o`<button
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
    `}};d([m()],P.prototype,"overview",2),d([m()],P.prototype,"pages",2),d([m()],P.prototype,"search",2),d([m()],P.prototype,"found",2),d([m()],P.prototype,"restIsOpen",2),d([m()],P.prototype,"edited",2),d([$t("#rest")],P.prototype,"rest",2),P=d([w("sage-memory")],P);function X(r){return function(i){i.preventDefault(),r.call(this,i)}}function z(r,i){return String(new FormData(r.target).get(i)??"").trim()}var qt=1e3,at=60,cs=60;function Pe(r,i,t){let e=Math.max(...r.map(({value:h})=>h),0);if(!e)return l;let s=new Map(r.map(({day:h,value:c})=>[h,c])),n=i.slice(-cs),a=qt/n.length;return o`
    <svg class="bars" viewBox="0 0 ${qt} ${at}" preserveAspectRatio="none" role="img" aria-label=${t}>
      <line class="axis" x1="0" x2=${qt} y1=${at-.5} y2=${at-.5} />
      ${n.map((h,c)=>{let u=(s.get(h)??0)/e*(at-4);return yt`<rect class="so" x=${c*a+a*.1} width=${a*.8} y=${at-u} height=${u} />`})}
    </svg>
  `}var Tt=30,hs="/config/integrations/integration/sage",ds=1e6,us=["calls","tokens","cost","seconds"],Ce=["input","cached","output"],B=class extends f{constructor(){super(...arguments);this.currency=""}async load(){let t=await $(this.hass,"models/list",{days:Tt});this.settings=await this.hass.loadBackendTranslation("selector","sage"),this.agents=t.agents,this.currency=t.currency}setPrice(t,e){let s={};for(let n of Ce){let a=L(t,n);a&&(s[n]=Number(a))}return this.act(async()=>(await $(this.hass,"models/set_price",{agent:e,...s}),this.texts("models.price_saved")))}render(){return o`
      <div class="row">
        <h2 class="grow">${this.texts("models.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("models.intro")}</p>
      ${this.messages()}
      ${this.agents?.length===0?o`<p>${this.texts("models.none")}</p>`:l}
      ${this.agents?.map(t=>o`<section class="card" aria-label=${t.name}>
          ${this.agent(t)}
        </section>`)}
    `}agent(t){return o`
      <h3>${t.name}</h3>
      <p>
        ${this.texts("models.model",{model:t.model})}
        ${t.server?o` · ${this.texts("models.server",{server:t.server})}`:l}
      </p>
      <p>
        <a href=${hs} @click=${N}>${this.texts("models.change")}</a>
      </p>
      <p class="secondary">
        ${this.texts("models.formats",{format:this.format(t.format),formats:t.formats.map(e=>this.format(e)).join(", ")})}
      </p>
      ${t.days.length?this.usage(t):o`<p>${this.texts("models.unused")}</p>`}
      ${this.prices(t)}
    `}format(t){return this.settings?.(`component.sage.selector.decision_format.options.${t}`)||t}usage(t){let e=this.lastDays(),s=us.filter(n=>n!=="cost"||t.price);return o`
      <div class="charts">
        ${s.map(n=>{let a=t.days.map(u=>({day:u.day,value:Me(u,n,t.price)})),h=this.shown(n,a.reduce((u,{value:x})=>u+x,0)),c=this.texts(`models.${n}`,{total:h,days:Tt});return o`<div>
            <h4>${c}</h4>
            ${Pe(a,e,c)}
          </div>`})}
      </div>
      <details>
        <summary>${this.texts("models.by_day")}</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">${this.texts("models.day")}</th>
                ${s.map(n=>o`<th scope="col">${this.texts(`models.column.${n}`)}</th>`)}
                <th scope="col">${this.texts("models.column.failed")}</th>
              </tr>
            </thead>
            <tbody>
              ${[...t.days].reverse().map(n=>o`<tr>
                  <th scope="row">${this.day(n.day)}</th>
                  ${s.map(a=>o`<td>${this.shown(a,Me(n,a,t.price))}</td>`)}
                  <td>${this.number(n.failed)}</td>
                </tr>`)}
            </tbody>
          </table>
        </div>
        <p class="secondary">${this.texts("models.failed")}</p>
      </details>
    `}lastDays(){let t=new Intl.DateTimeFormat("en-CA",{timeZone:this.hass.config.time_zone}),e=Date.now();return Array.from({length:Tt},(s,n)=>t.format(e-(Tt-1-n)*864e5))}shown(t,e){return t==="cost"?e.toLocaleString(this.hass.language,{style:"currency",currency:this.currency,maximumFractionDigits:4}):this.number(e,t==="seconds"?1:0)}prices(t){return o`
      <details>
        <summary>${this.texts("models.prices",{currency:this.currency})}</summary>
        <p class="secondary">${this.texts("models.prices_info")}</p>
        <form class="row" @submit=${e=>this.setPrice(e,t.id)}>
          ${Ce.map(e=>o`<label>
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
    `}};B.styles=[f.styles,we,_`
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
  `],d([m()],B.prototype,"agents",2),d([m()],B.prototype,"currency",2),d([m()],B.prototype,"settings",2),B=d([w("sage-models")],B);function Me(r,i,t){switch(i){case"tokens":return r.prompt_tokens+r.completion_tokens;case"cost":return ps(r,t??{});default:return r[i]}}function ps(r,{input:i=0,cached:t=i,output:e=0}){return((r.prompt_tokens-r.cached_tokens)*i+r.cached_tokens*t+r.completion_tokens*e)/ds}var ms="and as assert break class continue def del elif else except finally for from if import in is lambda not or pass raise return try while with True False None",gs=new RegExp(["(?<comment>#.*)",`(?<string>"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')`,`(?<keyword>\\b(?:${ms.split(" ").join("|")})\\b)`,"(?<number>\\b\\d[\\d_.]*\\b)","(?<call>\\b[A-Za-z_]\\w*(?=\\())"].join("|"),"g");function vs(r){let i=[],t=0;for(let e of r.matchAll(gs)){let[s]=Object.entries(e.groups??{}).find(([,n])=>n!==void 0);i.push(r.slice(t,e.index),o`<span class=${s}>${e[0]}</span>`),t=e.index+e[0].length}return[...i,r.slice(t)]}var J=class extends A{constructor(){super(...arguments);this.value="";this.label=""}render(){return o`<pre role="group" tabindex="0" aria-label=${this.label}>${vs(this.value)}</pre>`}};J.styles=[kt,_`
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
    `],d([k()],J.prototype,"value",2),d([k()],J.prototype,"label",2),J=d([w("sage-code")],J);function Nt(r,{kind:i,line:t,detail:e}){return o`
    ${t?r("routines.line",{line:t}):l} ${r(`routines.fault.${i}`)}
    ${e?o`<code lang="en">${e}</code>`:l}
  `}function Oe(r,i){return o`
    <div class="test" role="status">
      <p>${i.error?Nt(r,i.error):fs(r,i)}</p>
      ${i.reads?.length?o`<ul>
            ${i.reads.map(t=>o`<li>
                <code
                  >${t.function}(${t.arguments.map(e=>JSON.stringify(e)).join(", ")})</code
                >
                =
                <code>${t.is_unknown?"?":t.error??JSON.stringify(t.value)}</code>
              </li>`)}
          </ul>`:l}
    </div>
  `}function fs(r,{value:i}){return r(i===null?"routines.now_unknown":i?"routines.is_true":"routines.is_false")}var ys=1e4,R=new Map,S=class extends f{constructor(){super(...arguments);this.others=[];this.questions=[];this.agent=null;this.unreadable=0;this.opened=new Map;this.tests=new Map;this.timer=0}connectedCallback(){super.connectedCallback(),this.timer=window.setInterval(()=>{!document.hidden&&this.routines&&this.load().catch(()=>{})},ys)}firstUpdated(t){this.loaded?.then(()=>this.showLinked());for(let{answer:e}of R.values())e&&this.act(()=>e)}async showLinked(){if(!this.path||!this.routines)return;await this.updateComplete;let t=this.renderRoot.querySelector(".linked");if(!t){await this.guarded(async()=>this.texts("routines.gone"));return}t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer)}async load(){let t=await $(this.hass,"routines/list",this.wording);this.routines=t.routines,this.others=t.others,this.questions=t.questions,this.agent=t.agent,this.unreadable=t.unreadable}async open(t,e){t.currentTarget.open&&!this.opened.has(e)&&await this.guarded(()=>this.read(e))}get wording(){return{language:this.hass.language,has_twelve_hours:bt(this.hass)}}async read(t){let e={routine:t,...this.wording},s=await $(this.hass,"routines/get",e);this.opened=new Map(this.opened).set(t,s)}test(t){return this.guarded(async()=>{let e=await T(this.hass,"test_routine",{routine:t});this.tests=new Map(this.tests).set(t,e)})}pause(t){let e=t.status==="watching"?"pause_routine":"resume_routine";return this.act(async()=>{await T(this.hass,e,{routine:t.id})})}async delete(t,e){await this.agrees(this.texts("routines.delete_question",{routine:e}))&&await this.act(async()=>(await T(this.hass,"delete_routine",{routine:t.id}),this.texts("routines.deleted")))}answer(t,e){return this.act(async()=>(await xe(this.hass,t.routine,e),this.questions=this.questions.filter(({id:s})=>s!==t.id),this.texts("routines.answered")))}speak(t,e){let s=L(t,"words"),n=R.get(e)??{conversation:null,reply:"",words:s};if(n.answer)return Promise.resolve();let a=this.answerTo(e,{...n,words:s});return R.set(e,{...n,words:s,answer:a}),this.act(()=>a)}async answerTo(t,e){R.set(t,e);let s=new Set(this.routines?.map(({id:n})=>n));try{let{response:n,conversation_id:a}=await this.hass.callWS({type:"conversation/process",text:e.words,agent_id:this.agent,conversation_id:e.conversation,language:this.hass.language}),h=n.speech.plain?.speech??"";return await this.load(),this.routines.some(({id:c})=>!s.has(c))?(e.replaces&&await T(this.hass,"delete_routine",{routine:e.replaces}),R.delete(t),h):(R.set(t,{...e,conversation:a,reply:h,words:""}),"")}catch(n){throw R.set(t,e),n}}edit({id:t,request:e}){R.set(t,{replaces:t,conversation:null,reply:"",words:e}),this.requestUpdate()}cancel(t){R.delete(t),this.requestUpdate()}render(){return o`
      <div class="row">
        <h2 class="grow">${this.texts("routines.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("routines.intro")}</p>
      ${this.messages()}
      ${this.unreadable?o`<p class="error">
            ${this.texts("routines.unreadable",{count:this.unreadable})}
          </p>`:l}
      ${this.agent?o`<section class="card" aria-labelledby="new">
            <h3 id="new">${this.texts("routines.new")}</h3>
            ${this.words("")}
          </section>`:l}
      ${this.strangeQuestions()} ${this.list()} ${this.ofOthers()}
    `}list(){return this.routines?this.routines.length?o`${this.zone()}<ul class="plain" id="routines">
      ${I(this.routines,({id:t})=>t,t=>o`<li
          class="card ${t.id===this.path?"linked":""}"
          tabindex=${t.id===this.path?-1:l}
          id="routine-${t.id}"
        >
          ${this.card(t)}
        </li>`)}
    </ul>`:o`<p>${this.texts("routines.none")}</p>`:l}zone(){let{time_zone:t}=this.hass.config,e=xt(this.hass)??Intl.DateTimeFormat().resolvedOptions().timeZone;return e===t?l:o`<p class="secondary">${this.texts("routines.zone",{home:t,own:e})}</p>`}card(t){let e=this.questions.filter(({routine:n})=>n===t.id),s=this.tests.get(t.id);return o`
      <p class="secondary">
        ${this.texts("routines.number",{number:t.number})} ·
        <span class="status">${this.status(t)}</span>
        ${t.is_household?o` · ${this.texts("routines.household")}`:l}
      </p>
      <h3>${t.says}</h3>
      ${t.request?o`<p class="secondary">
            ${this.texts("routines.request",{words:t.request})}
          </p>`:l}
      ${e.map(n=>this.asked(n))}
      ${this.does(t)}
      <p class="secondary">${this.times(t)}</p>
      ${t.trouble?o`<p class="error">${Nt(this.texts,t.trouble)}</p>`:l}
      ${R.has(t.id)?this.words(t.id):l}
      <div class="row">
        ${t.is_household?l:this.ownButtons(t)} ${this.buttons(t)}
      </div>
      ${s?Oe(this.texts,s):l}
      ${De(t)?o`<details @toggle=${n=>this.open(n,t.id)}>
            <summary>${this.texts("routines.details")}</summary>
            ${this.opened.has(t.id)?this.details(this.opened.get(t.id)):l}
          </details>`:l}
    `}ownButtons(t){return o`
      ${De(t)?o`<button @click=${()=>this.test(t.id)}>${this.texts("routines.test")}</button>`:l}
      ${this.agent&&!R.has(t.id)?o`<button @click=${()=>this.edit(t)}>${this.texts("routines.edit")}</button>`:l}
    `}buttons(t){let e=t.says??this.texts("routines.number",{number:t.number});return o`
      ${t.status==="ended"?l:o`<button @click=${()=>this.pause(t)}>
            ${this.texts(t.status==="watching"?"routines.pause":"routines.resume")}
          </button>`}
      <button class="danger" @click=${()=>this.delete(t,e)}>
        ${this.texts("delete")}
      </button>
    `}status(t){return this.texts(`routines.status.${t.status}`)}times(t){let e=[this.texts("routines.fired",{count:t.fired})];if(t.last_fired&&e.push(this.texts("routines.last",{time:this.dateTime(t.last_fired)})),t.status==="paused"&&t.paused_until)e.push(this.texts("routines.until",{time:this.dateTime(t.paused_until)}));else if(t.next_check&&t.status==="watching"){let s=t.is_true===null?"routines.next":"routines.next_check";e.push(this.texts(s,{time:this.dateTime(t.next_check)}))}return t.is_true!==null&&t.status==="watching"&&e.push(this.texts(t.is_true?"routines.is_true":"routines.is_false")),e.join(" · ")}does({does:t,action:e}){return t&&"commands"in t?o`<ul>
        ${t.commands.map(({device:s,command:n,arguments:a})=>o`<li><strong>${s}</strong>: <code>${n}</code> ${$s(a)}</li>`)}
      </ul>`:t&&"words"in t?o`<p>${this.texts("routines.tells",{words:t.words})}</p>`:o`<p>${this.texts("routines.decides",{action:e})}</p>`}asked(t){let e=o`<input
      name="answer"
      required
      autocomplete="off"
      type=${t.takes_pin?"password":"text"}
      inputmode=${t.takes_pin?"numeric":l}
      aria-label=${this.texts(t.takes_pin?"routines.pin":"routines.your_answer")}
      placeholder=${this.texts(t.takes_pin?"routines.pin":"routines.your_answer")}
    />`,s=t.wanted!=="text";return o`
      <div class="question" role="group" aria-label=${t.text}>
        <p><strong>${t.text}</strong></p>
        <form
          class="row"
          @submit=${n=>this.answer(t,L(n,"answer"))}
        >
          ${t.wanted==="yes_or_no"?o`<button
                type="button"
                class="primary"
                @click=${()=>this.answer(t,t.yes)}
              >
                ${this.texts("yes")}
              </button>`:o`${e}<button class="primary">${this.texts("routines.send")}</button>`}
          ${s?o`<button
                type="button"
                @click=${()=>this.answer(t,t.no)}
              >
                ${this.texts("no")}
              </button>`:l}
        </form>
      </div>
    `}strangeQuestions(){let t=new Set(this.routines?.map(({id:e})=>e));return this.questions.filter(({routine:e})=>!t.has(e)).map(e=>o`<section class="card">${this.asked(e)}</section>`)}words(t){let e=R.get(t),s=!!e?.answer,n=this.texts(e?.reply?"routines.your_answer":t?"routines.new_words":"routines.sentence");return o`
      <form
        aria-busy=${s}
        @submit=${a=>this.speak(a,t)}
      >
        <div role="status">
          ${e?.reply?o`<p>${e.reply}</p>`:l}
          ${s?o`<p class="secondary">${this.texts("card.working")}</p>
                <progress aria-label=${this.texts("card.working")}></progress>`:l}
        </div>
        ${t&&!e?.reply?o`<p class="secondary">${this.texts("routines.edit_info")}</p>`:l}
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
          ${!s&&(e?.replaces||e?.reply)?o`<button type="button" @click=${()=>this.cancel(t)}>
                ${this.texts("cancel")}
              </button>`:l}
        </div>
      </form>
    `}details(t){return o`
      <p class="secondary">
        ${this.texts("routines.code_info",{interval:this.number(t.interval??0)})}
        ${t.hold?this.texts("routines.code_hold",{time:this.duration(t.hold)}):this.texts("routines.code_no_hold")}
      </p>
      <sage-code .value=${t.code??""} .label=${this.texts("routines.code")}></sage-code>
      ${t.end_code?o`<p class="secondary">${this.texts("routines.end_code")}</p>
            <sage-code
              .value=${t.end_code}
              .label=${this.texts("routines.end_code")}
            ></sage-code>`:l}
    `}ofOthers(){return this.others.length?o`
      <details id="others">
        <summary>${this.texts("routines.others",{count:this.others.length})}</summary>
        <p class="secondary">${this.texts("routines.others_info")}</p>
        <ul class="plain">
          ${this.others.map(t=>o`<li class="card row">
              <span class="grow"
                >${this.texts("routines.number",{number:t.number})} ·
                ${this.status(t)} ·
                ${this.texts("routines.fired",{count:t.fired})}</span
              >
              ${this.buttons(t)}
            </li>`)}
        </ul>
      </details>
    `:l}};S.styles=[f.styles,_`
    .status { font-weight: 500; }
    .linked { outline: 2px solid var(--primary-color); }
    .replaced { opacity: 0.6; }
  `],d([m()],S.prototype,"routines",2),d([m()],S.prototype,"others",2),d([m()],S.prototype,"questions",2),d([m()],S.prototype,"agent",2),d([m()],S.prototype,"unreadable",2),d([m()],S.prototype,"opened",2),d([m()],S.prototype,"tests",2),S=d([w("sage-routines")],S);function De({interval:r}){return r!==void 0}function $s(r){return Object.entries(r).map(([i,t])=>`${i}: ${JSON.stringify(t)}`).join(", ")}var xs=[{path:"activity"},{path:"memory"},{path:"routines"},{path:"devices"},{path:"models",needsAdmin:!0}],q=class extends A{constructor(){super(...arguments);this.narrow=!1;this.language=""}willUpdate(t){t.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,this.readTexts(this.hass))}async readTexts(t){this.texts=await de(t)}get tabs(){return xs.filter(t=>!t.needsAdmin||this.hass?.user.is_admin)}render(){if(!this.hass||!this.route)return l;let[t,...e]=this.route.path.split("/").filter(Boolean),s=this.tabs.find(n=>n.path===t)??this.tabs[0];return o`
      ${this.texts?this.header(this.texts,s):l}
      <main>${this.view(s,e.join("/"))}</main>
    `}header(t,e){return o`
      <header>
        <button class="menu" aria-label=${t("menu")} @click=${this.toggleMenu}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 6h18v2H3V6m0 5h18v2H3v-2m0 5h18v2H3v-2Z" />
          </svg>
        </button>
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs.map(s=>o`<a
              href="${this.route.prefix}/${s.path}"
              aria-current=${s===e?"page":l}
              @click=${N}
              >${t(`tabs.${s.path}`)}</a
            >`)}
        </nav>
      </header>
    `}view(t,e){let s=le(`sage-${t.path}`);return ce`<${s} .hass=${this.hass} .texts=${this.texts} .path=${e}></${s}>`}toggleMenu(){this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))}};q.styles=_`
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
