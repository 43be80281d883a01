var ce=Object.defineProperty;var he=Object.getOwnPropertyDescriptor;var m=(i,e,t,s)=>{for(var r=s>1?void 0:s?he(e,t):e,o=i.length-1,n;o>=0;o--)(n=i[o])&&(r=(s?n(e,t,r):n(r))||r);return s&&r&&ce(e,t,r),r};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Q=globalThis,Y=Q.ShadowRoot&&(Q.ShadyCSS===void 0||Q.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,gt=Symbol(),Tt=new WeakMap,I=class{constructor(e,t,s){if(this._$cssResult$=!0,s!==gt)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(Y&&e===void 0){let s=t!==void 0&&t.length===1;s&&(e=Tt.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),s&&Tt.set(t,e))}return e}toString(){return this.cssText}},kt=i=>new I(typeof i=="string"?i:i+"",void 0,gt),K=(i,...e)=>{let t=i.length===1?i[0]:e.reduce((s,r,o)=>s+(n=>{if(n._$cssResult$===!0)return n.cssText;if(typeof n=="number")return n;throw Error("Value passed to 'css' function must be a 'css' function result: "+n+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+i[o+1],i[0]);return new I(t,i,gt)},Pt=(i,e)=>{if(Y)i.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let s=document.createElement("style"),r=Q.litNonce;r!==void 0&&s.setAttribute("nonce",r),s.textContent=t.cssText,i.appendChild(s)}},yt=Y?i=>i:i=>i instanceof CSSStyleSheet?(e=>{let t="";for(let s of e.cssRules)t+=s.cssText;return kt(t)})(i):i;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:de,defineProperty:ue,getOwnPropertyDescriptor:me,getOwnPropertyNames:pe,getOwnPropertySymbols:ge,getPrototypeOf:ye}=Object,X=globalThis,Ct=X.trustedTypes,fe=Ct?Ct.emptyScript:"",$e=X.reactiveElementPolyfillSupport,V=(i,e)=>i,W={toAttribute(i,e){switch(e){case Boolean:i=i?fe:null;break;case Object:case Array:i=i==null?i:JSON.stringify(i)}return i},fromAttribute(i,e){let t=i;switch(e){case Boolean:t=i!==null;break;case Number:t=i===null?null:Number(i);break;case Object:case Array:try{t=JSON.parse(i)}catch{t=null}}return t}},tt=(i,e)=>!de(i,e),Rt={attribute:!0,type:String,converter:W,reflect:!1,useDefault:!1,hasChanged:tt};Symbol.metadata??=Symbol("metadata"),X.litPropertyMetadata??=new WeakMap;var S=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=Rt){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let s=Symbol(),r=this.getPropertyDescriptor(e,s,t);r!==void 0&&ue(this.prototype,e,r)}}static getPropertyDescriptor(e,t,s){let{get:r,set:o}=me(this.prototype,e)??{get(){return this[t]},set(n){this[t]=n}};return{get:r,set(n){let c=r?.call(this);o?.call(this,n),this.requestUpdate(e,c,s)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Rt}static _$Ei(){if(this.hasOwnProperty(V("elementProperties")))return;let e=ye(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(V("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(V("properties"))){let t=this.properties,s=[...pe(t),...ge(t)];for(let r of s)this.createProperty(r,t[r])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[s,r]of t)this.elementProperties.set(s,r)}this._$Eh=new Map;for(let[t,s]of this.elementProperties){let r=this._$Eu(t,s);r!==void 0&&this._$Eh.set(r,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let s=new Set(e.flat(1/0).reverse());for(let r of s)t.unshift(yt(r))}else e!==void 0&&t.push(yt(e));return t}static _$Eu(e,t){let s=t.attribute;return s===!1?void 0:typeof s=="string"?s:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let s of t.keys())this.hasOwnProperty(s)&&(e.set(s,this[s]),delete this[s]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Pt(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,s){this._$AK(e,s)}_$ET(e,t){let s=this.constructor.elementProperties.get(e),r=this.constructor._$Eu(e,s);if(r!==void 0&&s.reflect===!0){let o=(s.converter?.toAttribute!==void 0?s.converter:W).toAttribute(t,s.type);this._$Em=e,o==null?this.removeAttribute(r):this.setAttribute(r,o),this._$Em=null}}_$AK(e,t){let s=this.constructor,r=s._$Eh.get(e);if(r!==void 0&&this._$Em!==r){let o=s.getPropertyOptions(r),n=typeof o.converter=="function"?{fromAttribute:o.converter}:o.converter?.fromAttribute!==void 0?o.converter:W;this._$Em=r;let c=n.fromAttribute(t,o.type);this[r]=c??this._$Ej?.get(r)??c,this._$Em=null}}requestUpdate(e,t,s,r=!1,o){if(e!==void 0){let n=this.constructor;if(r===!1&&(o=this[e]),s??=n.getPropertyOptions(e),!((s.hasChanged??tt)(o,t)||s.useDefault&&s.reflect&&o===this._$Ej?.get(e)&&!this.hasAttribute(n._$Eu(e,s))))return;this.C(e,t,s)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:s,reflect:r,wrapped:o},n){s&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,n??t??this[e]),o!==!0||n!==void 0)||(this._$AL.has(e)||(this.hasUpdated||s||(t=void 0),this._$AL.set(e,t)),r===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,o]of this._$Ep)this[r]=o;this._$Ep=void 0}let s=this.constructor.elementProperties;if(s.size>0)for(let[r,o]of s){let{wrapped:n}=o,c=this[r];n!==!0||this._$AL.has(r)||c===void 0||this.C(r,void 0,o,c)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(s=>s.hostUpdate?.()),this.update(t)):this._$EM()}catch(s){throw e=!1,this._$EM(),s}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};S.elementStyles=[],S.shadowRootOptions={mode:"open"},S[V("elementProperties")]=new Map,S[V("finalized")]=new Map,$e?.({ReactiveElement:S}),(X.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var $t=globalThis,Mt=i=>i,et=$t.trustedTypes,Ot=et?et.createPolicy("lit-html",{createHTML:i=>i}):void 0,vt="$lit$",E=`lit$${Math.random().toFixed(9).slice(2)}$`,bt="?"+E,ve=`<${bt}>`,q=document,F=()=>q.createComment(""),J=i=>i===null||typeof i!="object"&&typeof i!="function",xt=Array.isArray,jt=i=>xt(i)||typeof i?.[Symbol.iterator]=="function",ft=`[ 	
\f\r]`,G=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ht=/-->/g,Ut=/>/g,H=RegExp(`>|${ft}(?:([^\\s"'>=/]+)(${ft}*=${ft}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),qt=/'/g,Nt=/"/g,Dt=/^(?:script|style|textarea|title)$/i,_t=i=>(e,...t)=>({_$litType$:i,strings:e,values:t}),l=_t(1),zt=_t(2),Bt=_t(3),T=Symbol.for("lit-noChange"),d=Symbol.for("lit-nothing"),Lt=new WeakMap,U=q.createTreeWalker(q,129);function It(i,e){if(!xt(i)||!i.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ot!==void 0?Ot.createHTML(e):e}var Kt=(i,e)=>{let t=i.length-1,s=[],r,o=e===2?"<svg>":e===3?"<math>":"",n=G;for(let c=0;c<t;c++){let a=i[c],u,y,h=-1,g=0;for(;g<a.length&&(n.lastIndex=g,y=n.exec(a),y!==null);)g=n.lastIndex,n===G?y[1]==="!--"?n=Ht:y[1]!==void 0?n=Ut:y[2]!==void 0?(Dt.test(y[2])&&(r=RegExp("</"+y[2],"g")),n=H):y[3]!==void 0&&(n=H):n===H?y[0]===">"?(n=r??G,h=-1):y[1]===void 0?h=-2:(h=n.lastIndex-y[2].length,u=y[1],n=y[3]===void 0?H:y[3]==='"'?Nt:qt):n===Nt||n===qt?n=H:n===Ht||n===Ut?n=G:(n=H,r=void 0);let p=n===H&&i[c+1].startsWith("/>")?" ":"";o+=n===G?a+ve:h>=0?(s.push(u),a.slice(0,h)+vt+a.slice(h)+E+p):a+E+(h===-2?c:p)}return[It(i,o+(i[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),s]},Z=class i{constructor({strings:e,_$litType$:t},s){let r;this.parts=[];let o=0,n=0,c=e.length-1,a=this.parts,[u,y]=Kt(e,t);if(this.el=i.createElement(u,s),U.currentNode=this.el.content,t===2||t===3){let h=this.el.content.firstChild;h.replaceWith(...h.childNodes)}for(;(r=U.nextNode())!==null&&a.length<c;){if(r.nodeType===1){if(r.hasAttributes())for(let h of r.getAttributeNames())if(h.endsWith(vt)){let g=y[n++],p=r.getAttribute(h).split(E),$=/([.?@])?(.*)/.exec(g);a.push({type:1,index:o,name:$[2],strings:p,ctor:$[1]==="."?rt:$[1]==="?"?it:$[1]==="@"?ot:L}),r.removeAttribute(h)}else h.startsWith(E)&&(a.push({type:6,index:o}),r.removeAttribute(h));if(Dt.test(r.tagName)){let h=r.textContent.split(E),g=h.length-1;if(g>0){r.textContent=et?et.emptyScript:"";for(let p=0;p<g;p++)r.append(h[p],F()),U.nextNode(),a.push({type:2,index:++o});r.append(h[g],F())}}}else if(r.nodeType===8)if(r.data===bt)a.push({type:2,index:o});else{let h=-1;for(;(h=r.data.indexOf(E,h+1))!==-1;)a.push({type:7,index:o}),h+=E.length-1}o++}}static createElement(e,t){let s=q.createElement("template");return s.innerHTML=e,s}};function N(i,e,t=i,s){if(e===T)return e;let r=s!==void 0?t._$Co?.[s]:t._$Cl,o=J(e)?void 0:e._$litDirective$;return r?.constructor!==o&&(r?._$AO?.(!1),o===void 0?r=void 0:(r=new o(i),r._$AT(i,t,s)),s!==void 0?(t._$Co??=[])[s]=r:t._$Cl=r),r!==void 0&&(e=N(i,r._$AS(i,e.values),r,s)),e}var st=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:s}=this._$AD,r=(e?.creationScope??q).importNode(t,!0);U.currentNode=r;let o=U.nextNode(),n=0,c=0,a=s[0];for(;a!==void 0;){if(n===a.index){let u;a.type===2?u=new D(o,o.nextSibling,this,e):a.type===1?u=new a.ctor(o,a.name,a.strings,this,e):a.type===6&&(u=new nt(o,this,e)),this._$AV.push(u),a=s[++c]}n!==a?.index&&(o=U.nextNode(),n++)}return U.currentNode=q,r}p(e){let t=0;for(let s of this._$AV)s!==void 0&&(s.strings!==void 0?(s._$AI(e,s,t),t+=s.strings.length-2):s._$AI(e[t])),t++}},D=class i{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,s,r){this.type=2,this._$AH=d,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=s,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=N(this,e,t),J(e)?e===d||e==null||e===""?(this._$AH!==d&&this._$AR(),this._$AH=d):e!==this._$AH&&e!==T&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):jt(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==d&&J(this._$AH)?this._$AA.nextSibling.data=e:this.T(q.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:s}=e,r=typeof s=="number"?this._$AC(e):(s.el===void 0&&(s.el=Z.createElement(It(s.h,s.h[0]),this.options)),s);if(this._$AH?._$AD===r)this._$AH.p(t);else{let o=new st(r,this),n=o.u(this.options);o.p(t),this.T(n),this._$AH=o}}_$AC(e){let t=Lt.get(e.strings);return t===void 0&&Lt.set(e.strings,t=new Z(e)),t}k(e){xt(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,s,r=0;for(let o of e)r===t.length?t.push(s=new i(this.O(F()),this.O(F()),this,this.options)):s=t[r],s._$AI(o),r++;r<t.length&&(this._$AR(s&&s._$AB.nextSibling,r),t.length=r)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let s=Mt(e).nextSibling;Mt(e).remove(),e=s}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},L=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,s,r,o){this.type=1,this._$AH=d,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=o,s.length>2||s[0]!==""||s[1]!==""?(this._$AH=Array(s.length-1).fill(new String),this.strings=s):this._$AH=d}_$AI(e,t=this,s,r){let o=this.strings,n=!1;if(o===void 0)e=N(this,e,t,0),n=!J(e)||e!==this._$AH&&e!==T,n&&(this._$AH=e);else{let c=e,a,u;for(e=o[0],a=0;a<o.length-1;a++)u=N(this,c[s+a],t,a),u===T&&(u=this._$AH[a]),n||=!J(u)||u!==this._$AH[a],u===d?e=d:e!==d&&(e+=(u??"")+o[a+1]),this._$AH[a]=u}n&&!r&&this.j(e)}j(e){e===d?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},rt=class extends L{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===d?void 0:e}},it=class extends L{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==d)}},ot=class extends L{constructor(e,t,s,r,o){super(e,t,s,r,o),this.type=5}_$AI(e,t=this){if((e=N(this,e,t,0)??d)===T)return;let s=this._$AH,r=e===d&&s!==d||e.capture!==s.capture||e.once!==s.once||e.passive!==s.passive,o=e!==d&&(s===d||r);r&&this.element.removeEventListener(this.name,this,s),o&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},nt=class{constructor(e,t,s){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(e){N(this,e)}},Vt={M:vt,P:E,A:bt,C:1,L:Kt,R:st,D:jt,V:N,I:D,H:L,N:it,U:ot,B:rt,F:nt},be=$t.litHtmlPolyfillSupport;be?.(Z,D),($t.litHtmlVersions??=[]).push("3.3.3");var Wt=(i,e,t)=>{let s=t?.renderBefore??e,r=s._$litPart$;if(r===void 0){let o=t?.renderBefore??null;s._$litPart$=r=new D(e.insertBefore(F(),o),o,void 0,t??{})}return r._$AI(i),r};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var wt=globalThis,x=class extends S{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Wt(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return T}};x._$litElement$=!0,x.finalized=!0,wt.litElementHydrateSupport?.({LitElement:x});var xe=wt.litElementPolyfillSupport;xe?.({LitElement:x});(wt.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var b=i=>(e,t)=>{t!==void 0?t.addInitializer(()=>{customElements.define(i,e)}):customElements.define(i,e)};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var _e={attribute:!0,type:String,converter:W,reflect:!1,hasChanged:tt},we=(i=_e,e,t)=>{let{kind:s,metadata:r}=t,o=globalThis.litPropertyMetadata.get(r);if(o===void 0&&globalThis.litPropertyMetadata.set(r,o=new Map),s==="setter"&&((i=Object.create(i)).wrapped=!0),o.set(t.name,i),s==="accessor"){let{name:n}=t;return{set(c){let a=e.get.call(this);e.set.call(this,c),this.requestUpdate(n,a,i,!0,c)},init(c){return c!==void 0&&this.C(n,void 0,i,c),c}}}if(s==="setter"){let{name:n}=t;return function(c){let a=this[n];e.call(this,c),this.requestUpdate(n,a,i,!0,c)}}throw Error("Unsupported decorator location: "+s)};function _(i){return(e,t)=>typeof t=="object"?we(i,e,t):((s,r,o)=>{let n=r.hasOwnProperty(o);return r.constructor.createProperty(o,s),n?Object.getOwnPropertyDescriptor(r,o):void 0})(i,e,t)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function v(i){return _({...i,state:!0,attribute:!1})}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var j=(i,e,t)=>(t.configurable=!0,t.enumerable=!0,Reflect.decorate&&typeof e!="object"&&Object.defineProperty(i,e,t),t);/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function at(i,e){return(t,s,r)=>{let o=n=>n.renderRoot?.querySelector(i)??null;if(e){let{get:n,set:c}=typeof s=="object"?t:r??(()=>{let a=Symbol();return{get(){return this[a]},set(u){this[a]=u}}})();return j(t,s,{get(){let a=n.call(this);return a===void 0&&(a=o(this),(a!==null||this.hasUpdated)&&c.call(this,a)),a}})}return j(t,s,{get(){return o(this)}})}}/**
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
 */var Ft=Symbol.for(""),Ae=i=>{if(i?.r===Ft)return i?._$litStatic$},Jt=i=>({_$litStatic$:i,r:Ft});var Gt=new Map,At=i=>(e,...t)=>{let s=t.length,r,o,n=[],c=[],a,u=0,y=!1;for(;u<s;){for(a=e[u];u<s&&(o=t[u],(r=Ae(o))!==void 0);)a+=r+e[++u],y=!0;u!==s&&c.push(o),n.push(a),u++}if(u===s&&n.push(e[s]),y){let h=n.join("$$lit$$");(e=Gt.get(h))===void 0&&(n.raw=n,Gt.set(h,e=n)),t=c}return i(e,...t)},Zt=At(l),_s=At(zt),ws=At(Bt);function Qt(i){history.pushState(null,"",i),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}}))}async function Yt(i){let e=await i.loadBackendTranslation("config_panel","sage"),t=(r,o)=>e(`component.sage.config_panel.${r}`,o);return Object.assign(t,{counted:(r,o)=>t(`${r}_${o===1?"one":"other"}`,{count:o.toLocaleString(i.language)})})}async function Xt(i,e){let{message:t,translation_key:s,translation_domain:r,translation_placeholders:o}=e;if(s&&r){let c=(await i.loadBackendTranslation("exceptions",r))(`component.${r}.exceptions.${s}.message`,o);if(c)return c}return t??String(e)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var te={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},ee=i=>(...e)=>({_$litDirective$:i,values:e}),lt=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,s){this._$Ct=e,this._$AM=t,this._$Ci=s}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{I:Se}=Vt,se=i=>i;var re=()=>document.createComment(""),z=(i,e,t)=>{let s=i._$AA.parentNode,r=e===void 0?i._$AB:e._$AA;if(t===void 0){let o=s.insertBefore(re(),r),n=s.insertBefore(re(),r);t=new Se(o,n,i,i.options)}else{let o=t._$AB.nextSibling,n=t._$AM,c=n!==i;if(c){let a;t._$AQ?.(i),t._$AM=i,t._$AP!==void 0&&(a=i._$AU)!==n._$AU&&t._$AP(a)}if(o!==r||c){let a=t._$AA;for(;a!==o;){let u=se(a).nextSibling;se(s).insertBefore(a,r),a=u}}}return t},R=(i,e,t=i)=>(i._$AI(e,t),i),Ee={},ie=(i,e=Ee)=>i._$AH=e,oe=i=>i._$AH,ct=i=>{i._$AR(),i._$AA.remove()};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var ne=(i,e,t)=>{let s=new Map;for(let r=e;r<=t;r++)s.set(i[r],r);return s},ht=ee(class extends lt{constructor(i){if(super(i),i.type!==te.CHILD)throw Error("repeat() can only be used in text expressions")}dt(i,e,t){let s;t===void 0?t=e:e!==void 0&&(s=e);let r=[],o=[],n=0;for(let c of i)r[n]=s?s(c,n):n,o[n]=t(c,n),n++;return{values:o,keys:r}}render(i,e,t){return this.dt(i,e,t).values}update(i,[e,t,s]){let r=oe(i),{values:o,keys:n}=this.dt(e,t,s);if(!Array.isArray(r))return this.ut=n,o;let c=this.ut??=[],a=[],u,y,h=0,g=r.length-1,p=0,$=o.length-1;for(;h<=g&&p<=$;)if(r[h]===null)h++;else if(r[g]===null)g--;else if(c[h]===n[p])a[p]=R(r[h],o[p]),h++,p++;else if(c[g]===n[$])a[$]=R(r[g],o[$]),g--,$--;else if(c[h]===n[$])a[$]=R(r[h],o[$]),z(i,a[$+1],r[h]),h++,$--;else if(c[g]===n[p])a[p]=R(r[g],o[p]),z(i,r[h],r[g]),g--,p++;else if(u===void 0&&(u=ne(n,p,$),y=ne(c,h,g)),u.has(c[h]))if(u.has(c[g])){let A=y.get(n[p]),pt=A!==void 0?r[A]:null;if(pt===null){let Et=z(i,r[h]);R(Et,o[p]),a[p]=Et}else a[p]=R(pt,o[p]),z(i,r[h],pt),r[A]=null;p++}else ct(r[g]),g--;else ct(r[h]),h++;for(;p<=$;){let A=z(i,a[$+1]);R(A,o[p]),a[p++]=A}for(;h<=g;){let A=r[h++];A!==null&&ct(A)}return this.ut=n,ie(i,a),T}});function k(i,e,t){return i.callWS({type:`sage/${e}`,data:t})}function M(i,e,t){return i.callWS({type:"sage/action",action:e,data:t})}var ae=K`
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
`;var f=class extends x{constructor(){super(...arguments);this.path="";this.error="";this.notice="";this.question=""}static{this.styles=ae}firstUpdated(t){this.act(async()=>{})}act(t){return this.guarded(async()=>{let s=await t();return await this.load(),s})}async guarded(t){this.error="",this.notice="";try{this.notice=await t()??""}catch(s){this.error=await Xt(this.hass,s)}}async agrees(t){return this.question=t,await this.updateComplete,this.dialog.returnValue="",this.dialog.showModal(),new Promise(s=>{this.dialog.addEventListener("close",()=>s(this.dialog.returnValue==="yes"),{once:!0})})}number(t,s=0){return t.toLocaleString(this.hass.language,{minimumFractionDigits:s,maximumFractionDigits:s})}dateTime(t){return new Date(t).toLocaleString(this.hass.language,{dateStyle:"medium",timeStyle:"short",timeZone:this.hass.config.time_zone})}day(t){return new Date(`${t}T00:00:00Z`).toLocaleDateString(this.hass.language,{dateStyle:"medium",timeZone:"UTC"})}messages(){return l`
      <div role="alert">${this.error?l`<p class="error">${this.error}</p>`:d}</div>
      <div role="status">${this.notice?l`<p class="notice">${this.notice}</p>`:d}</div>
      <dialog aria-label=${this.question||d}>
        <form method="dialog">
          <p>${this.question}</p>
          <div class="row">
            <button class="primary" value="yes">${this.texts("yes")}</button>
            <button value="no">${this.texts("no")}</button>
          </div>
        </form>
      </dialog>
    `}};m([_({attribute:!1})],f.prototype,"hass",2),m([_({attribute:!1})],f.prototype,"texts",2),m([_({attribute:!1})],f.prototype,"path",2),m([v()],f.prototype,"error",2),m([v()],f.prototype,"notice",2),m([v()],f.prototype,"question",2),m([at("dialog")],f.prototype,"dialog",2);var St=50,P=class extends f{constructor(){super(...arguments);this.hasMore=!1;this.traces=new Map;this.questions=new Map}async load(){let t=await k(this.hass,"activity/list",{count:this.commands?.length||St});this.commands=t.commands,this.hasMore=t.has_more}async more(){let t=this.commands?.at(-1)?.id;if(t){let s=await k(this.hass,"activity/list",{count:St,before:t});this.commands=[...this.commands??[],...s.commands],this.hasMore=s.has_more}}async open(t,s){t.currentTarget.open&&!this.traces.has(s.id)&&await this.guarded(async()=>{let o=await k(this.hass,"activity/trace",{id:s.id});this.traces=new Map(this.traces).set(s.id,o)})}undo(t,s){return this.act(async()=>{let r={id:t.id,language:this.hass.language},o=await k(this.hass,"activity/undo",s?{...r,agreed:s}:r);return this.questions=new Map(this.questions),o.question?this.questions.set(t.id,o.question):this.questions.delete(t.id),o.done??""})}async openHousehold(t){t.currentTarget.open&&!this.household&&await this.guarded(async()=>{this.household=(await k(this.hass,"activity/household",{count:St})).commands})}render(){return l`
      <div class="row">
        <h2 class="grow">${this.texts("activity.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("activity.intro")}</p>
      ${this.messages()} ${this.list()} ${this.hass.user.is_admin?this.ofHousehold():d}
    `}list(){return this.commands?this.commands.length?l`
      <ul class="plain" id="commands">
        ${ht(this.commands,t=>t.id,t=>l`<li class="card">${this.card(t)}</li>`)}
      </ul>
      ${this.hasMore?l`<button @click=${()=>this.guarded(()=>this.more())}>
            ${this.texts("more")}
          </button>`:d}
    `:l`<p>${this.texts("activity.none")}</p>`:d}card(t){let s=this.questions.get(t.id);return l`
      <p class="secondary">
        ${this.dateTime(t.at)}
        ${t.routine?l`· ${this.texts("activity.routine",{when:t.routine})}`:d}
      </p>
      <h3>${t.command||this.texts("activity.forgotten")}</h3>
      <p>${t.answer}</p>
      ${t.can_undo&&!s?l`<button @click=${()=>this.undo(t)}>${this.texts("activity.undo")}</button>`:d}
      ${s?this.ask(t,s):d}
      <details @toggle=${r=>this.open(r,t)}>
        <summary>${this.summary(t)}</summary>
        ${this.traces.has(t.id)?this.trace(this.traces.get(t.id)):d}
      </details>
    `}ask(t,s){return l`
      <div role="group" aria-label=${s}>
        <p>${s}</p>
        <div class="row">
          <button class="primary" @click=${()=>this.undo(t,s)}>
            ${this.texts("yes")}
          </button>
          <button
            @click=${()=>{this.questions=new Map(this.questions),this.questions.delete(t.id)}}
          >
            ${this.texts("no")}
          </button>
        </div>
      </div>
    `}summary(t){return this.texts("activity.summary",{seconds:this.number(t.seconds,1),calls:this.texts.counted("activity.calls",t.model_calls),tokens:this.number(t.usage.prompt_tokens+t.usage.completion_tokens)})}trace(t){return l`
      ${this.why(t)} ${this.changes(t)}
      <h3>${this.texts("activity.steps")}</h3>
      <p class="secondary">
        ${this.texts("activity.costs",{seconds:this.number(t.seconds,1),model_seconds:this.number(t.model_seconds,1)})}
        ${this.texts.counted("activity.reads",t.reads)}
        ${this.usage(t.usage)}
      </p>
      ${t.root.children.length?l`<ul class="plain">
            ${t.root.children.map(s=>this.step(s))}
          </ul>`:l`<p>${this.texts("activity.no_steps")}</p>`}
    `}why(t){let s=t.outcomes.filter(({kind:r})=>r==="refused"||r==="failed");return!t.confirmations.length&&!s.length?d:l`
      <h3>${this.texts("activity.why")}</h3>
      <ul>
        ${t.confirmations.map(({question:r,risks:o,result:n})=>l`<li>
            ${this.texts("activity.asked",{question:r})}
            ${o.map(c=>l`<br />${this.texts(`activity.risk.${c}`)}`)}
            <br />${this.texts(`activity.reply.${n}`)}
          </li>`)}
        ${s.map(({told:r})=>l`<li>${r}</li>`)}
      </ul>
    `}changes(t){let s=t.outcomes.filter(({kind:r})=>r!=="refused"&&r!=="failed");return l`
      <h3>${this.texts("activity.changes")}</h3>
      ${s.length?l`<ul>
            ${s.map(r=>l`<li>
                ${r.told}
                <div class="secondary">${this.values(r.before,r.after)}</div>
              </li>`)}
          </ul>`:l`<p>${this.texts("activity.no_changes")}</p>`}
    `}values(t,s){return Object.keys(s).map(r=>`${r}: ${le(t[r])} → ${le(s[r])}`).join(", ")}step(t){let s=[this.texts("activity.seconds",{seconds:this.number(t.seconds,1)})];t.usage&&s.push(this.usage(t.usage));let r=t.children.length||t.result||Object.keys(t.arguments).length,o=l`<strong
        >${t.kind==="model"?this.texts("activity.model"):t.name}</strong
      >
      ${t.error?l`<span class="failed">${this.texts("activity.error")}</span>`:d}
      <span class="secondary">${s.join(" · ")}</span>`;return r?l`<li>
      <details>
        <summary>${o}</summary>
        ${Object.keys(t.arguments).length?l`<pre>${JSON.stringify(t.arguments,null,2)}</pre>`:d}
        ${t.children.length?l`<ul class="plain">
              ${t.children.map(n=>this.step(n))}
            </ul>`:d}
        ${t.result?l`<p class="secondary">${this.texts("activity.seen")}</p>
              <pre>${t.result}</pre>`:d}
      </details>
    </li>`:l`<li>${o}</li>`}usage(t){return this.texts("activity.tokens",{prompt:this.number(t.prompt_tokens),cached:this.number(t.cached_tokens),written:this.number(t.completion_tokens)})}ofHousehold(){return l`
      <details id="household" @toggle=${this.openHousehold}>
        <summary>${this.texts("activity.household")}</summary>
        <p class="secondary">${this.texts("activity.household_intro")}</p>
        ${this.household?.length===0?l`<p>${this.texts("activity.household_none")}</p>`:d}
        <ul class="plain">
          ${this.household?.map(t=>l`<li class="card">
              <p class="secondary">${this.dateTime(t.at)}</p>
              <ul>
                ${t.outcomes.map(({name:s,kind:r})=>l`<li>${s}: ${this.texts(`activity.outcome.${r}`)}</li>`)}
              </ul>
              <p>${this.summary(t)}</p>
            </li>`)}
        </ul>
      </details>
    `}};m([v()],P.prototype,"commands",2),m([v()],P.prototype,"hasMore",2),m([v()],P.prototype,"household",2),m([v()],P.prototype,"traces",2),m([v()],P.prototype,"questions",2),P=m([b("sage-activity")],P);function le(i){return typeof i=="string"?i:JSON.stringify(i)??"–"}var dt=class extends f{async load(){}render(){return l`${this.messages()}`}};dt=m([b("sage-devices")],dt);var Te=50,w=class extends f{constructor(){super(...arguments);this.pages={};this.search="";this.restIsOpen=!1}async load(){let[t,s,r]=await Promise.all([k(this.hass,"memory/overview",{}),this.page("told"),this.restIsOpen?this.page("said"):void 0]);this.overview=t,this.pages=r?{told:s,said:r}:{told:s},this.edited=void 0}page(t,s){return k(this.hass,"memory/list",{group:t,count:Te,...s===void 0?{}:{before:s},...this.search?{search:this.search}:{}})}async more(t){let s=this.pages[t].memories,r=await this.page(t,s.at(-1).id);this.pages={...this.pages,[t]:{...r,memories:[...s,...r.memories]}}}toggleRest(){return this.restIsOpen=this.rest.open,this.restIsOpen&&!this.pages.said?this.guarded(async()=>{this.pages={...this.pages,said:await this.page("said")}}):Promise.resolve()}find(t){return this.search=O(t,"search"),this.restIsOpen=this.restIsOpen||this.search!=="",this.act(async()=>{})}remember(t){let s=O(t,"text"),r=t.target;return this.act(async()=>(await M(this.hass,"remember",{text:s}),r.reset(),this.texts("memory.remembered")))}correct(t,s){let r=O(t,"text");return this.act(async()=>(await M(this.hass,"correct_memory",{id:s,text:r}),this.texts("memory.corrected")))}async forget(t,s){await this.agrees(`${s} ${this.texts("memory.forget_log")}`)&&await this.act(async()=>{let{forgotten:r}=await M(this.hass,"forget",t);return r?this.texts.counted("memory.forgotten",r):this.texts("memory.forgotten_none")})}forgetTopic(t){let s=O(t,"topic");return this.forget({topic:s},this.texts("memory.forget_topic_ask",{topic:s}))}forgetDays(t){let s=O(t,"first"),r=O(t,"last")||s;return this.forget({first_day:s,last_day:r},this.texts("memory.forget_days_ask",{first:this.day(s),last:this.day(r)}))}forgetDay(t){return this.forget({first_day:t},this.texts("memory.forget_day_ask",{day:this.day(t)}))}rebuild(){return this.act(async()=>{let t=await M(this.hass,"rebuild_profile",{});return t.error??(t.days_left?this.texts.counted("memory.rebuild_unfinished",t.days_left):this.texts("memory.rebuilt"))})}set(t){return this.act(async()=>(await M(this.hass,"set_memory",t),this.texts("memory.saved")))}setRetention(t){return this.set({retention_days:Number(O(t,"days")),request_days:Number(O(t,"requests"))})}export(){return this.guarded(async()=>{let t=await M(this.hass,"export_memory",{}),s=new Blob([JSON.stringify(t,null,2)],{type:"application/json"}),r=document.createElement("a");return r.href=URL.createObjectURL(s),r.download="sage-memory.json",r.click(),URL.revokeObjectURL(r.href),this.texts("memory.exported")})}import(t){let s=t.target;return this.act(async()=>{let r=s.files?.[0];if(!r)return;let o=await r.text();s.value="";let n=0;for(let c of Pe(this.parsed(o)))n+=(await M(this.hass,"import_memory",{export:c})).memories;return n?this.texts.counted("memory.imported",n):this.texts("memory.imported_none")})}parsed(t){try{return JSON.parse(t)}catch{throw new Error(this.texts("memory.no_export"))}}render(){if(!this.overview)return l`${this.messages()}`;let{settings:t}=this.overview;return l`
      ${this.messages()}
      <div class="card row">
        <span class="grow"
          >${this.texts(t.enabled?"memory.is_on":"memory.is_off")}</span
        >
        <button @click=${()=>this.set({enabled:!t.enabled})}>
          ${this.texts(t.enabled?"memory.switch_off":"memory.switch_on")}
        </button>
      </div>
      ${this.concluded(this.overview)} ${this.told()} ${this.everythingElse(this.overview.total)}
      ${this.forgetting()} ${this.keeping(this.overview)}
    `}concluded({profile:t,days:s}){return l`
      <section aria-labelledby="concluded">
        <h2 id="concluded">${this.texts("memory.concluded")}</h2>
        <div class="card">
          ${t.text?l`<p class="text">${t.text}</p>
                <p class="secondary">
                  ${this.texts("memory.made",{at:this.dateTime(t.made_at),days:this.texts.counted("memory.of_days",t.dates.length)})}
                </p>`:l`<p>${this.texts("memory.no_profile")}</p>`}
          ${t.corrections.length?l`<h3>${this.texts("memory.corrections")}</h3>
                <ul>
                  ${t.corrections.map(({text:r})=>l`<li>${r}</li>`)}
                </ul>`:d}
          ${s.length?l`<details>
                <summary>${this.texts("memory.days",{days:this.texts.counted("memory.of_days",s.length)})}</summary>
                <ul class="plain">
                  ${s.map(({date:r,text:o})=>l`<li>
                      <h3>${this.day(r)}</h3>
                      <p class="text">${o}</p>
                      <button @click=${()=>this.forgetDay(r)}>
                        ${this.texts("memory.forget_day",{day:this.day(r)})}
                      </button>
                    </li>`)}
                </ul>
              </details>`:d}
          <button @click=${this.rebuild}>${this.texts("memory.rebuild")}</button>
        </div>
      </section>
    `}told(){return l`
      <section aria-labelledby="told">
        <h2 id="told">${this.texts("memory.told")}</h2>
        <form class="row" @submit=${B(this.find)}>
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
        ${this.list("told",this.texts("memory.told_none"))}
        ${this.overview.settings.enabled?l`<form class="row" @submit=${B(this.remember)}>
              <input
                class="grow"
                name="text"
                required
                maxlength="4000"
                aria-label=${this.texts("memory.tell_label")}
                placeholder=${this.texts("memory.tell_label")}
              />
              <button>${this.texts("memory.tell")}</button>
            </form>`:d}
      </section>
    `}everythingElse(t){return l`
      <details id="rest" .open=${this.restIsOpen} @toggle=${this.toggleRest}>
        <summary><h2>${this.texts("memory.rest",{count:this.number(t)})}</h2></summary>
        ${this.list("said",this.texts("memory.rest_none"))}
      </details>
    `}list(t,s){let r=this.pages[t];return r?r.memories.length?l`
      <ul class="plain" data-group=${t}>
        ${ht(r.memories,o=>o.id,o=>l`<li class="card">${this.card(o)}</li>`)}
      </ul>
      ${r.has_more?l`<button @click=${()=>this.guarded(()=>this.more(t))}>
            ${this.texts("more")}
          </button>`:d}
    `:l`<p>${this.search?this.texts("memory.found_none"):s}</p>`:d}card(t){if(t.id===this.edited)return l`<form
        class="row"
        @submit=${B(r=>this.correct(r,t.id))}
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
      </form>`;let s=[this.dateTime(t.at),t.place??"",this.texts(`memory.origin.${t.origin}`),t.count>1?this.texts("memory.times",{count:t.count}):""];return l`
      ${t.question?l`<p class="secondary">${t.question}</p>`:d}
      <p class="text">${t.text}</p>
      <p class="secondary">${s.filter(Boolean).join(" · ")}</p>
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
    `}async edit(t){this.edited=t,await this.updateComplete,this.renderRoot.querySelector("li form input")?.focus()}forgetting(){return l`
      <section aria-labelledby="forget">
        <h2 id="forget">${this.texts("memory.forget")}</h2>
        <div class="card">
          <form class="row" @submit=${B(this.forgetTopic)}>
            <input
              class="grow"
              name="topic"
              required
              aria-label=${this.texts("memory.topic_label")}
              placeholder=${this.texts("memory.topic_label")}
            />
            <button>${this.texts("memory.forget_topic")}</button>
          </form>
          <form class="row" @submit=${B(this.forgetDays)}>
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
    `}keeping({settings:t}){return l`
      <section aria-labelledby="keep">
        <h2 id="keep">${this.texts("memory.keep")}</h2>
        <div class="card">
          <form class="row" @submit=${B(this.setRetention)}>
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
            ${t.has_own_retention?l`<button
                  type="button"
                  @click=${()=>this.set({household_retention:!0})}
                >
                  ${this.texts("memory.keep_as_household")}
                </button>`:d}
          </form>
          <p class="secondary">${this.texts("memory.keep_help")}</p>
          <div class="row">
            <button @click=${this.export}>${this.texts("memory.export")}</button>
            <label class="button"
              >${this.texts("memory.import")}
              <input type="file" accept="application/json,.json" @change=${this.import}
            /></label>
          </div>
        </div>
      </section>
    `}};m([v()],w.prototype,"overview",2),m([v()],w.prototype,"pages",2),m([v()],w.prototype,"search",2),m([v()],w.prototype,"restIsOpen",2),m([v()],w.prototype,"edited",2),m([at("#rest")],w.prototype,"rest",2),w=m([b("sage-memory")],w);var ke=1e6;function Pe(i){let{memories:e,corrections:t}=i;if(!Array.isArray(e))return[i];let s=[],r=[],o=0;for(let n of e){let c=JSON.stringify(n).length;r.length&&o+c>ke&&(s.push({...i,memories:r,corrections:[],days:[]}),[r,o]=[[],0]),r.push(n),o+=c}return s.push({...i,memories:r,corrections:t,days:[]}),s}function B(i){return function(e){e.preventDefault(),i.call(this,e)}}function O(i,e){return String(new FormData(i.target).get(e)??"").trim()}var ut=class extends f{async load(){}render(){return l`${this.messages()}`}};ut=m([b("sage-models")],ut);var mt=class extends f{async load(){}render(){return l`${this.messages()}`}};mt=m([b("sage-routines")],mt);var Ce=[{path:"activity"},{path:"memory"},{path:"routines"},{path:"devices"},{path:"models",needsAdmin:!0}],C=class extends x{constructor(){super(...arguments);this.narrow=!1;this.language=""}willUpdate(t){t.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,this.readTexts(this.hass))}async readTexts(t){this.texts=await Yt(t)}get tabs(){return Ce.filter(t=>!t.needsAdmin||this.hass?.user.is_admin)}render(){if(!this.hass||!this.texts||!this.route)return d;let[t,...s]=this.route.path.split("/").filter(Boolean),r=this.tabs.find(o=>o.path===t)??this.tabs[0];return l`
      <header>
        <button class="menu" aria-label=${this.texts("menu")} @click=${this.toggleMenu}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 6h18v2H3V6m0 5h18v2H3v-2m0 5h18v2H3v-2Z" />
          </svg>
        </button>
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs.map(o=>l`<a
              href="${this.route.prefix}/${o.path}"
              aria-current=${o===r?"page":d}
              @click=${this.follow}
              >${this.texts(`tabs.${o.path}`)}</a
            >`)}
        </nav>
      </header>
      <main>${this.view(r,s.join("/"))}</main>
    `}view(t,s){let r=Jt(`sage-${t.path}`);return Zt`<${r} .hass=${this.hass} .texts=${this.texts} .path=${s}></${r}>`}toggleMenu(){this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))}follow(t){t.ctrlKey||t.metaKey||t.shiftKey||(t.preventDefault(),Qt(t.currentTarget.pathname))}};C.styles=K`
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
  `,m([_({attribute:!1})],C.prototype,"hass",2),m([_({type:Boolean,reflect:!0})],C.prototype,"narrow",2),m([_({attribute:!1})],C.prototype,"route",2),m([v()],C.prototype,"texts",2),C=m([b("sage-panel")],C);export{C as Panel};
