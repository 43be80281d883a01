var ns=Object.defineProperty;var rs=Object.getOwnPropertyDescriptor;var h=(n,i,t,e)=>{for(var s=e>1?void 0:e?rs(i,t):i,r=n.length-1,o;r>=0;r--)(o=n[r])&&(s=(e?o(i,t,s):o(s))||s);return e&&s&&ns(i,t,s),s};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var ft=globalThis,vt=ft.ShadowRoot&&(ft.ShadyCSS===void 0||ft.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Ht=Symbol(),te=new WeakMap,at=class{constructor(i,t,e){if(this._$cssResult$=!0,e!==Ht)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=i,this.t=t}get styleSheet(){let i=this.o,t=this.t;if(vt&&i===void 0){let e=t!==void 0&&t.length===1;e&&(i=te.get(t)),i===void 0&&((this.o=i=new CSSStyleSheet).replaceSync(this.cssText),e&&te.set(t,i))}return i}toString(){return this.cssText}},ee=n=>new at(typeof n=="string"?n:n+"",void 0,Ht),x=(n,...i)=>{let t=n.length===1?n[0]:i.reduce((e,s,r)=>e+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+n[r+1],n[0]);return new at(t,n,Ht)},se=(n,i)=>{if(vt)n.adoptedStyleSheets=i.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of i){let e=document.createElement("style"),s=ft.litNonce;s!==void 0&&e.setAttribute("nonce",s),e.textContent=t.cssText,n.appendChild(e)}},Ut=vt?n=>n:n=>n instanceof CSSStyleSheet?(i=>{let t="";for(let e of i.cssRules)t+=e.cssText;return ee(t)})(n):n;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:os,defineProperty:as,getOwnPropertyDescriptor:ls,getOwnPropertyNames:cs,getOwnPropertySymbols:ds,getPrototypeOf:hs}=Object,$t=globalThis,ie=$t.trustedTypes,ps=ie?ie.emptyScript:"",us=$t.reactiveElementPolyfillSupport,lt=(n,i)=>n,ct={toAttribute(n,i){switch(i){case Boolean:n=n?ps:null;break;case Object:case Array:n=n==null?n:JSON.stringify(n)}return n},fromAttribute(n,i){let t=n;switch(i){case Boolean:t=n!==null;break;case Number:t=n===null?null:Number(n);break;case Object:case Array:try{t=JSON.parse(n)}catch{t=null}}return t}},yt=(n,i)=>!os(n,i),ne={attribute:!0,type:String,converter:ct,reflect:!1,useDefault:!1,hasChanged:yt};Symbol.metadata??=Symbol("metadata"),$t.litPropertyMetadata??=new WeakMap;var q=class extends HTMLElement{static addInitializer(i){this._$Ei(),(this.l??=[]).push(i)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(i,t=ne){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(i)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(i,t),!t.noAccessor){let e=Symbol(),s=this.getPropertyDescriptor(i,e,t);s!==void 0&&as(this.prototype,i,s)}}static getPropertyDescriptor(i,t,e){let{get:s,set:r}=ls(this.prototype,i)??{get(){return this[t]},set(o){this[t]=o}};return{get:s,set(o){let c=s?.call(this);r?.call(this,o),this.requestUpdate(i,c,e)},configurable:!0,enumerable:!0}}static getPropertyOptions(i){return this.elementProperties.get(i)??ne}static _$Ei(){if(this.hasOwnProperty(lt("elementProperties")))return;let i=hs(this);i.finalize(),i.l!==void 0&&(this.l=[...i.l]),this.elementProperties=new Map(i.elementProperties)}static finalize(){if(this.hasOwnProperty(lt("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(lt("properties"))){let t=this.properties,e=[...cs(t),...ds(t)];for(let s of e)this.createProperty(s,t[s])}let i=this[Symbol.metadata];if(i!==null){let t=litPropertyMetadata.get(i);if(t!==void 0)for(let[e,s]of t)this.elementProperties.set(e,s)}this._$Eh=new Map;for(let[t,e]of this.elementProperties){let s=this._$Eu(t,e);s!==void 0&&this._$Eh.set(s,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(i){let t=[];if(Array.isArray(i)){let e=new Set(i.flat(1/0).reverse());for(let s of e)t.unshift(Ut(s))}else i!==void 0&&t.push(Ut(i));return t}static _$Eu(i,t){let e=t.attribute;return e===!1?void 0:typeof e=="string"?e:typeof i=="string"?i.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(i=>this.enableUpdating=i),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(i=>i(this))}addController(i){(this._$EO??=new Set).add(i),this.renderRoot!==void 0&&this.isConnected&&i.hostConnected?.()}removeController(i){this._$EO?.delete(i)}_$E_(){let i=new Map,t=this.constructor.elementProperties;for(let e of t.keys())this.hasOwnProperty(e)&&(i.set(e,this[e]),delete this[e]);i.size>0&&(this._$Ep=i)}createRenderRoot(){let i=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return se(i,this.constructor.elementStyles),i}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(i=>i.hostConnected?.())}enableUpdating(i){}disconnectedCallback(){this._$EO?.forEach(i=>i.hostDisconnected?.())}attributeChangedCallback(i,t,e){this._$AK(i,e)}_$ET(i,t){let e=this.constructor.elementProperties.get(i),s=this.constructor._$Eu(i,e);if(s!==void 0&&e.reflect===!0){let r=(e.converter?.toAttribute!==void 0?e.converter:ct).toAttribute(t,e.type);this._$Em=i,r==null?this.removeAttribute(s):this.setAttribute(s,r),this._$Em=null}}_$AK(i,t){let e=this.constructor,s=e._$Eh.get(i);if(s!==void 0&&this._$Em!==s){let r=e.getPropertyOptions(s),o=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:ct;this._$Em=s;let c=o.fromAttribute(t,r.type);this[s]=c??this._$Ej?.get(s)??c,this._$Em=null}}requestUpdate(i,t,e,s=!1,r){if(i!==void 0){let o=this.constructor;if(s===!1&&(r=this[i]),e??=o.getPropertyOptions(i),!((e.hasChanged??yt)(r,t)||e.useDefault&&e.reflect&&r===this._$Ej?.get(i)&&!this.hasAttribute(o._$Eu(i,e))))return;this.C(i,t,e)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(i,t,{useDefault:e,reflect:s,wrapped:r},o){e&&!(this._$Ej??=new Map).has(i)&&(this._$Ej.set(i,o??t??this[i]),r!==!0||o!==void 0)||(this._$AL.has(i)||(this.hasUpdated||e||(t=void 0),this._$AL.set(i,t)),s===!0&&this._$Em!==i&&(this._$Eq??=new Set).add(i))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let i=this.scheduleUpdate();return i!=null&&await i,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[s,r]of this._$Ep)this[s]=r;this._$Ep=void 0}let e=this.constructor.elementProperties;if(e.size>0)for(let[s,r]of e){let{wrapped:o}=r,c=this[s];o!==!0||this._$AL.has(s)||c===void 0||this.C(s,void 0,r,c)}}let i=!1,t=this._$AL;try{i=this.shouldUpdate(t),i?(this.willUpdate(t),this._$EO?.forEach(e=>e.hostUpdate?.()),this.update(t)):this._$EM()}catch(e){throw i=!1,this._$EM(),e}i&&this._$AE(t)}willUpdate(i){}_$AE(i){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(i)),this.updated(i)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(i){return!0}update(i){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(i){}firstUpdated(i){}};q.elementStyles=[],q.shadowRootOptions={mode:"open"},q[lt("elementProperties")]=new Map,q[lt("finalized")]=new Map,us?.({ReactiveElement:q}),($t.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var zt=globalThis,re=n=>n,bt=zt.trustedTypes,oe=bt?bt.createPolicy("lit-html",{createHTML:n=>n}):void 0,Nt="$lit$",z=`lit$${Math.random().toFixed(9).slice(2)}$`,jt="?"+z,ms=`<${jt}>`,Q=document,ht=()=>Q.createComment(""),pt=n=>n===null||typeof n!="object"&&typeof n!="function",It=Array.isArray,pe=n=>It(n)||typeof n?.[Symbol.iterator]=="function",qt=`[ 	
\f\r]`,dt=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ae=/-->/g,le=/>/g,V=RegExp(`>|${qt}(?:([^\\s"'>=/]+)(${qt}*=${qt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),ce=/'/g,de=/"/g,ue=/^(?:script|style|textarea|title)$/i,Bt=n=>(i,...t)=>({_$litType$:n,strings:i,values:t}),a=Bt(1),st=Bt(2),me=Bt(3),N=Symbol.for("lit-noChange"),l=Symbol.for("lit-nothing"),he=new WeakMap,G=Q.createTreeWalker(Q,129);function ge(n,i){if(!It(n)||!n.hasOwnProperty("raw"))throw Error("invalid template strings array");return oe!==void 0?oe.createHTML(i):i}var fe=(n,i)=>{let t=n.length-1,e=[],s,r=i===2?"<svg>":i===3?"<math>":"",o=dt;for(let c=0;c<t;c++){let d=n[c],p,f,u=-1,b=0;for(;b<d.length&&(o.lastIndex=b,f=o.exec(d),f!==null);)b=o.lastIndex,o===dt?f[1]==="!--"?o=ae:f[1]!==void 0?o=le:f[2]!==void 0?(ue.test(f[2])&&(s=RegExp("</"+f[2],"g")),o=V):f[3]!==void 0&&(o=V):o===V?f[0]===">"?(o=s??dt,u=-1):f[1]===void 0?u=-2:(u=o.lastIndex-f[2].length,p=f[1],o=f[3]===void 0?V:f[3]==='"'?de:ce):o===de||o===ce?o=V:o===ae||o===le?o=dt:(o=V,s=void 0);let $=o===V&&n[c+1].startsWith("/>")?" ":"";r+=o===dt?d+ms:u>=0?(e.push(p),d.slice(0,u)+Nt+d.slice(u)+z+$):d+z+(u===-2?c:$)}return[ge(n,r+(n[t]||"<?>")+(i===2?"</svg>":i===3?"</math>":"")),e]},ut=class n{constructor({strings:i,_$litType$:t},e){let s;this.parts=[];let r=0,o=0,c=i.length-1,d=this.parts,[p,f]=fe(i,t);if(this.el=n.createElement(p,e),G.currentNode=this.el.content,t===2||t===3){let u=this.el.content.firstChild;u.replaceWith(...u.childNodes)}for(;(s=G.nextNode())!==null&&d.length<c;){if(s.nodeType===1){if(s.hasAttributes())for(let u of s.getAttributeNames())if(u.endsWith(Nt)){let b=f[o++],$=s.getAttribute(u).split(z),_=/([.?@])?(.*)/.exec(b);d.push({type:1,index:r,name:_[2],strings:$,ctor:_[1]==="."?_t:_[1]==="?"?wt:_[1]==="@"?kt:J}),s.removeAttribute(u)}else u.startsWith(z)&&(d.push({type:6,index:r}),s.removeAttribute(u));if(ue.test(s.tagName)){let u=s.textContent.split(z),b=u.length-1;if(b>0){s.textContent=bt?bt.emptyScript:"";for(let $=0;$<b;$++)s.append(u[$],ht()),G.nextNode(),d.push({type:2,index:++r});s.append(u[b],ht())}}}else if(s.nodeType===8)if(s.data===jt)d.push({type:2,index:r});else{let u=-1;for(;(u=s.data.indexOf(z,u+1))!==-1;)d.push({type:7,index:r}),u+=z.length-1}r++}}static createElement(i,t){let e=Q.createElement("template");return e.innerHTML=i,e}};function Z(n,i,t=n,e){if(i===N)return i;let s=e!==void 0?t._$Co?.[e]:t._$Cl,r=pt(i)?void 0:i._$litDirective$;return s?.constructor!==r&&(s?._$AO?.(!1),r===void 0?s=void 0:(s=new r(n),s._$AT(n,t,e)),e!==void 0?(t._$Co??=[])[e]=s:t._$Cl=s),s!==void 0&&(i=Z(n,s._$AS(n,i.values),s,e)),i}var xt=class{constructor(i,t){this._$AV=[],this._$AN=void 0,this._$AD=i,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(i){let{el:{content:t},parts:e}=this._$AD,s=(i?.creationScope??Q).importNode(t,!0);G.currentNode=s;let r=G.nextNode(),o=0,c=0,d=e[0];for(;d!==void 0;){if(o===d.index){let p;d.type===2?p=new et(r,r.nextSibling,this,i):d.type===1?p=new d.ctor(r,d.name,d.strings,this,i):d.type===6&&(p=new Tt(r,this,i)),this._$AV.push(p),d=e[++c]}o!==d?.index&&(r=G.nextNode(),o++)}return G.currentNode=Q,s}p(i){let t=0;for(let e of this._$AV)e!==void 0&&(e.strings!==void 0?(e._$AI(i,e,t),t+=e.strings.length-2):e._$AI(i[t])),t++}},et=class n{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(i,t,e,s){this.type=2,this._$AH=l,this._$AN=void 0,this._$AA=i,this._$AB=t,this._$AM=e,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let i=this._$AA.parentNode,t=this._$AM;return t!==void 0&&i?.nodeType===11&&(i=t.parentNode),i}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(i,t=this){i=Z(this,i,t),pt(i)?i===l||i==null||i===""?(this._$AH!==l&&this._$AR(),this._$AH=l):i!==this._$AH&&i!==N&&this._(i):i._$litType$!==void 0?this.$(i):i.nodeType!==void 0?this.T(i):pe(i)?this.k(i):this._(i)}O(i){return this._$AA.parentNode.insertBefore(i,this._$AB)}T(i){this._$AH!==i&&(this._$AR(),this._$AH=this.O(i))}_(i){this._$AH!==l&&pt(this._$AH)?this._$AA.nextSibling.data=i:this.T(Q.createTextNode(i)),this._$AH=i}$(i){let{values:t,_$litType$:e}=i,s=typeof e=="number"?this._$AC(i):(e.el===void 0&&(e.el=ut.createElement(ge(e.h,e.h[0]),this.options)),e);if(this._$AH?._$AD===s)this._$AH.p(t);else{let r=new xt(s,this),o=r.u(this.options);r.p(t),this.T(o),this._$AH=r}}_$AC(i){let t=he.get(i.strings);return t===void 0&&he.set(i.strings,t=new ut(i)),t}k(i){It(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,e,s=0;for(let r of i)s===t.length?t.push(e=new n(this.O(ht()),this.O(ht()),this,this.options)):e=t[s],e._$AI(r),s++;s<t.length&&(this._$AR(e&&e._$AB.nextSibling,s),t.length=s)}_$AR(i=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);i!==this._$AB;){let e=re(i).nextSibling;re(i).remove(),i=e}}setConnected(i){this._$AM===void 0&&(this._$Cv=i,this._$AP?.(i))}},J=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(i,t,e,s,r){this.type=1,this._$AH=l,this._$AN=void 0,this.element=i,this.name=t,this._$AM=s,this.options=r,e.length>2||e[0]!==""||e[1]!==""?(this._$AH=Array(e.length-1).fill(new String),this.strings=e):this._$AH=l}_$AI(i,t=this,e,s){let r=this.strings,o=!1;if(r===void 0)i=Z(this,i,t,0),o=!pt(i)||i!==this._$AH&&i!==N,o&&(this._$AH=i);else{let c=i,d,p;for(i=r[0],d=0;d<r.length-1;d++)p=Z(this,c[e+d],t,d),p===N&&(p=this._$AH[d]),o||=!pt(p)||p!==this._$AH[d],p===l?i=l:i!==l&&(i+=(p??"")+r[d+1]),this._$AH[d]=p}o&&!s&&this.j(i)}j(i){i===l?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,i??"")}},_t=class extends J{constructor(){super(...arguments),this.type=3}j(i){this.element[this.name]=i===l?void 0:i}},wt=class extends J{constructor(){super(...arguments),this.type=4}j(i){this.element.toggleAttribute(this.name,!!i&&i!==l)}},kt=class extends J{constructor(i,t,e,s,r){super(i,t,e,s,r),this.type=5}_$AI(i,t=this){if((i=Z(this,i,t,0)??l)===N)return;let e=this._$AH,s=i===l&&e!==l||i.capture!==e.capture||i.once!==e.once||i.passive!==e.passive,r=i!==l&&(e===l||s);s&&this.element.removeEventListener(this.name,this,e),r&&this.element.addEventListener(this.name,this,i),this._$AH=i}handleEvent(i){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,i):this._$AH.handleEvent(i)}},Tt=class{constructor(i,t,e){this.element=i,this.type=6,this._$AN=void 0,this._$AM=t,this.options=e}get _$AU(){return this._$AM._$AU}_$AI(i){Z(this,i)}},ve={M:Nt,P:z,A:jt,C:1,L:fe,R:xt,D:pe,V:Z,I:et,H:J,N:wt,U:kt,B:_t,F:Tt},gs=zt.litHtmlPolyfillSupport;gs?.(ut,et),(zt.litHtmlVersions??=[]).push("3.3.3");var $e=(n,i,t)=>{let e=t?.renderBefore??i,s=e._$litPart$;if(s===void 0){let r=t?.renderBefore??null;e._$litPart$=s=new et(i.insertBefore(ht(),r),r,void 0,t??{})}return s._$AI(n),s};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Kt=globalThis,A=class extends q{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let i=super.createRenderRoot();return this.renderOptions.renderBefore??=i.firstChild,i}update(i){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(i),this._$Do=$e(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return N}};A._$litElement$=!0,A.finalized=!0,Kt.litElementHydrateSupport?.({LitElement:A});var fs=Kt.litElementPolyfillSupport;fs?.({LitElement:A});(Kt.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var k=n=>(i,t)=>{t!==void 0?t.addInitializer(()=>{customElements.define(n,i)}):customElements.define(n,i)};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var vs={attribute:!0,type:String,converter:ct,reflect:!1,hasChanged:yt},$s=(n=vs,i,t)=>{let{kind:e,metadata:s}=t,r=globalThis.litPropertyMetadata.get(s);if(r===void 0&&globalThis.litPropertyMetadata.set(s,r=new Map),e==="setter"&&((n=Object.create(n)).wrapped=!0),r.set(t.name,n),e==="accessor"){let{name:o}=t;return{set(c){let d=i.get.call(this);i.set.call(this,c),this.requestUpdate(o,d,n,!0,c)},init(c){return c!==void 0&&this.C(o,void 0,n,c),c}}}if(e==="setter"){let{name:o}=t;return function(c){let d=this[o];i.call(this,c),this.requestUpdate(o,d,n,!0,c)}}throw Error("Unsupported decorator location: "+e)};function w(n){return(i,t)=>typeof t=="object"?$s(n,i,t):((e,s,r)=>{let o=s.hasOwnProperty(r);return s.constructor.createProperty(r,e),o?Object.getOwnPropertyDescriptor(s,r):void 0})(n,i,t)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function m(n){return w({...n,state:!0,attribute:!1})}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Y=(n,i,t)=>(t.configurable=!0,t.enumerable=!0,Reflect.decorate&&typeof i!="object"&&Object.defineProperty(n,i,t),t);/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function ye(n,i){return(t,e,s)=>{let r=o=>o.renderRoot?.querySelector(n)??null;if(i){let{get:o,set:c}=typeof e=="object"?t:s??(()=>{let d=Symbol();return{get(){return this[d]},set(p){this[d]=p}}})();return Y(t,e,{get(){let d=o.call(this);return d===void 0&&(d=r(this),(d!==null||this.hasUpdated)&&c.call(this,d)),d}})}return Y(t,e,{get(){return r(this)}})}}/**
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
 */var xe=Symbol.for(""),ys=n=>{if(n?.r===xe)return n?._$litStatic$},_e=n=>({_$litStatic$:n,r:xe});var be=new Map,Wt=n=>(i,...t)=>{let e=t.length,s,r,o=[],c=[],d,p=0,f=!1;for(;p<e;){for(d=i[p];p<e&&(r=t[p],(s=ys(r))!==void 0);)d+=s+i[++p],f=!0;p!==e&&c.push(r),o.push(d),p++}if(p===e&&o.push(i[e]),f){let u=o.join("$$lit$$");(i=be.get(u))===void 0&&(o.raw=o,be.set(u,i=o)),t=c}return n(i,...t)},we=Wt(a),hn=Wt(st),pn=Wt(me);function ke({entities:n}){return Object.values(n).find(({entity_id:i,platform:t})=>t==="sage"&&i.startsWith("conversation."))?.entity_id}function mt({locale:n,config:i}){return n.time_zone==="local"?void 0:i.time_zone}function Et({locale:{language:n,time_format:i}}){return i==="12"||i==="24"?i==="12":!!new Intl.DateTimeFormat(i==="system"?void 0:n,{timeStyle:"short"}).resolvedOptions().hour12}function Ft(n){history.pushState(null,"",n),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}}))}function B(n){n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),Ft(n.currentTarget.pathname))}/**
 * @license
 * Copyright 2018 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var L=n=>n??l;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Te={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},At=n=>(...i)=>({_$litDirective$:n,values:i}),it=class{constructor(i){}get _$AU(){return this._$AM._$AU}_$AT(i,t,e){this._$Ct=i,this._$AM=t,this._$Ci=e}_$AS(i,t){return this.update(i,t)}update(i,t){return this.render(...t)}};var Vt=class extends it{render(){return l}update({element:i}){let t=i;return Promise.resolve().then(()=>{t.isConnected&&!t.open&&t.showModal()}),l}},Rt=At(Vt);var bs=["ha-alert","ha-button","ha-code-editor","ha-dialog","ha-expansion-panel","ha-icon","ha-icon-button","ha-input","ha-select","ha-state-icon","ha-switch"],xs=500,Ee,j=n=>!!customElements.get(n);function Gt(){let n=()=>bs.every(j);return Ee??=(async()=>{for(let i of[_s,ws])n()||await i().catch(()=>{})})(),Ee}function Ae(){return Promise.race([Gt(),new Promise(n=>setTimeout(n,xs))])}async function _s(){let{loadCardHelpers:n}=window;await(await(await n?.())?.createCardElement({type:"entities",entities:[]}))?.constructor?.getConfigElement?.()}async function ws(){await customElements.whenDefined("partial-panel-resolver");let n=document.createElement("partial-panel-resolver"),{routes:i}=n.getRoutes([{component_name:"config",url_path:"config"}]);await i.config?.load?.();let t=document.createElement("ha-panel-config");for(let e of["automation","devices"])await t.routerOptions.routes[e]?.load?.()}function T(n,i){return j("ha-icon")?a`<ha-icon aria-hidden="true" slot=${L(i)} .icon=${n}></ha-icon>`:l}var ks={main:["accent","brand"],quiet:["plain","brand"],outlined:["outlined","neutral"],danger:["plain","danger"]};function C(n){let{label:i,click:t,look:e="quiet",type:s="button",name:r,disabled:o=!1,slot:c}=n;if(!j("ha-button"))return a`<button
      type=${s}
      class=${e}
      slot=${L(c)}
      aria-label=${L(r)}
      ?disabled=${o}
      ?autofocus=${n.autofocus}
      @click=${t}
    >
      ${i}
    </button>`;let[d,p]=ks[e];return a`<ha-button
    class="button"
    size="s"
    slot=${L(c)}
    .type=${s}
    .appearance=${d}
    .variant=${p}
    .ariaLabel=${r??null}
    .disabled=${o}
    ?autofocus=${n.autofocus}
    @click=${t}
    >${n.icon?T(n.icon,"start"):l}${i}</ha-button
  >`}function St(n,i,t,e=!1){return j("ha-icon-button")&&j("ha-icon")?a`<ha-icon-button .label=${i} .disabled=${e} @click=${t}
        ><ha-icon .icon=${n}></ha-icon
      ></ha-icon-button>`:a`<button type="button" class="quiet" ?disabled=${e} @click=${t}>
        ${i}
      </button>`}function Pt(n){let{header:i,secondary:t,content:e,isOpen:s,toggle:r,id:o}=n;return j("ha-expansion-panel")?a`<ha-expansion-panel
    class="fold"
    id=${L(o)}
    .header=${i}
    .secondary=${t}
    .expanded=${s??!1}
    @expanded-changed=${c=>{c.stopPropagation(),r?.(c.detail.expanded)}}
  >
    ${n.icon?T(n.icon,"leading-icon"):l} ${e()}
  </ha-expansion-panel>`:a`<details
      id=${L(o)}
      ?open=${s??!1}
      @toggle=${c=>r?.(c.currentTarget.open)}
    >
      <summary>${i} <span class="secondary">${t??l}</span></summary>
      ${e()}
    </details>`}function Re(n,i,t){return j("ha-alert")?a`<ha-alert
    class=${n}
    .alertType=${n}
    .dismissable=${!!t}
    @alert-dismissed-clicked=${t?.click}
    >${i}</ha-alert
  >`:a`<div class="message row ${n}">
      <span class="grow">${i}</span>
      ${t?a`<button type="button" class="quiet" @click=${t.click}>${t.label}</button>`:l}
    </div>`}function Se(n){let{label:i,value:t,choices:e,name:s,change:r}=n;return j("ha-select")?a`<ha-select
        name=${L(s)}
        .label=${i}
        .value=${t}
        .options=${e}
        @selected=${o=>{o.stopPropagation(),o.currentTarget.value=o.detail.value,r?.(o.detail.value)}}
      ></ha-select>`:a`<label
        >${i}
        <select
          name=${L(s)}
          .value=${t}
          @change=${o=>r?.(o.target.value)}
        >
          ${e.map(o=>a`<option value=${o.value} ?selected=${o.value===t}>
                ${o.label}
              </option>`)}
        </select></label
      >`}function Pe(n,i,{className:t="row",role:e}={}){let s=c=>[...c.querySelectorAll("[name]")],r=c=>{c.preventDefault();let d=c.currentTarget;if(!s(d).every(f=>f.reportValidity?.()??!0))return;let p=s(d).map(f=>[f.getAttribute("name"),f.value??""]);i(Object.fromEntries(p.map(([f,u])=>[f,u.trim()])),d)},o=c=>{c.key==="Enter"&&c.target.localName==="ha-input"&&(c.preventDefault(),c.currentTarget.requestSubmit())};return a`<form
    class=${t}
    role=${L(e)}
    novalidate
    @submit=${r}
    @keydown=${o}
  >
    ${n}
  </form>`}function Ce(n){let{isOpen:i,title:t,content:e,buttons:s,closed:r}=n;return j("ha-dialog")?a`<ha-dialog .open=${i} .headerTitle=${t} width="small" @closed=${r}>
    ${e}
    <div class="row buttons" slot="footer">${s}</div>
  </ha-dialog>`:i?a`<dialog
          class="question"
          aria-label=${t}
          ${Rt()}
          @close=${r}
        >
          <h2>${t}</h2>
          ${e}
          <div class="row">${s}</div>
        </dialog>`:a``}async function Oe(n){let i=await n.loadBackendTranslation("config_panel","sage"),t=(s,r)=>i(`component.sage.config_panel.${s}`,r);return Object.assign(t,{counted:(s,r)=>t(`${s}_${r===1?"one":"other"}`,{count:r.toLocaleString(n.language)})})}async function Me(n,i){let{message:t,translation_key:e,translation_domain:s,translation_placeholders:r}=i;if(e&&s){let c=(await n.loadBackendTranslation("exceptions",s))(`component.${s}.exceptions.${e}.message`,r);if(c)return c}return t??String(i)}/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{I:Ts}=ve,De=n=>n;var Le=()=>document.createComment(""),nt=(n,i,t)=>{let e=n._$AA.parentNode,s=i===void 0?n._$AB:i._$AA;if(t===void 0){let r=e.insertBefore(Le(),s),o=e.insertBefore(Le(),s);t=new Ts(r,o,n,n.options)}else{let r=t._$AB.nextSibling,o=t._$AM,c=o!==n;if(c){let d;t._$AQ?.(n),t._$AM=n,t._$AP!==void 0&&(d=n._$AU)!==o._$AU&&t._$AP(d)}if(r!==s||c){let d=t._$AA;for(;d!==r;){let p=De(d).nextSibling;De(e).insertBefore(d,s),d=p}}}return t},K=(n,i,t=n)=>(n._$AI(i,t),n),Es={},He=(n,i=Es)=>n._$AH=i,Ue=n=>n._$AH,Ct=n=>{n._$AR(),n._$AA.remove()};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var qe=(n,i,t)=>{let e=new Map;for(let s=i;s<=t;s++)e.set(n[s],s);return e},I=At(class extends it{constructor(n){if(super(n),n.type!==Te.CHILD)throw Error("repeat() can only be used in text expressions")}dt(n,i,t){let e;t===void 0?t=i:i!==void 0&&(e=i);let s=[],r=[],o=0;for(let c of n)s[o]=e?e(c,o):o,r[o]=t(c,o),o++;return{values:r,keys:s}}render(n,i,t){return this.dt(n,i,t).values}update(n,[i,t,e]){let s=Ue(n),{values:r,keys:o}=this.dt(i,t,e);if(!Array.isArray(s))return this.ut=o,r;let c=this.ut??=[],d=[],p,f,u=0,b=s.length-1,$=0,_=r.length-1;for(;u<=b&&$<=_;)if(s[u]===null)u++;else if(s[b]===null)b--;else if(c[u]===o[$])d[$]=K(s[u],r[$]),u++,$++;else if(c[b]===o[_])d[_]=K(s[b],r[_]),b--,_--;else if(c[u]===o[_])d[_]=K(s[u],r[_]),nt(n,d[_+1],s[u]),u++,_--;else if(c[b]===o[$])d[$]=K(s[b],r[$]),nt(n,s[u],s[b]),b--,$++;else if(p===void 0&&(p=qe(o,$,_),f=qe(c,u,b)),p.has(c[u]))if(p.has(c[b])){let U=f.get(o[$]),Lt=U!==void 0?s[U]:null;if(Lt===null){let Xt=nt(n,s[u]);K(Xt,r[$]),d[$]=Xt}else d[$]=K(Lt,r[$]),nt(n,s[u],Lt),s[U]=null;$++}else Ct(s[b]),b--;else Ct(s[u]),u++;for(;$<=_;){let U=nt(n,d[_+1]);K(U,r[$]),d[$++]=U}for(;u<=b;){let U=s[u++];U!==null&&Ct(U)}return this.ut=o,He(n,d),N}});function y(n,i,t){return n.callWS({type:`sage/${i}`,data:t})}function E(n,i,t){return n.callWS({type:"sage/action",action:i,data:t})}function ze(n,i,t){return n.callWS({type:"sage/answer_routine",routine:i,answer:t})}function Ne({thinking_content:n=""}){return n.replace(/^- /,"").replace(/\\(.)/g,"$1").trim()}var As=3600;function je(n,{text:i,agent:t,conversation:e},s){let{components:r,language:o}=n.config;return o!==n.language||!r.includes("assist_pipeline")?n.callWS({type:"conversation/process",text:i,agent_id:t,language:n.language,conversation_id:e}):Rs(n,{type:"assist_pipeline/run",start_stage:"intent",end_stage:"intent",input:{text:i},pipeline:t,conversation_id:e,timeout:As},s)}async function Rs({connection:n,localize:i},t,e){let s=()=>{},r;try{return await new Promise((o,c)=>{s=()=>c(new Error(i("ui.notification_toast.connection_lost"))),n.addEventListener("disconnected",s);let d=p=>{p.type==="intent-progress"?e(p.data.chat_log_delta??{}):p.type==="intent-end"?o(p.data.intent_output):p.type==="error"&&c(p.data)};r=n.subscribeMessage(d,t,{resubscribe:!1}),r.catch(c)})}finally{n.removeEventListener("disconnected",s),r?.then(o=>o()).catch(()=>{})}}var Ot=x`
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
  ha-card > .fold {
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
`,Mt=x`
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
`;var v=class extends A{constructor(){super(...arguments);this.path="";this.parts=0;this.narrow=!1;this.error="";this.notice="";this.question="";this.verb="";this.isAsked=!1}static{this.styles=Ot}connectedCallback(){super.connectedCallback(),this.loaded??=this.act(async()=>{})}shouldUpdate(t){return!!this.texts}act(t){return this.guarded(async()=>{let e=await t();return await this.load(),e})}async guarded(t){this.error="",this.notice="";try{this.notice=await t()??""}catch(e){this.error=await Me(this.hass,e)}}agrees(t,e=this.texts("delete")){return this.question=t,this.verb=e,this.isAsked=!0,new Promise(s=>{this.decide=s})}settle(t){let{decide:e}=this;this.decide=void 0,this.isAsked=!1,e?.(t)}number(t,e=0){return t.toLocaleString(this.hass.language,{minimumFractionDigits:e,maximumFractionDigits:e})}duration(t){let e=t%60===0;return(e?t/60:t).toLocaleString(this.hass.language,{style:"unit",unit:e?"minute":"second",unitDisplay:"long"})}dateTime(t){return new Date(t).toLocaleString(this.hass.language,{dateStyle:"medium",...this.ofClock()})}clock(t){return new Date(t).toLocaleTimeString(this.hass.language,this.ofClock())}ofClock(){return{timeStyle:"short",hourCycle:Et(this.hass)?"h12":"h23",timeZone:mt(this.hass)}}day(t){return new Date(`${t}T00:00:00Z`).toLocaleDateString(this.hass.language,{dateStyle:"medium",timeZone:"UTC"})}ago(t){let e=Math.round((Date.now()-Date.parse(t))/6e4);if(e>=360)return this.clock(t);let s=new Intl.RelativeTimeFormat(this.hass.language,{numeric:"auto",style:"short"});return e<1?s.format(0,"second"):e<60?s.format(-e,"minute"):s.format(-Math.round(e/60),"hour")}dayOf(t){let e={timeZone:mt(this.hass)},s=o=>new Intl.DateTimeFormat("en-CA",e).format(o),r=Date.parse(t);for(let[o,c]of[0,864e5].entries())if(s(r)===s(Date.now()-c)){let p=new Intl.RelativeTimeFormat(this.hass.language,{numeric:"auto"}).format(-o,"day");return p.charAt(0).toLocaleUpperCase(this.hass.language)+p.slice(1)}return new Date(t).toLocaleDateString(this.hass.language,{dateStyle:"full",...e})}sheet(){}render(){let t=this.sheet();return a`${t?l:this.messages()} ${this.content()}
    ${t?this.drawn(t):l} ${this.asking()}`}messages(){return a`
      <div class="messages">
        <div role="alert" aria-live="assertive">${this.message("error",this.error)}</div>
        <div role="status" aria-live="polite">${this.message("success",this.notice)}</div>
      </div>
    `}message(t,e){let s=()=>{this.error="",this.notice=""};return e?Re(t,e,{label:this.texts("close"),click:s}):l}drawn({title:t,content:e,closed:s}){let r=o=>o.currentTarget.closest("dialog").close();return a`<dialog
      class="sheet"
      aria-label=${t}
      ${Rt()}
      @close=${s}
      @click=${o=>o.target===o.currentTarget&&r(o)}
    >
      <div class="head">
        ${St("mdi:close",this.texts("close"),r)}
        <h2>${t}</h2>
      </div>
      <div class="body">${this.messages()} ${e}</div>
    </dialog>`}asking(){return Ce({isOpen:this.isAsked,title:this.verb,content:a`<p>${this.question}</p>`,buttons:a`${C({label:this.texts("cancel"),autofocus:!0,click:()=>this.settle(!1)})}
      ${C({label:this.verb,look:"danger",click:()=>this.settle(!0)})}`,closed:()=>this.settle(!1)})}};h([w({attribute:!1})],v.prototype,"hass",2),h([w({attribute:!1})],v.prototype,"texts",2),h([w({attribute:!1})],v.prototype,"path",2),h([w({attribute:!1})],v.prototype,"parts",2),h([w({type:Boolean,reflect:!0})],v.prototype,"narrow",2),h([m()],v.prototype,"error",2),h([m()],v.prototype,"notice",2),h([m()],v.prototype,"question",2),h([m()],v.prototype,"verb",2),h([m()],v.prototype,"isAsked",2);var Ss="/config/integrations/integration/sage",Ps="/config/voice-assistants/expose",Cs="new",O=class extends v{constructor(){super(...arguments);this.sentences=[];this.assistants=null;this.isWithoutDevices=!1;this.answers=new Map;this.asked="";this.isNew=!1}async load(){let{sentences:t,assistants:e}=await y(this.hass,"start/get",{});if(this.sentences=t,this.assistants=e,!t.length){let{total:s}=await y(this.hass,"devices/list",{start:0,count:1});this.isWithoutDevices=s===0}}willUpdate(){this.isNew||=this.hasCommands===!1}async say(t,e){this.asked=t;let s=r=>{this.answers=new Map(this.answers).set(t,r)};s(this.texts("card.working")),await this.guarded(async()=>{try{let r={text:t,agent:e,conversation:null},{response:o}=await je(this.hass,r,c=>{let d=Ne(c);d&&s(d)});s(o.speech.plain?.speech??"")}catch(r){throw s(""),r}}),this.asked="",this.dispatchEvent(new CustomEvent("answered"))}use(t){return this.act(async()=>(await y(this.hass,"start/use_in_assistant",{assistant:t}),this.texts("start.used")))}content(){let t=ke(this.hass);return a`
      ${t?l:this.missing("no_agent","mdi:creation-outline",Ss)}
      ${this.isWithoutDevices?this.missing("no_devices","mdi:devices",Ps):l}
      ${this.offer()} ${t?this.proposals(t):l}
    `}proposals(t){if(!this.isNew||!this.sentences.length)return l;let e=this.sentences.map(({kind:s,device:r})=>this.texts(`start.say.${s}`,{device:r}));return a`
      <ha-card>
        <section aria-label=${this.texts("start.title")}>
          <div class="padded">
            <h2 class="unseen">${this.texts("start.title")}</h2>
            <p class="what">${this.texts("start.what")}</p>
          </div>
          <ul class="plain" aria-live="polite">
            ${e.map(s=>a`<li>
                <button
                  class="item"
                  ?disabled=${this.asked!==""}
                  @click=${()=>this.say(s,t)}
                >
                  ${T("mdi:message-text-outline")}<span class="text">${s}</span>
                </button>
                ${this.answers.get(s)?a`<p class="answer">${this.answers.get(s)}</p>`:l}
                ${this.asked===s?a`<progress aria-label=${this.texts("card.working")}></progress>`:l}
              </li>`)}
          </ul>
        </section>
      </ha-card>
    `}missing(t,e,s){let r=c=>this.texts(`start.${t}${c}`),o=this.hass.user.is_admin;return a`<ha-card>
      <section class="item" aria-label=${r("")}>
        ${T(e)}
        <span class="text">
          <span class="headline">${r("")}</span>
          <span class="supporting"
            >${o?r("_info"):this.texts("start.ask_administrator")}</span
          >
        </span>
        ${o?C({label:r("_button"),look:"main",click:()=>Ft(s)}):l}
      </section>
    </ha-card>`}offer(){if(!this.assistants)return l;let t=this.assistants.map(({id:e,name:s})=>({value:e,label:s}));return t.push({value:Cs,label:this.texts("start.new_assistant")}),a`
      <ha-card>
        <section class="padded" aria-label=${this.texts("start.assist")}>
          <h3 class="title">${this.texts("start.assist")}</h3>
          <p class="secondary">${this.texts("start.assist_info")}</p>
          ${Pe(a`${Se({name:"assistant",label:this.texts("start.assistant"),value:t[0].value,choices:t})}
            ${C({label:this.texts("start.use"),look:"main",type:"submit"})}`,({assistant:e})=>this.use(e))}
        </section>
      </ha-card>
    `}};O.styles=[v.styles,x`
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
    `],h([w({attribute:!1})],O.prototype,"hasCommands",2),h([m()],O.prototype,"sentences",2),h([m()],O.prototype,"assistants",2),h([m()],O.prototype,"isWithoutDevices",2),h([m()],O.prototype,"answers",2),h([m()],O.prototype,"asked",2),O=h([k("sage-start")],O);var Be={api_documentation:"mdi:book-open-variant",change_contacts:"mdi:account-edit",code_execution:"mdi:code-braces",condition_code_writing:"mdi:code-braces",condition_polling:"mdi:calendar-clock",create_calendar_event:"mdi:calendar-plus",create_email_draft:"mdi:email-edit-outline",device_disambiguation:"mdi:image-search-outline",device_interaction:"mdi:devices",device_interaction_planner:"mdi:clipboard-list-outline",email_and_calendar:"mdi:email-outline",execute_command:"mdi:gesture-tap",get_contacts:"mdi:account-search",get_message:"mdi:email-open-outline",get_thread:"mdi:email-open-outline",human_interaction:"mdi:comment-question-outline",list_calendar_events:"mdi:calendar",memory:"mdi:brain",personalization:"mdi:brain",read_attributes:"mdi:eye-outline",routines:"mdi:calendar-clock",search_email:"mdi:email-search-outline",send_message:"mdi:send-outline",search_tv_schedule:"mdi:television-guide",undo:"mdi:undo",weather:"mdi:weather-partly-cloudy"},Os="mdi:creation-outline",Ms="mdi:wrench-outline",Ie=160;function Qt(n,{kind:i,name:t}){return i==="model"?n("activity.model"):t in Be&&n(`activity.tool.${t}`)||t.replaceAll("_"," ")}function Zt({kind:n,name:i}){return n==="model"?Os:Be[i]??Ms}function Ke(n,{root:i,outcomes:t},e){return a`<ol class="timeline">
    ${i.children.map(s=>a`<li class=${s.error?"error":""}>
        ${T(Zt(s))||l}
        <div class="step">
          <span>${Qt(n,s)}</span>
          ${s.error?a`<span class="failed">${n("activity.error")}</span>`:l}
          ${Ds(s,t).map(r=>a`<p class="secondary">${r}</p>`)}
        </div>
        <span class="secondary">${n("activity.seconds",{seconds:e(s.seconds)})}</span>
      </li>`)}
  </ol>`}function Ds({kind:n,name:i,result:t,error:e},s){if(n==="model"||e)return[];if(i==="execute_command")return s.filter(o=>t.includes(o.name)).map(({sentence:o})=>o);let[r=""]=t.trim().split(`
`);return r?[r.length>Ie?`${r.slice(0,Ie)}…`:r]:[]}var We=x`
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
`;var Jt=50,Ls=500,Hs=2e4,M=class extends v{constructor(){super(...arguments);this.hasMore=!1;this.questions=new Map;this.timer=0;this.refresh=()=>{!document.hidden&&this.commands&&this.load().catch(()=>{})}}connectedCallback(){super.connectedCallback(),this.timer=window.setInterval(this.refresh,Hs),window.addEventListener("focus",this.refresh)}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer),window.removeEventListener("focus",this.refresh)}async load(){let t=Math.min(Ls,Math.max(Jt,this.commands?.length??0)),e=await y(this.hass,"activity/list",{count:t});this.commands=e.commands,this.hasMore=e.has_more}async more(){let t=this.commands?.at(-1),e=t?.is_waiting?void 0:t?.id;if(e){let s=await y(this.hass,"activity/list",{count:Jt,before:e});this.commands=[...this.commands??[],...s.commands],this.hasMore=s.has_more}}open({id:t}){return this.opened=t,this.trace=void 0,this.guarded(async()=>{let e=await y(this.hass,"activity/trace",{id:t});this.trace=this.opened===t?e:this.trace})}undo(t,e){return this.act(async()=>{let s={id:t.id,language:this.hass.language},r=await y(this.hass,"activity/undo",e?{...s,agreed:e}:s);return this.setQuestion(t,r.question),r.question&&!this.opened&&this.open(t),r.done??""})}setQuestion({id:t},e){this.questions=new Map(this.questions),e?this.questions.set(t,e):this.questions.delete(t)}openHousehold(t){if(!(!t||this.household))return this.guarded(async()=>{this.household=(await y(this.hass,"activity/household",{count:Jt})).commands})}content(){return a`
      <sage-start
        .hass=${this.hass}
        .texts=${this.texts}
        .parts=${this.parts}
        .hasCommands=${this.commands&&this.commands.length>0}
        @answered=${()=>this.act(async()=>{})}
      ></sage-start>
      ${this.list()} ${this.hass.user.is_admin?this.ofHousehold():l}
    `}list(){if(!this.commands)return l;if(!this.commands.length)return a`<div class="empty">${T("mdi:history")}${this.texts("activity.none")}</div>`;let t=new Map;for(let e of this.commands){let s=this.dayOf(e.at);t.set(s,[...t.get(s)??[],e])}return a`
      <div id="commands">
        ${I(t,([e])=>e,([e,s])=>a`<section aria-label=${e}>
            <h2>${e}</h2>
            <ha-card>
              <ul class="plain list">
                ${I(s,({id:r})=>r,r=>this.line(r))}
              </ul>
            </ha-card>
          </section>`)}
      </div>
      ${this.hasMore?a`<div class="more">
            ${C({label:this.texts("more"),click:()=>this.guarded(()=>this.more())})}
          </div>`:l}
    `}line(t){let e=[t.is_undone?"undone":"",t.is_waiting?"waiting":""],s=a`
      ${this.icon(t)}
      <span class="text">
        <span class="headline">${this.words(t)}</span>
        <span class="supporting">${t.answer}</span>
        ${this.badges(t)}
      </span>
      <time datetime=${t.at} title=${this.dateTime(t.at)}>${this.ago(t.at)}</time>
    `;return a`<li class=${e.join(" ")}>
      ${t.is_waiting?a`<div class="item">${s}</div>`:a`<button class="item" aria-haspopup="dialog" @click=${()=>this.open(t)}>
            ${s}
          </button>`}
      ${t.can_undo?St("mdi:undo",this.texts("activity.undo"),()=>this.undo(t)):l}
    </li>`}words({command:t}){return t||this.texts("activity.forgotten")}icon({outcomes:t,kind:e,is_waiting:s,routine_id:r}){if(s)return T("mdi:comment-question-outline");let o=t.find(d=>d.kind!=="refused"&&d.kind!=="failed"),c=o?.component&&this.hass.states[o.component];return c&&customElements.get("ha-state-icon")?a`<ha-state-icon
        aria-hidden="true"
        .hass=${this.hass}
        .stateObj=${c}
      ></ha-state-icon>`:o?T("mdi:devices"):t.length?T("mdi:hand-back-left-off-outline"):e==="failure"?T("mdi:alert-circle-outline"):T(r?"mdi:calendar-clock":"mdi:message-text-outline")}badges({routine:t,is_undone:e,is_waiting:s}){let r=[s?a`<span class="badge warning">${this.texts("activity.waiting")}</span>`:"",e?a`<span class="badge">${this.texts("activity.undone")}</span>`:"",t?a`<span class="badge">${this.texts("activity.routine",{when:t})}</span>`:""].filter(Boolean);return r.length?a`<span class="row badges">${r}</span>`:l}ofHousehold(){return a`<ha-card>
      ${Pt({id:"household",header:this.texts("activity.household"),icon:"mdi:home-automation",toggle:t=>this.openHousehold(t),content:()=>a`
          ${this.household?.length===0?a`<p class="empty">${this.texts("activity.household_none")}</p>`:l}
          <ul class="plain list">
            ${this.household?.map(t=>a`<li>
                <div class="item">
                  <span class="text">
                    ${t.outcomes.map(({name:e,kind:s})=>a`<span class="headline"
                          >${e}: ${this.texts(`activity.outcome.${s}`)}</span
                        >`)}
                    <span class="supporting">${this.summary(t)}</span>
                  </span>
                  <time datetime=${t.at}>${this.dateTime(t.at)}</time>
                </div>
              </li>`)}
          </ul>
        `})}
    </ha-card>`}sheet(){let t=this.commands?.find(({id:s})=>s===this.opened);if(!t)return;let e=a`
      <p class="facts">
        <time datetime=${t.at}>${this.dateTime(t.at)}</time>
        ${t.routine||t.routine_id?this.routine(t):l}
        ${t.is_undone?a`<span class="badge">${this.texts("activity.undone")}</span>`:l}
      </p>
      <p class="said">${t.answer}</p>
      ${this.undoing(t)} ${this.trace?this.told(t,this.trace):l}
    `;return{title:this.words(t),content:e,closed:()=>{this.opened=void 0,this.setQuestion(t,null)}}}undoing(t){let e=this.questions.get(t.id);return e?a`<div role="group" aria-label=${e}>
        <p>${e}</p>
        <div class="row">
          ${C({label:this.texts("yes"),look:"main",click:()=>this.undo(t,e)})}
          ${C({label:this.texts("no"),click:()=>this.setQuestion(t,null)})}
        </div>
      </div>`:t.can_undo?C({label:this.texts("activity.undo"),icon:"mdi:undo",look:"outlined",click:()=>this.undo(t)}):l}routine({routine:t,routine_id:e}){let s=this.texts("activity.routine",{when:t});return e?a`<a href="/sage/routines/${e}" @click=${B}>${s}</a>`:a`${s}`}told(t,e){return a`
      ${this.why(e)} ${this.changes(t,e)}
      ${e.seen?.length?a`<h3>${this.texts("activity.also")}</h3>
            <ul>
              ${e.seen.map(s=>a`<li>${s}</li>`)}
            </ul>`:l}
      <h3>${this.texts("activity.steps")}</h3>
      ${e.root.children.length?Ke(this.texts,e,s=>this.number(s,1)):a`<p class="secondary">${this.texts("activity.no_steps")}</p>`}
      ${Pt({header:this.texts("activity.technical"),content:()=>this.technical(e)})}
    `}why(t){let e=t.outcomes.filter(({kind:s})=>s==="refused"||s==="failed");return!t.confirmations.length&&!e.length?l:a`
      <h3>${this.texts("activity.why")}</h3>
      <ul>
        ${t.confirmations.map(({question:s,risks:r,result:o})=>a`<li>
            ${this.texts("activity.asked",{question:s})}
            ${r.map(c=>a`<br />${this.texts(`activity.risk.${c}`)}`)}
            <br />${this.texts(`activity.reply.${o}`)}
          </li>`)}
        ${e.map(({sentence:s})=>a`<li>${s}</li>`)}
      </ul>
    `}changes(t,e){let s=e.outcomes.filter(({kind:r})=>r!=="refused"&&r!=="failed");return a`
      <h3>${this.texts("activity.changes")}</h3>
      ${t.is_undone?a`<p>${this.texts("activity.undone_changes")}</p>`:l}
      ${s.length?a`<ul>
            ${s.map(({sentence:r})=>a`<li>${r}</li>`)}
          </ul>`:a`<p class="secondary">${this.texts("activity.no_changes")}</p>`}
    `}technical(t){let e=t.outcomes.filter(({after:s})=>Object.keys(s).length);return a`
      <p class="secondary">${this.summary(t)}</p>
      <p class="secondary">
        ${this.texts("activity.costs",{seconds:this.number(t.seconds,1),model_seconds:this.number(t.model_seconds,1)})}
        ${t.reads?this.texts.counted("activity.reads",t.reads):this.texts("activity.reads_none")}
        ${this.usage(t.usage)}
      </p>
      ${e.length?a`<h3>${this.texts("activity.values")}</h3>
            <ul>
              ${e.map(({name:s,before:r,after:o})=>a`<li>${s}: ${Us(r,o)}</li>`)}
            </ul>`:l}
      <ul class="plain steps">
        ${t.root.children.map(s=>this.step(s))}
      </ul>
    `}summary(t){let{prompt_tokens:e,completion_tokens:s}=t.usage;return this.texts("activity.summary",{seconds:this.number(t.seconds,1),calls:this.texts.counted("activity.calls",t.model_calls),tokens:this.tokens(t.usage,e+s)})}step(t){let e=[this.texts("activity.seconds",{seconds:this.number(t.seconds,1)})];t.usage&&e.push(this.usage(t.usage));let s=t.kind==="model"?Qt(this.texts,t):t.name,r=Object.keys(t.arguments).length>0;return a`<li>
      ${Pt({header:t.error?`${s} (${this.texts("activity.error")})`:s,secondary:e.join(" · "),icon:Zt(t),content:()=>a`
          ${r?a`<pre>${JSON.stringify(t.arguments,null,2)}</pre>`:l}
          ${t.children.length?a`<ul class="plain steps">
                ${t.children.map(o=>this.step(o))}
              </ul>`:l}
          ${t.result?a`<p class="secondary">${this.texts("activity.seen")}</p>
                <pre>${t.result}</pre>`:l}
        `})}
    </li>`}usage(t){return this.texts("activity.tokens",{prompt:this.tokens(t,t.prompt_tokens),cached:this.tokens(t,t.cached_tokens),written:this.tokens(t,t.completion_tokens)})}tokens(t,e){let s=this.number(e);return t.is_estimated?this.texts("activity.about",{number:s}):s}};M.styles=[v.styles,We,x`
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
    `],h([m()],M.prototype,"commands",2),h([m()],M.prototype,"hasMore",2),h([m()],M.prototype,"household",2),h([m()],M.prototype,"opened",2),h([m()],M.prototype,"trace",2),h([m()],M.prototype,"questions",2),M=h([k("sage-activity")],M);function Us(n,i){return Object.keys(i).map(t=>`${t}: ${Fe(n[t])} → ${Fe(i[t])}`).join(", ")}function Fe(n){return typeof n=="string"?n:JSON.stringify(n)??"–"}function X(n,i){return n.preventDefault(),String(new FormData(n.target).get(i)??"").trim()}var qs="/config/voice-assistants/expose",zs=["free","ask","never"],Ve=50,Ge=250,Qe="image/jpeg,image/png,image/webp",R=class extends v{constructor(){super(...arguments);this.search="";this.opened=new Map}async load(){let t=await y(this.hass,"devices/list",{start:0,count:Ve});this.exposed=t.exposed,this.entities=t.entities,this.devices??=t.devices;let e=[...t.devices];for(let r=Ve;r<t.total;r+=Ge){let o=await y(this.hass,"devices/list",{start:r,count:Ge});e.push(...o.devices)}this.devices=e;let s=this.known(e.flatMap(r=>r.kinds));this.titles=await this.hass.loadBackendTranslation("title",s)}known(t){return[...new Set(t)].filter(e=>this.hass.config.components.includes(e))}kind(t){return this.titles?.(`component.${t}.title`)||t.replace(/(?<=[a-z])(?=[A-Z])/g," ").replaceAll("_"," ")}type({id:t,summary:e,capability:s}){let r=this.hass.states[t];if(!r)return e||this.kind(s);let[o]=t.split("."),c=`component.${o}.entity_component.${r.attributes.device_class}.name`;return this.hass.localize(c)||this.kind(o)}async open(t,e){t.currentTarget.open&&!this.opened.has(e)&&await this.guarded(()=>this.read(e))}async read(t){let{language:e}=this.hass,s=await y(this.hass,"devices/get",{device:t,language:e}),r=s.components.flatMap(o=>o.commands.map(c=>Ze(c,o)[0]));this.actions=await this.hass.loadBackendTranslation("services",this.known(r)),this.opened=new Map(this.opened).set(t,s)}change(t,e){return this.guarded(async()=>{let s=await e();await this.read(t);let r=this.opened.get(t).photos;return this.devices=this.devices?.map(o=>o.id===t?{...o,photos:r}:o),s})}upload(t,e){let s=t.target,r=s.files?.[0];return s.value="",r?this.change(e,async()=>{let o=new FormData;o.append("file",r);let c=await this.hass.fetchWithAuth("/api/file_upload",{method:"POST",body:o});if(!c.ok)throw new Error(this.texts("devices.not_uploaded",{status:c.status}));let{file_id:d}=await c.json();return await y(this.hass,"devices/add_photo",{device:e,upload:d}),this.texts("devices.photo_added")}):Promise.resolve()}setCaption(t,e,s){let r=X(t,"caption");return this.change(e,async()=>(await E(this.hass,"set_photo_caption",{photo:s,caption:r}),this.texts("devices.caption_saved")))}async writeCaption(t,e,s){let r=t.currentTarget,o=this.texts("devices.write_caption_question",{model:s});await this.agrees(o,this.texts("devices.write_caption"))&&(r.disabled=!0,await this.guarded(async()=>{let{language:c}=this.hass,{caption:d}=await y(this.hass,"devices/write_caption",{photo:e,language:c});return r.form.querySelector("[name=caption]").value=d,this.texts("devices.caption_written")}),r.disabled=!1)}async deletePhoto(t,e){await this.agrees(this.texts("devices.delete_photo_question"))&&await this.change(t,async()=>(await E(this.hass,"delete_photo",{photo:e}),this.texts("devices.photo_deleted")))}setRisk(t,e,s){let r=t.target.value||null;return this.change(e,async()=>(await y(this.hass,"devices/set_risk",{entity_id:s,level:r}),this.texts("devices.level_saved")))}content(){return a`
      <div class="row">
        <h2 class="grow">${this.texts("devices.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("devices.intro")}</p>
      ${this.exposure()}
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
      <a href=${qs} @click=${B}>${this.texts("devices.expose")}</a>
    </p>`}list(){if(!this.devices)return l;let t=this.search.toLocaleLowerCase(this.hass.language).split(/\s+/).filter(Boolean),e=this.devices.filter(({name:r,area:o,kinds:c})=>{if(!t.length)return!0;let d=[r,o,...c,...c.map(p=>this.kind(p))].join(" ").toLocaleLowerCase(this.hass.language);return t.every(p=>d.includes(p))});if(!e.length)return a`<p>${this.texts(this.devices.length?"devices.none_found":"devices.none")}</p>`;let s=new Map;for(let r of e){let o=r.area??"";s.set(o,s.get(o)??[]),s.get(o).push(r)}return a`${[...s].map(([r,o])=>a`
        <h2>${r||this.texts("devices.no_area")}</h2>
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
    `}photo(t,e,s){let r=e.entity_id??"",o=this.hass.states[r]?.attributes.entity_picture,c=a`<img
      loading="lazy"
      src=${typeof o=="string"?o:l}
      alt=${e.caption||this.texts("devices.photo_of",{name:t.name})}
    />`;return s?a`
      <form @submit=${d=>this.setCaption(d,t.id,r)}>
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
                @click=${d=>this.writeCaption(d,r,t.caption_model)}
              >
                ${this.texts("devices.write_caption")}
              </button>`:l}
          <button type="button" class="danger" @click=${()=>this.deletePhoto(t.id,r)}>
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
          accept=${Qe}
          capture="environment"
          aria-label=${this.texts("devices.take_photo")}
          @change=${s=>this.upload(s,t)}
        />
        <button @click=${this.choose}>${this.texts("devices.upload_photo")}</button>
        <input
          type="file"
          accept=${Qe}
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
                    ${s.arguments.length?a`(${s.arguments.map(Ns).join(", ")})`:l}
                    <span class="secondary">${this.description(s,e)}</span>
                  </li>`)}
              </ul>`:a`<p class="secondary">${this.texts("devices.read_only")}</p>`}
      </section>
    `}description(t,e){let[s,r]=Ze(t,e);return this.actions?.(`component.${s}.services.${r}.description`)||t.description}table({id:t,attributes:e}){return a`
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
                  ${Je(s,r=>this.worded(t,s.name,r))}
                </td>
              </tr>`)}
          </tbody>
        </table>
      </div>
    `}value(t,{name:e,value:s,meaning:r,unit:o}){return s==null?"–":typeof s=="string"&&!o&&this.hass.states[t]?this.worded(t,e,s):[typeof s=="string"?s:JSON.stringify(s),o,r?`(${r})`:""].filter(Boolean).join(" ")}worded(t,e,s){let r=this.hass.states[t];return r?e==="state"?this.hass.formatEntityState(r,s):this.hass.formatEntityAttributeValue(r,e,s):s}risk(t,e,s){return a`
      <div class="row">
        <label>
          ${this.texts("devices.risk")}
          <select
            @change=${r=>this.setRisk(r,t,e.id)}
          >
            <option value="" ?selected=${s.choice===null}>
              ${this.texts("devices.level_auto",{level:this.texts(`devices.level.${s.automatic}`)})}
            </option>
            ${zs.map(r=>a`<option value=${r} ?selected=${s.choice===r}>
                ${this.texts(r==="free"?"devices.free_for_all":`devices.level.${r}`)}
              </option>`)}
          </select>
        </label>
      </div>
      <p class="secondary">
        ${this.texts(`devices.by.${s.by}`)}
        ${s.risk?this.danger(e.id,s.risk):l} ${s.reason}
      </p>
    `}danger(t,e){let[s]=t.split(".");return e==="open"&&(s==="cover"||s==="valve")?this.texts(`devices.opens.${s}`):this.texts(`activity.risk.${e}`)}};R.styles=[v.styles,x`
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
  `],h([m()],R.prototype,"devices",2),h([m()],R.prototype,"exposed",2),h([m()],R.prototype,"entities",2),h([m()],R.prototype,"search",2),h([m()],R.prototype,"titles",2),h([m()],R.prototype,"actions",2),h([m()],R.prototype,"opened",2),R=h([k("sage-devices")],R);function Ze({name:n},{capability:i}){let[t,e]=n.split(".");return e?[t,e]:[i,n]}function Je(n,i=t=>t){if(n.values.length)return n.values.map(i).join(", ");let t=[n.minimum,n.maximum].map(e=>e??"");return t.some(e=>e!=="")?t.join(" – "):""}function Ns(n){let i=Je(n);return`${n.name}${n.required?"":"?"}${i?`: ${i}`:""}`}var js=50,D=class extends v{constructor(){super(...arguments);this.pages={};this.search=""}async load(){let[t,e,s]=await Promise.all([y(this.hass,"memory/overview",{}),this.page("told"),this.restIsOpen||this.search?this.page("said"):void 0]);this.overview=t,this.found=this.search&&s?e.found+s.found:void 0,this.pages=s?{told:e,said:s}:{told:e},this.restIsOpen===void 0&&!e.memories.length&&t.total&&(this.pages={told:e,said:await this.page("said")},this.restIsOpen=!0),this.edited=void 0}page(t,e){return y(this.hass,"memory/list",{group:t,count:js,...e===void 0?{}:{before:e},...this.search?{search:this.search}:{}})}async more(t){let e=this.pages[t].memories,s=await this.page(t,e.at(-1).id);this.pages={...this.pages,[t]:{...s,memories:[...e,...s.memories]}}}toggleRest(){return this.restIsOpen=this.rest.open,this.restIsOpen&&!this.pages.said?this.guarded(async()=>{this.pages={...this.pages,said:await this.page("said")}}):Promise.resolve()}find(t){return this.search=W(t,"search"),this.search&&(this.restIsOpen=!0),this.act(async()=>{})}remember(t){let e=W(t,"text"),s=t.target;return this.act(async()=>(await E(this.hass,"remember",{text:e}),s.reset(),this.texts("memory.remembered")))}correct(t,e){let s=W(t,"text");return this.act(async()=>(await E(this.hass,"correct_memory",{id:e,text:s}),this.texts("memory.corrected")))}async forget(t,e){await this.agrees(`${e} ${this.texts("memory.forget_log")}`)&&await this.act(async()=>{let{forgotten:s}=await E(this.hass,"forget",t);return s?this.texts.counted("memory.forgotten",s):this.texts("memory.forgotten_none")})}forgetTopic(t){let e=W(t,"topic");return this.forget({topic:e},this.texts("memory.forget_topic_ask",{topic:e}))}forgetDays(t){let e=W(t,"first"),s=W(t,"last")||e;return this.forget({first_day:e,last_day:s},this.texts("memory.forget_days_ask",{first:this.day(e),last:this.day(s)}))}forgetDay(t){return this.forget({first_day:t},this.texts("memory.forget_day_ask",{day:this.day(t)}))}rebuild(){return this.guarded(async()=>{let{error:t,days_left:e}=await E(this.hass,"rebuild_profile",{});return await this.load(),t||(e?this.texts.counted("memory.rebuild_unfinished",e):this.texts(this.overview?.profile.text?"memory.rebuilt":"memory.rebuilt_none"))})}set(t){return this.act(async()=>(await E(this.hass,"set_memory",t),this.texts("memory.saved")))}setRetention(t){return this.set({retention_days:Number(W(t,"days")),request_days:Number(W(t,"requests"))})}export(){return this.guarded(async()=>{let t=await E(this.hass,"export_memory",{}),e=new Blob([JSON.stringify(t,null,2)],{type:"application/json"}),s=document.createElement("a");return s.href=URL.createObjectURL(e),s.download="sage-memory.json",s.click(),URL.revokeObjectURL(s.href),this.texts("memory.exported")})}content(){if(!this.overview)return l;let{settings:t}=this.overview;return a`
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
                  ${e.map(({date:s,text:r})=>a`<li>
                      <h3>${this.day(s)}</h3>
                      <p class="text">${r}</p>
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
      <form class="row" role="search" @submit=${rt(this.find)}>
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
        ${this.overview.settings.enabled?a`<form class="row" @submit=${rt(this.remember)}>
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
        ${I(s.memories,r=>r.id,r=>a`<li class="card">${this.card(r)}</li>`)}
      </ul>
      ${s.has_more?a`<button @click=${()=>this.guarded(()=>this.more(t))}>
            ${this.texts("more")}
          </button>`:l}
    `:this.found===void 0?a`<p>${e}</p>`:l:l}card(t){if(t.id===this.edited)return a`<form
        class="row"
        @submit=${rt(s=>this.correct(s,t.id))}
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
          <form class="row" @submit=${rt(this.forgetTopic)}>
            <input
              class="grow"
              name="topic"
              required
              aria-label=${this.texts("memory.topic_label")}
              placeholder=${this.texts("memory.topic_label")}
            />
            <button>${this.texts("memory.forget_topic")}</button>
          </form>
          <form class="row" @submit=${rt(this.forgetDays)}>
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
          <form class="row" @submit=${rt(this.setRetention)}>
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
    `}};h([m()],D.prototype,"overview",2),h([m()],D.prototype,"pages",2),h([m()],D.prototype,"search",2),h([m()],D.prototype,"found",2),h([m()],D.prototype,"restIsOpen",2),h([m()],D.prototype,"edited",2),h([ye("#rest")],D.prototype,"rest",2),D=h([k("sage-memory")],D);function rt(n){return function(i){i.preventDefault(),n.call(this,i)}}function W(n,i){return String(new FormData(n.target).get(i)??"").trim()}var ot=1e3;function Ye(n,i,t){let e=Date.parse(n.since),s=o=>Math.max(0,Math.min(1,(new Date(o).getTime()-e)/864e5))*ot,r=[0,6,12,18,24].map(o=>e+o*36e5);return a`
    <svg class="day" viewBox="0 0 ${ot} 32" preserveAspectRatio="none" role="img" aria-label=${t}>
      <rect class="empty" y="10" width=${ot} height="12" rx="4" />
      ${n.true.map(([o,c])=>st`<rect class="so" y="10" height="12" x=${s(o)} width=${Math.max(3,s(c)-s(o))} />`)}
      ${n.moments.map(o=>st`<rect class="moment" y="2" height="28" width="3" x=${s(o)-1} />`)}
    </svg>
    <div class="hours" aria-hidden="true">
      ${r.map(o=>a`<span>${i(new Date(o).toISOString())}</span>`)}
    </div>
  `}var gt=60,Is=60;function Xe(n,i,t){let e=Math.max(...n.map(({value:c})=>c),0);if(!e)return l;let s=new Map(n.map(({day:c,value:d})=>[c,d])),r=i.slice(-Is),o=ot/r.length;return a`
    <svg class="bars" viewBox="0 0 ${ot} ${gt}" preserveAspectRatio="none" role="img" aria-label=${t}>
      <line class="axis" x1="0" x2=${ot} y1=${gt-.5} y2=${gt-.5} />
      ${r.map((c,d)=>{let p=(s.get(c)??0)/e*(gt-4);return st`<rect class="so" x=${d*o+o*.1} width=${o*.8} y=${gt-p} height=${p} />`})}
    </svg>
  `}var Dt=30,Bs="/config/integrations/integration/sage",Ks=1e6,Ws=["calls","tokens","cost","seconds"],ts=["input","cached","output"],F=class extends v{constructor(){super(...arguments);this.currency=""}async load(){let t=await y(this.hass,"models/list",{days:Dt});this.settings=await this.hass.loadBackendTranslation("selector","sage"),this.agents=t.agents,this.currency=t.currency}setPrice(t,e){let s={};for(let r of ts){let o=X(t,r);o&&(s[r]=Number(o))}return this.act(async()=>(await y(this.hass,"models/set_price",{agent:e,...s}),this.texts("models.price_saved")))}content(){return a`
      <div class="row">
        <h2 class="grow">${this.texts("models.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("models.intro")}</p>
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
        <a href=${Bs} @click=${B}>${this.texts("models.change")}</a>
      </p>
      <p class="secondary">
        ${this.texts("models.formats",{format:this.format(t.format),formats:t.formats.map(e=>this.format(e)).join(", ")})}
      </p>
      ${t.days.length?this.usage(t):a`<p>${this.texts("models.unused")}</p>`}
      ${this.prices(t)}
    `}format(t){return this.settings?.(`component.sage.selector.decision_format.options.${t}`)||t}usage(t){let e=this.lastDays(),s=Ws.filter(r=>r!=="cost"||t.price);return a`
      <div class="charts">
        ${s.map(r=>{let o=t.days.map(p=>({day:p.day,value:es(p,r,t.price)})),c=this.shown(r,o.reduce((p,{value:f})=>p+f,0)),d=this.texts(`models.${r}`,{total:c,days:Dt});return a`<div>
            <h4>${d}</h4>
            ${Xe(o,e,d)}
          </div>`})}
      </div>
      <details>
        <summary>${this.texts("models.by_day")}</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">${this.texts("models.day")}</th>
                ${s.map(r=>a`<th scope="col">${this.texts(`models.column.${r}`)}</th>`)}
                <th scope="col">${this.texts("models.column.failed")}</th>
              </tr>
            </thead>
            <tbody>
              ${[...t.days].reverse().map(r=>a`<tr>
                  <th scope="row">${this.day(r.day)}</th>
                  ${s.map(o=>a`<td>${this.shown(o,es(r,o,t.price))}</td>`)}
                  <td>${this.number(r.failed)}</td>
                </tr>`)}
            </tbody>
          </table>
        </div>
        <p class="secondary">${this.texts("models.failed")}</p>
      </details>
    `}lastDays(){let t=new Intl.DateTimeFormat("en-CA",{timeZone:this.hass.config.time_zone}),e=Date.now();return Array.from({length:Dt},(s,r)=>t.format(e-(Dt-1-r)*864e5))}shown(t,e){return t==="cost"?e.toLocaleString(this.hass.language,{style:"currency",currency:this.currency,maximumFractionDigits:4}):this.number(e,t==="seconds"?1:0)}prices(t){return a`
      <details>
        <summary>${this.texts("models.prices",{currency:this.currency})}</summary>
        <p class="secondary">${this.texts("models.prices_info")}</p>
        <form class="row" @submit=${e=>this.setPrice(e,t.id)}>
          ${ts.map(e=>a`<label>
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
    `}};F.styles=[v.styles,Mt,x`
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
  `],h([m()],F.prototype,"agents",2),h([m()],F.prototype,"currency",2),h([m()],F.prototype,"settings",2),F=h([k("sage-models")],F);function es(n,i,t){switch(i){case"tokens":return n.prompt_tokens+n.completion_tokens;case"cost":return Fs(n,t??{});default:return n[i]}}function Fs(n,{input:i=0,cached:t=i,output:e=0}){return((n.prompt_tokens-n.cached_tokens)*i+n.cached_tokens*t+n.completion_tokens*e)/Ks}var Vs="and as assert break class continue def del elif else except finally for from if import in is lambda not or pass raise return try while with True False None",Gs=new RegExp(["(?<comment>#.*)",`(?<string>"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')`,`(?<keyword>\\b(?:${Vs.split(" ").join("|")})\\b)`,"(?<number>\\b\\d[\\d_.]*\\b)","(?<call>\\b[A-Za-z_]\\w*(?=\\())"].join("|"),"g");function Qs(n){let i=[],t=0;for(let e of n.matchAll(Gs)){let[s]=Object.entries(e.groups??{}).find(([,r])=>r!==void 0);i.push(n.slice(t,e.index),a`<span class=${s}>${e[0]}</span>`),t=e.index+e[0].length}return[...i,n.slice(t)]}var tt=class extends A{constructor(){super(...arguments);this.value="";this.label=""}render(){return a`<pre role="group" tabindex="0" aria-label=${this.label}>${Qs(this.value)}</pre>`}};tt.styles=[Ot,x`
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
    `],h([w()],tt.prototype,"value",2),h([w()],tt.prototype,"label",2),tt=h([k("sage-code")],tt);var Zs=20;function Yt(n,{kind:i,line:t,detail:e}){return a`
    ${t?n("routines.line",{line:t}):l} ${n(`routines.fault.${i}`)}
    ${e?a`<code lang="en">${e}</code>`:l}
  `}function ss(n,i,t){return a`
    <div class="test" role="status">
      <p>${i.error?Yt(n,i.error):Js(n,i)}</p>
      ${i.reads?.length?a`<ul>
            ${i.reads.map(e=>a`<li>
                <code
                  >${e.function}(${e.arguments.map(s=>JSON.stringify(s)).join(", ")})</code
                >
                =
                <code>${e.is_unknown?"?":e.error??JSON.stringify(e.value)}</code>
              </li>`)}
          </ul>`:l}
      ${Ys(n,i.last_24_hours,t)}
    </div>
  `}function Js(n,{value:i}){return n(i===null?"routines.now_unknown":i?"routines.is_true":"routines.is_false")}function Ys(n,i,t){if("problem"in i)return a`<p class="secondary">${n(`routines.problem.${i.problem}`)}</p>`;let e=i.true.map(([r,o])=>`${t(r)} – ${t(o)}`),s=n("routines.day",{times:e.length?e.slice(0,Zs).join(", "):n("routines.never")});return a`
    <h3>${n("routines.last_day")}</h3>
    ${Ye({since:i.since,true:i.true,moments:i.would_have_fired},t,s)}
    <p class="secondary">
      ${n("routines.would_have_fired",{count:i.would_have_fired.length})}
    </p>
  `}var Xs=1e4,S=new Map,P=class extends v{constructor(){super(...arguments);this.others=[];this.questions=[];this.agent=null;this.unreadable=0;this.opened=new Map;this.tests=new Map;this.timer=0}connectedCallback(){super.connectedCallback(),this.timer=window.setInterval(()=>{!document.hidden&&this.routines&&this.load().catch(()=>{})},Xs)}firstUpdated(t){this.loaded?.then(()=>this.showLinked());for(let{answer:e}of S.values())e&&this.act(()=>e)}async showLinked(){if(!this.path||!this.routines)return;await this.updateComplete;let t=this.renderRoot.querySelector(".linked");if(!t){await this.guarded(async()=>this.texts("routines.gone"));return}t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer)}async load(){let t=await y(this.hass,"routines/list",this.wording);this.routines=t.routines,this.others=t.others,this.questions=t.questions,this.agent=t.agent,this.unreadable=t.unreadable}async open(t,e){t.currentTarget.open&&!this.opened.has(e)&&await this.guarded(()=>this.read(e))}get wording(){return{language:this.hass.language,has_twelve_hours:Et(this.hass)}}async read(t){let e={routine:t,...this.wording},s=await y(this.hass,"routines/get",e);this.opened=new Map(this.opened).set(t,s)}test(t){return this.guarded(async()=>{let e=await E(this.hass,"test_routine",{routine:t});this.tests=new Map(this.tests).set(t,e)})}pause(t){let e=t.status==="watching"?"pause_routine":"resume_routine";return this.act(async()=>{await E(this.hass,e,{routine:t.id})})}async delete(t,e){await this.agrees(this.texts("routines.delete_question",{routine:e}))&&await this.act(async()=>(await E(this.hass,"delete_routine",{routine:t.id}),this.texts("routines.deleted")))}answer(t,e){return this.act(async()=>(await ze(this.hass,t.routine,e),this.questions=this.questions.filter(({id:s})=>s!==t.id),this.texts("routines.answered")))}speak(t,e){let s=X(t,"words"),r=S.get(e)??{conversation:null,reply:"",words:s};if(r.answer)return Promise.resolve();let o=this.answerTo(e,{...r,words:s});return S.set(e,{...r,words:s,answer:o}),this.act(()=>o)}async answerTo(t,e){S.set(t,e);let s=new Set(this.routines?.map(({id:r})=>r));try{let{response:r,conversation_id:o}=await this.hass.callWS({type:"conversation/process",text:e.words,agent_id:this.agent,conversation_id:e.conversation,language:this.hass.language}),c=r.speech.plain?.speech??"";return await this.load(),this.routines.some(({id:d})=>!s.has(d))?(e.replaces&&await E(this.hass,"delete_routine",{routine:e.replaces}),S.delete(t),c):(S.set(t,{...e,conversation:o,reply:c,words:""}),"")}catch(r){throw S.set(t,e),r}}edit({id:t,request:e}){S.set(t,{replaces:t,conversation:null,reply:"",words:e}),this.requestUpdate()}cancel(t){S.delete(t),this.requestUpdate()}content(){return a`
      <div class="row">
        <h2 class="grow">${this.texts("routines.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("routines.intro")}</p>
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
    </ul>`:a`<p>${this.texts("routines.none")}</p>`:l}zone(){let{time_zone:t}=this.hass.config,e=mt(this.hass)??Intl.DateTimeFormat().resolvedOptions().timeZone;return e===t?l:a`<p class="secondary">${this.texts("routines.zone",{home:t,own:e})}</p>`}card(t){let e=this.questions.filter(({routine:r})=>r===t.id),s=this.tests.get(t.id);return a`
      <p class="secondary">
        ${this.texts("routines.number",{number:t.number})} ·
        <span class="status">${this.status(t)}</span>
        ${t.is_household?a` · ${this.texts("routines.household")}`:l}
      </p>
      <h3>${t.says}</h3>
      ${t.request?a`<p class="secondary">
            ${this.texts("routines.request",{words:t.request})}
          </p>`:l}
      ${e.map(r=>this.asked(r))}
      ${this.does(t)}
      <p class="secondary">${this.times(t)}</p>
      ${t.trouble?a`<p class="error">${Yt(this.texts,t.trouble)}</p>`:l}
      ${S.has(t.id)?this.words(t.id):l}
      <div class="row">
        ${t.is_household?l:this.ownButtons(t)} ${this.buttons(t)}
      </div>
      ${s?ss(this.texts,s,r=>this.clock(r)):l}
      ${is(t)?a`<details @toggle=${r=>this.open(r,t.id)}>
            <summary>${this.texts("routines.details")}</summary>
            ${this.opened.has(t.id)?this.details(this.opened.get(t.id)):l}
          </details>`:l}
    `}ownButtons(t){return a`
      ${is(t)?a`<button @click=${()=>this.test(t.id)}>${this.texts("routines.test")}</button>`:l}
      ${this.agent&&!S.has(t.id)?a`<button @click=${()=>this.edit(t)}>${this.texts("routines.edit")}</button>`:l}
    `}buttons(t){let e=t.says??this.texts("routines.number",{number:t.number});return a`
      ${t.status==="ended"?l:a`<button @click=${()=>this.pause(t)}>
            ${this.texts(t.status==="watching"?"routines.pause":"routines.resume")}
          </button>`}
      <button class="danger" @click=${()=>this.delete(t,e)}>
        ${this.texts("delete")}
      </button>
    `}status(t){return this.texts(`routines.status.${t.status}`)}times(t){let e=[this.texts("routines.fired",{count:t.fired})];if(t.last_fired&&e.push(this.texts("routines.last",{time:this.dateTime(t.last_fired)})),t.status==="paused"&&t.paused_until)e.push(this.texts("routines.until",{time:this.dateTime(t.paused_until)}));else if(t.next_check&&t.status==="watching"){let s=t.is_true===null?"routines.next":"routines.next_check";e.push(this.texts(s,{time:this.dateTime(t.next_check)}))}return t.is_true!==null&&t.status==="watching"&&e.push(this.texts(t.is_true?"routines.is_true":"routines.is_false")),e.join(" · ")}does({does:t,action:e}){return t&&"commands"in t?a`<ul>
        ${t.commands.map(({device:s,command:r,arguments:o})=>a`<li><strong>${s}</strong>: <code>${r}</code> ${ti(o)}</li>`)}
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
          @submit=${r=>this.answer(t,X(r,"answer"))}
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
    `}strangeQuestions(){let t=new Set(this.routines?.map(({id:e})=>e));return this.questions.filter(({routine:e})=>!t.has(e)).map(e=>a`<section class="card">${this.asked(e)}</section>`)}words(t){let e=S.get(t),s=!!e?.answer,r=this.texts(e?.reply?"routines.your_answer":t?"routines.new_words":"routines.sentence");return a`
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
          aria-label=${r}
          placeholder=${r}
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
    `:l}};P.styles=[v.styles,Mt,x`
    .status { font-weight: 500; }
    .linked { outline: 2px solid var(--primary-color); }
    .replaced { opacity: 0.6; }
  `],h([m()],P.prototype,"routines",2),h([m()],P.prototype,"others",2),h([m()],P.prototype,"questions",2),h([m()],P.prototype,"agent",2),h([m()],P.prototype,"unreadable",2),h([m()],P.prototype,"opened",2),h([m()],P.prototype,"tests",2),P=h([k("sage-routines")],P);function is({interval:n}){return n!==void 0}function ti(n){return Object.entries(n).map(([i,t])=>`${i}: ${JSON.stringify(t)}`).join(", ")}var ei=[{path:"activity",icon:"mdi:history"},{path:"routines",icon:"mdi:calendar-clock"},{path:"memory",icon:"mdi:brain"},{path:"devices",icon:"mdi:devices"},{path:"models",icon:"mdi:chart-bar",needsAdmin:!0}],H=class extends A{constructor(){super(...arguments);this.narrow=!1;this.parts=0;this.language=""}willUpdate(t){t.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,this.prepare(this.hass))}async prepare(t){[this.texts]=await Promise.all([Oe(t),Ae()]),await Gt(),this.parts+=1}get tabs(){return ei.filter(t=>!t.needsAdmin||this.hass?.user.is_admin)}render(){if(!this.hass||!this.route)return l;let[t,...e]=this.route.path.split("/").filter(Boolean),s=this.tabs.find(r=>r.path===t)??this.tabs[0];return a`
      ${this.texts?this.header(this.texts,s):l}
      <main>${this.view(s,e.join("/"))}</main>
    `}header(t,e){return a`
      <header>
        ${customElements.get("ha-menu-button")?a`<ha-menu-button .hass=${this.hass} .narrow=${this.narrow}></ha-menu-button>`:a`<button class="menu" aria-label=${t("menu")} @click=${this.toggleMenu}>
              ☰
            </button>`}
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs.map(s=>a`<a
              href="${this.route.prefix}/${s.path}"
              aria-current=${s===e?"page":l}
              @click=${B}
              >${T(s.icon)}<span>${t(`tabs.${s.path}`)}</span></a
            >`)}
        </nav>
      </header>
    `}view(t,e){let s=_e(`sage-${t.path}`);return we`<${s} .hass=${this.hass} .texts=${this.texts} .path=${e} .parts=${this.parts} .narrow=${this.narrow}></${s}>`}toggleMenu(){this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))}};H.styles=x`
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
    header::after {
      /* Keeps the tabs in the middle, as on Home Assistant's pages. */
      content: "";
      flex: 1 1 0;
    }
    nav a {
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
    nav a[aria-current] {
      border-color: var(--primary-color);
      color: var(--primary-color);
    }
    nav a[aria-current] span {
      /* As dark as small text has to be. */
      color: color-mix(in srgb, var(--primary-color) 65%, var(--primary-text-color));
    }
    nav a:hover {
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
  `,h([w({attribute:!1})],H.prototype,"hass",2),h([w({type:Boolean,reflect:!0})],H.prototype,"narrow",2),h([w({attribute:!1})],H.prototype,"route",2),h([m()],H.prototype,"texts",2),h([m()],H.prototype,"parts",2),H=h([k("sage-panel")],H);export{H as Panel};
