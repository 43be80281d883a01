var Pe=Object.defineProperty;var Ce=Object.getOwnPropertyDescriptor;var h=(r,s,t,e)=>{for(var i=e>1?void 0:e?Ce(s,t):s,o=r.length-1,n;o>=0;o--)(n=r[o])&&(i=(e?n(s,t,i):n(i))||i);return e&&i&&Pe(s,t,i),i};/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var ct=globalThis,dt=ct.ShadowRoot&&(ct.ShadyCSS===void 0||ct.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Et=Symbol(),Nt=new WeakMap,et=class{constructor(s,t,e){if(this._$cssResult$=!0,e!==Et)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=s,this.t=t}get styleSheet(){let s=this.o,t=this.t;if(dt&&s===void 0){let e=t!==void 0&&t.length===1;e&&(s=Nt.get(t)),s===void 0&&((this.o=s=new CSSStyleSheet).replaceSync(this.cssText),e&&Nt.set(t,s))}return s}toString(){return this.cssText}},zt=r=>new et(typeof r=="string"?r:r+"",void 0,Et),w=(r,...s)=>{let t=r.length===1?r[0]:s.reduce((e,i,o)=>e+(n=>{if(n._$cssResult$===!0)return n.cssText;if(typeof n=="number")return n;throw Error("Value passed to 'css' function must be a 'css' function result: "+n+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+r[o+1],r[0]);return new et(t,r,Et)},Bt=(r,s)=>{if(dt)r.adoptedStyleSheets=s.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of s){let e=document.createElement("style"),i=ct.litNonce;i!==void 0&&e.setAttribute("nonce",i),e.textContent=t.cssText,r.appendChild(e)}},St=dt?r=>r:r=>r instanceof CSSStyleSheet?(s=>{let t="";for(let e of s.cssRules)t+=e.cssText;return zt(t)})(r):r;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:Me,defineProperty:Oe,getOwnPropertyDescriptor:Le,getOwnPropertyNames:De,getOwnPropertySymbols:He,getPrototypeOf:Ue}=Object,ht=globalThis,It=ht.trustedTypes,qe=It?It.emptyScript:"",je=ht.reactiveElementPolyfillSupport,st=(r,s)=>r,it={toAttribute(r,s){switch(s){case Boolean:r=r?qe:null;break;case Object:case Array:r=r==null?r:JSON.stringify(r)}return r},fromAttribute(r,s){let t=r;switch(s){case Boolean:t=r!==null;break;case Number:t=r===null?null:Number(r);break;case Object:case Array:try{t=JSON.parse(r)}catch{t=null}}return t}},ut=(r,s)=>!Me(r,s),Wt={attribute:!0,type:String,converter:it,reflect:!1,useDefault:!1,hasChanged:ut};Symbol.metadata??=Symbol("metadata"),ht.litPropertyMetadata??=new WeakMap;var O=class extends HTMLElement{static addInitializer(s){this._$Ei(),(this.l??=[]).push(s)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(s,t=Wt){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(s)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(s,t),!t.noAccessor){let e=Symbol(),i=this.getPropertyDescriptor(s,e,t);i!==void 0&&Oe(this.prototype,s,i)}}static getPropertyDescriptor(s,t,e){let{get:i,set:o}=Le(this.prototype,s)??{get(){return this[t]},set(n){this[t]=n}};return{get:i,set(n){let c=i?.call(this);o?.call(this,n),this.requestUpdate(s,c,e)},configurable:!0,enumerable:!0}}static getPropertyOptions(s){return this.elementProperties.get(s)??Wt}static _$Ei(){if(this.hasOwnProperty(st("elementProperties")))return;let s=Ue(this);s.finalize(),s.l!==void 0&&(this.l=[...s.l]),this.elementProperties=new Map(s.elementProperties)}static finalize(){if(this.hasOwnProperty(st("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(st("properties"))){let t=this.properties,e=[...De(t),...He(t)];for(let i of e)this.createProperty(i,t[i])}let s=this[Symbol.metadata];if(s!==null){let t=litPropertyMetadata.get(s);if(t!==void 0)for(let[e,i]of t)this.elementProperties.set(e,i)}this._$Eh=new Map;for(let[t,e]of this.elementProperties){let i=this._$Eu(t,e);i!==void 0&&this._$Eh.set(i,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(s){let t=[];if(Array.isArray(s)){let e=new Set(s.flat(1/0).reverse());for(let i of e)t.unshift(St(i))}else s!==void 0&&t.push(St(s));return t}static _$Eu(s,t){let e=t.attribute;return e===!1?void 0:typeof e=="string"?e:typeof s=="string"?s.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(s=>this.enableUpdating=s),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(s=>s(this))}addController(s){(this._$EO??=new Set).add(s),this.renderRoot!==void 0&&this.isConnected&&s.hostConnected?.()}removeController(s){this._$EO?.delete(s)}_$E_(){let s=new Map,t=this.constructor.elementProperties;for(let e of t.keys())this.hasOwnProperty(e)&&(s.set(e,this[e]),delete this[e]);s.size>0&&(this._$Ep=s)}createRenderRoot(){let s=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Bt(s,this.constructor.elementStyles),s}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(s=>s.hostConnected?.())}enableUpdating(s){}disconnectedCallback(){this._$EO?.forEach(s=>s.hostDisconnected?.())}attributeChangedCallback(s,t,e){this._$AK(s,e)}_$ET(s,t){let e=this.constructor.elementProperties.get(s),i=this.constructor._$Eu(s,e);if(i!==void 0&&e.reflect===!0){let o=(e.converter?.toAttribute!==void 0?e.converter:it).toAttribute(t,e.type);this._$Em=s,o==null?this.removeAttribute(i):this.setAttribute(i,o),this._$Em=null}}_$AK(s,t){let e=this.constructor,i=e._$Eh.get(s);if(i!==void 0&&this._$Em!==i){let o=e.getPropertyOptions(i),n=typeof o.converter=="function"?{fromAttribute:o.converter}:o.converter?.fromAttribute!==void 0?o.converter:it;this._$Em=i;let c=n.fromAttribute(t,o.type);this[i]=c??this._$Ej?.get(i)??c,this._$Em=null}}requestUpdate(s,t,e,i=!1,o){if(s!==void 0){let n=this.constructor;if(i===!1&&(o=this[s]),e??=n.getPropertyOptions(s),!((e.hasChanged??ut)(o,t)||e.useDefault&&e.reflect&&o===this._$Ej?.get(s)&&!this.hasAttribute(n._$Eu(s,e))))return;this.C(s,t,e)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(s,t,{useDefault:e,reflect:i,wrapped:o},n){e&&!(this._$Ej??=new Map).has(s)&&(this._$Ej.set(s,n??t??this[s]),o!==!0||n!==void 0)||(this._$AL.has(s)||(this.hasUpdated||e||(t=void 0),this._$AL.set(s,t)),i===!0&&this._$Em!==s&&(this._$Eq??=new Set).add(s))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let s=this.scheduleUpdate();return s!=null&&await s,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,o]of this._$Ep)this[i]=o;this._$Ep=void 0}let e=this.constructor.elementProperties;if(e.size>0)for(let[i,o]of e){let{wrapped:n}=o,c=this[i];n!==!0||this._$AL.has(i)||c===void 0||this.C(i,void 0,o,c)}}let s=!1,t=this._$AL;try{s=this.shouldUpdate(t),s?(this.willUpdate(t),this._$EO?.forEach(e=>e.hostUpdate?.()),this.update(t)):this._$EM()}catch(e){throw s=!1,this._$EM(),e}s&&this._$AE(t)}willUpdate(s){}_$AE(s){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(s)),this.updated(s)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(s){return!0}update(s){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(s){}firstUpdated(s){}};O.elementStyles=[],O.shadowRootOptions={mode:"open"},O[st("elementProperties")]=new Map,O[st("finalized")]=new Map,je?.({ReactiveElement:O}),(ht.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Pt=globalThis,Kt=r=>r,pt=Pt.trustedTypes,Vt=pt?pt.createPolicy("lit-html",{createHTML:r=>r}):void 0,Ct="$lit$",L=`lit$${Math.random().toFixed(9).slice(2)}$`,Mt="?"+L,Ne=`<${Mt}>`,V=document,ot=()=>V.createComment(""),nt=r=>r===null||typeof r!="object"&&typeof r!="function",Ot=Array.isArray,Yt=r=>Ot(r)||typeof r?.[Symbol.iterator]=="function",Rt=`[ 	
\f\r]`,rt=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ft=/-->/g,Gt=/>/g,W=RegExp(`>|${Rt}(?:([^\\s"'>=/]+)(${Rt}*=${Rt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Jt=/'/g,Zt=/"/g,Xt=/^(?:script|style|textarea|title)$/i,Lt=r=>(s,...t)=>({_$litType$:r,strings:s,values:t}),a=Lt(1),Q=Lt(2),te=Lt(3),D=Symbol.for("lit-noChange"),l=Symbol.for("lit-nothing"),Qt=new WeakMap,K=V.createTreeWalker(V,129);function ee(r,s){if(!Ot(r)||!r.hasOwnProperty("raw"))throw Error("invalid template strings array");return Vt!==void 0?Vt.createHTML(s):s}var se=(r,s)=>{let t=r.length-1,e=[],i,o=s===2?"<svg>":s===3?"<math>":"",n=rt;for(let c=0;c<t;c++){let d=r[c],u,y,p=-1,f=0;for(;f<d.length&&(n.lastIndex=f,y=n.exec(d),y!==null);)f=n.lastIndex,n===rt?y[1]==="!--"?n=Ft:y[1]!==void 0?n=Gt:y[2]!==void 0?(Xt.test(y[2])&&(i=RegExp("</"+y[2],"g")),n=W):y[3]!==void 0&&(n=W):n===W?y[0]===">"?(n=i??rt,p=-1):y[1]===void 0?p=-2:(p=n.lastIndex-y[2].length,u=y[1],n=y[3]===void 0?W:y[3]==='"'?Zt:Jt):n===Zt||n===Jt?n=W:n===Ft||n===Gt?n=rt:(n=W,i=void 0);let v=n===W&&r[c+1].startsWith("/>")?" ":"";o+=n===rt?d+Ne:p>=0?(e.push(u),d.slice(0,p)+Ct+d.slice(p)+L+v):d+L+(p===-2?c:v)}return[ee(r,o+(r[t]||"<?>")+(s===2?"</svg>":s===3?"</math>":"")),e]},at=class r{constructor({strings:s,_$litType$:t},e){let i;this.parts=[];let o=0,n=0,c=s.length-1,d=this.parts,[u,y]=se(s,t);if(this.el=r.createElement(u,e),K.currentNode=this.el.content,t===2||t===3){let p=this.el.content.firstChild;p.replaceWith(...p.childNodes)}for(;(i=K.nextNode())!==null&&d.length<c;){if(i.nodeType===1){if(i.hasAttributes())for(let p of i.getAttributeNames())if(p.endsWith(Ct)){let f=y[n++],v=i.getAttribute(p).split(L),b=/([.?@])?(.*)/.exec(f);d.push({type:1,index:o,name:b[2],strings:v,ctor:b[1]==="."?gt:b[1]==="?"?vt:b[1]==="@"?ft:G}),i.removeAttribute(p)}else p.startsWith(L)&&(d.push({type:6,index:o}),i.removeAttribute(p));if(Xt.test(i.tagName)){let p=i.textContent.split(L),f=p.length-1;if(f>0){i.textContent=pt?pt.emptyScript:"";for(let v=0;v<f;v++)i.append(p[v],ot()),K.nextNode(),d.push({type:2,index:++o});i.append(p[f],ot())}}}else if(i.nodeType===8)if(i.data===Mt)d.push({type:2,index:o});else{let p=-1;for(;(p=i.data.indexOf(L,p+1))!==-1;)d.push({type:7,index:o}),p+=L.length-1}o++}}static createElement(s,t){let e=V.createElement("template");return e.innerHTML=s,e}};function F(r,s,t=r,e){if(s===D)return s;let i=e!==void 0?t._$Co?.[e]:t._$Cl,o=nt(s)?void 0:s._$litDirective$;return i?.constructor!==o&&(i?._$AO?.(!1),o===void 0?i=void 0:(i=new o(r),i._$AT(r,t,e)),e!==void 0?(t._$Co??=[])[e]=i:t._$Cl=i),i!==void 0&&(s=F(r,i._$AS(r,s.values),i,e)),s}var mt=class{constructor(s,t){this._$AV=[],this._$AN=void 0,this._$AD=s,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(s){let{el:{content:t},parts:e}=this._$AD,i=(s?.creationScope??V).importNode(t,!0);K.currentNode=i;let o=K.nextNode(),n=0,c=0,d=e[0];for(;d!==void 0;){if(n===d.index){let u;d.type===2?u=new Z(o,o.nextSibling,this,s):d.type===1?u=new d.ctor(o,d.name,d.strings,this,s):d.type===6&&(u=new yt(o,this,s)),this._$AV.push(u),d=e[++c]}n!==d?.index&&(o=K.nextNode(),n++)}return K.currentNode=V,i}p(s){let t=0;for(let e of this._$AV)e!==void 0&&(e.strings!==void 0?(e._$AI(s,e,t),t+=e.strings.length-2):e._$AI(s[t])),t++}},Z=class r{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(s,t,e,i){this.type=2,this._$AH=l,this._$AN=void 0,this._$AA=s,this._$AB=t,this._$AM=e,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let s=this._$AA.parentNode,t=this._$AM;return t!==void 0&&s?.nodeType===11&&(s=t.parentNode),s}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(s,t=this){s=F(this,s,t),nt(s)?s===l||s==null||s===""?(this._$AH!==l&&this._$AR(),this._$AH=l):s!==this._$AH&&s!==D&&this._(s):s._$litType$!==void 0?this.$(s):s.nodeType!==void 0?this.T(s):Yt(s)?this.k(s):this._(s)}O(s){return this._$AA.parentNode.insertBefore(s,this._$AB)}T(s){this._$AH!==s&&(this._$AR(),this._$AH=this.O(s))}_(s){this._$AH!==l&&nt(this._$AH)?this._$AA.nextSibling.data=s:this.T(V.createTextNode(s)),this._$AH=s}$(s){let{values:t,_$litType$:e}=s,i=typeof e=="number"?this._$AC(s):(e.el===void 0&&(e.el=at.createElement(ee(e.h,e.h[0]),this.options)),e);if(this._$AH?._$AD===i)this._$AH.p(t);else{let o=new mt(i,this),n=o.u(this.options);o.p(t),this.T(n),this._$AH=o}}_$AC(s){let t=Qt.get(s.strings);return t===void 0&&Qt.set(s.strings,t=new at(s)),t}k(s){Ot(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,e,i=0;for(let o of s)i===t.length?t.push(e=new r(this.O(ot()),this.O(ot()),this,this.options)):e=t[i],e._$AI(o),i++;i<t.length&&(this._$AR(e&&e._$AB.nextSibling,i),t.length=i)}_$AR(s=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);s!==this._$AB;){let e=Kt(s).nextSibling;Kt(s).remove(),s=e}}setConnected(s){this._$AM===void 0&&(this._$Cv=s,this._$AP?.(s))}},G=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(s,t,e,i,o){this.type=1,this._$AH=l,this._$AN=void 0,this.element=s,this.name=t,this._$AM=i,this.options=o,e.length>2||e[0]!==""||e[1]!==""?(this._$AH=Array(e.length-1).fill(new String),this.strings=e):this._$AH=l}_$AI(s,t=this,e,i){let o=this.strings,n=!1;if(o===void 0)s=F(this,s,t,0),n=!nt(s)||s!==this._$AH&&s!==D,n&&(this._$AH=s);else{let c=s,d,u;for(s=o[0],d=0;d<o.length-1;d++)u=F(this,c[e+d],t,d),u===D&&(u=this._$AH[d]),n||=!nt(u)||u!==this._$AH[d],u===l?s=l:s!==l&&(s+=(u??"")+o[d+1]),this._$AH[d]=u}n&&!i&&this.j(s)}j(s){s===l?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,s??"")}},gt=class extends G{constructor(){super(...arguments),this.type=3}j(s){this.element[this.name]=s===l?void 0:s}},vt=class extends G{constructor(){super(...arguments),this.type=4}j(s){this.element.toggleAttribute(this.name,!!s&&s!==l)}},ft=class extends G{constructor(s,t,e,i,o){super(s,t,e,i,o),this.type=5}_$AI(s,t=this){if((s=F(this,s,t,0)??l)===D)return;let e=this._$AH,i=s===l&&e!==l||s.capture!==e.capture||s.once!==e.once||s.passive!==e.passive,o=s!==l&&(e===l||i);i&&this.element.removeEventListener(this.name,this,e),o&&this.element.addEventListener(this.name,this,s),this._$AH=s}handleEvent(s){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,s):this._$AH.handleEvent(s)}},yt=class{constructor(s,t,e){this.element=s,this.type=6,this._$AN=void 0,this._$AM=t,this.options=e}get _$AU(){return this._$AM._$AU}_$AI(s){F(this,s)}},ie={M:Ct,P:L,A:Mt,C:1,L:se,R:mt,D:Yt,V:F,I:Z,H:G,N:vt,U:ft,B:gt,F:yt},ze=Pt.litHtmlPolyfillSupport;ze?.(at,Z),(Pt.litHtmlVersions??=[]).push("3.3.3");var re=(r,s,t)=>{let e=t?.renderBefore??s,i=e._$litPart$;if(i===void 0){let o=t?.renderBefore??null;e._$litPart$=i=new Z(s.insertBefore(ot(),o),o,void 0,t??{})}return i._$AI(r),i};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Dt=globalThis,E=class extends O{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let s=super.createRenderRoot();return this.renderOptions.renderBefore??=s.firstChild,s}update(s){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(s),this._$Do=re(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return D}};E._$litElement$=!0,E.finalized=!0,Dt.litElementHydrateSupport?.({LitElement:E});var Be=Dt.litElementPolyfillSupport;Be?.({LitElement:E});(Dt.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var k=r=>(s,t)=>{t!==void 0?t.addInitializer(()=>{customElements.define(r,s)}):customElements.define(r,s)};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Ie={attribute:!0,type:String,converter:it,reflect:!1,hasChanged:ut},We=(r=Ie,s,t)=>{let{kind:e,metadata:i}=t,o=globalThis.litPropertyMetadata.get(i);if(o===void 0&&globalThis.litPropertyMetadata.set(i,o=new Map),e==="setter"&&((r=Object.create(r)).wrapped=!0),o.set(t.name,r),e==="accessor"){let{name:n}=t;return{set(c){let d=s.get.call(this);s.set.call(this,c),this.requestUpdate(n,d,r,!0,c)},init(c){return c!==void 0&&this.C(n,void 0,r,c),c}}}if(e==="setter"){let{name:n}=t;return function(c){let d=this[n];s.call(this,c),this.requestUpdate(n,d,r,!0,c)}}throw Error("Unsupported decorator location: "+e)};function T(r){return(s,t)=>typeof t=="object"?We(r,s,t):((e,i,o)=>{let n=i.hasOwnProperty(o);return i.constructor.createProperty(o,e),n?Object.getOwnPropertyDescriptor(i,o):void 0})(r,s,t)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function m(r){return T({...r,state:!0,attribute:!1})}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var J=(r,s,t)=>(t.configurable=!0,t.enumerable=!0,Reflect.decorate&&typeof s!="object"&&Object.defineProperty(r,s,t),t);/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */function $t(r,s){return(t,e,i)=>{let o=n=>n.renderRoot?.querySelector(r)??null;if(s){let{get:n,set:c}=typeof e=="object"?t:i??(()=>{let d=Symbol();return{get(){return this[d]},set(u){this[d]=u}}})();return J(t,e,{get(){let d=n.call(this);return d===void 0&&(d=o(this),(d!==null||this.hasUpdated)&&c.call(this,d)),d}})}return J(t,e,{get(){return o(this)}})}}/**
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
 */var ne=Symbol.for(""),Ke=r=>{if(r?.r===ne)return r?._$litStatic$},ae=r=>({_$litStatic$:r,r:ne});var oe=new Map,Ht=r=>(s,...t)=>{let e=t.length,i,o,n=[],c=[],d,u=0,y=!1;for(;u<e;){for(d=s[u];u<e&&(o=t[u],(i=Ke(o))!==void 0);)d+=i+s[++u],y=!0;u!==e&&c.push(o),n.push(d),u++}if(u===e&&n.push(s[e]),y){let p=n.join("$$lit$$");(s=oe.get(p))===void 0&&(n.raw=n,oe.set(p,s=n)),t=c}return r(s,...t)},le=Ht(a),Ti=Ht(Q),Ai=Ht(te);function Ut({locale:r,config:s}){return r.time_zone==="local"?void 0:s.time_zone}function Ve(r){history.pushState(null,"",r),window.dispatchEvent(new CustomEvent("location-changed",{detail:{replace:!1}}))}function q(r){r.ctrlKey||r.metaKey||r.shiftKey||(r.preventDefault(),Ve(r.currentTarget.pathname))}async function ce(r){let s=await r.loadBackendTranslation("config_panel","sage"),t=(i,o)=>s(`component.sage.config_panel.${i}`,o);return Object.assign(t,{counted:(i,o)=>t(`${i}_${o===1?"one":"other"}`,{count:o.toLocaleString(r.language)})})}async function de(r,s){let{message:t,translation_key:e,translation_domain:i,translation_placeholders:o}=s;if(e&&i){let c=(await r.loadBackendTranslation("exceptions",i))(`component.${i}.exceptions.${e}.message`,o);if(c)return c}return t??String(s)}/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var he={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},ue=r=>(...s)=>({_$litDirective$:r,values:s}),xt=class{constructor(s){}get _$AU(){return this._$AM._$AU}_$AT(s,t,e){this._$Ct=s,this._$AM=t,this._$Ci=e}_$AS(s,t){return this.update(s,t)}update(s,t){return this.render(...t)}};/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{I:Fe}=ie,pe=r=>r;var me=()=>document.createComment(""),Y=(r,s,t)=>{let e=r._$AA.parentNode,i=s===void 0?r._$AB:s._$AA;if(t===void 0){let o=e.insertBefore(me(),i),n=e.insertBefore(me(),i);t=new Fe(o,n,r,r.options)}else{let o=t._$AB.nextSibling,n=t._$AM,c=n!==r;if(c){let d;t._$AQ?.(r),t._$AM=r,t._$AP!==void 0&&(d=r._$AU)!==n._$AU&&t._$AP(d)}if(o!==i||c){let d=t._$AA;for(;d!==o;){let u=pe(d).nextSibling;pe(e).insertBefore(d,i),d=u}}}return t},j=(r,s,t=r)=>(r._$AI(s,t),r),Ge={},ge=(r,s=Ge)=>r._$AH=s,ve=r=>r._$AH,bt=r=>{r._$AR(),r._$AA.remove()};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var fe=(r,s,t)=>{let e=new Map;for(let i=s;i<=t;i++)e.set(r[i],i);return e},N=ue(class extends xt{constructor(r){if(super(r),r.type!==he.CHILD)throw Error("repeat() can only be used in text expressions")}dt(r,s,t){let e;t===void 0?t=s:s!==void 0&&(e=s);let i=[],o=[],n=0;for(let c of r)i[n]=e?e(c,n):n,o[n]=t(c,n),n++;return{values:o,keys:i}}render(r,s,t){return this.dt(r,s,t).values}update(r,[s,t,e]){let i=ve(r),{values:o,keys:n}=this.dt(s,t,e);if(!Array.isArray(i))return this.ut=n,o;let c=this.ut??=[],d=[],u,y,p=0,f=i.length-1,v=0,b=o.length-1;for(;p<=f&&v<=b;)if(i[p]===null)p++;else if(i[f]===null)f--;else if(c[p]===n[v])d[v]=j(i[p],o[v]),p++,v++;else if(c[f]===n[b])d[b]=j(i[f],o[b]),f--,b--;else if(c[p]===n[b])d[b]=j(i[p],o[b]),Y(r,d[b+1],i[p]),p++,b--;else if(c[f]===n[v])d[v]=j(i[f],o[v]),Y(r,i[p],i[f]),f--,v++;else if(u===void 0&&(u=fe(n,v,b),y=fe(c,p,f)),u.has(c[p]))if(u.has(c[f])){let M=y.get(n[v]),At=M!==void 0?i[M]:null;if(At===null){let jt=Y(r,i[p]);j(jt,o[v]),d[v]=jt}else d[v]=j(At,o[v]),Y(r,i[p],At),i[M]=null;v++}else bt(i[f]),f--;else bt(i[p]),p++;for(;v<=b;){let M=Y(r,d[b+1]);j(M,o[v]),d[v++]=M}for(;p<=f;){let M=i[p++];M!==null&&bt(M)}return this.ut=n,ge(r,d),D}});function $(r,s,t){return r.callWS({type:`sage/${s}`,data:t})}function _(r,s,t){return r.callWS({type:"sage/action",action:s,data:t})}function ye(r,s,t){return r.callWS({type:"sage/answer_routine",routine:s,answer:t})}var _t=w`
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
`,wt=w`
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
`;var x=class extends E{constructor(){super(...arguments);this.path="";this.error="";this.notice="";this.question="";this.verb=""}static{this.styles=_t}connectedCallback(){super.connectedCallback(),this.loaded??=this.act(async()=>{})}shouldUpdate(t){return!!this.texts}act(t){return this.guarded(async()=>{let e=await t();return await this.load(),e})}async guarded(t){this.error="",this.notice="";try{this.notice=await t()??""}catch(e){this.error=await de(this.hass,e)}}async agrees(t,e=this.texts("delete")){return this.question=t,this.verb=e,await this.updateComplete,this.dialog.returnValue="",this.dialog.showModal(),new Promise(i=>{this.dialog.addEventListener("close",()=>i(this.dialog.returnValue==="yes"),{once:!0})})}number(t,e=0){return t.toLocaleString(this.hass.language,{minimumFractionDigits:e,maximumFractionDigits:e})}duration(t){let e=t%60===0;return(e?t/60:t).toLocaleString(this.hass.language,{style:"unit",unit:e?"minute":"second",unitDisplay:"long"})}dateTime(t){return new Date(t).toLocaleString(this.hass.language,{dateStyle:"medium",timeStyle:"short",timeZone:Ut(this.hass)})}clock(t){return new Date(t).toLocaleTimeString(this.hass.language,{timeStyle:"short",timeZone:Ut(this.hass)})}day(t){return new Date(`${t}T00:00:00Z`).toLocaleDateString(this.hass.language,{dateStyle:"medium",timeZone:"UTC"})}messages(){return a`
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
    </div>`:l}};h([T({attribute:!1})],x.prototype,"hass",2),h([T({attribute:!1})],x.prototype,"texts",2),h([T({attribute:!1})],x.prototype,"path",2),h([m()],x.prototype,"error",2),h([m()],x.prototype,"notice",2),h([m()],x.prototype,"question",2),h([m()],x.prototype,"verb",2),h([$t("dialog")],x.prototype,"dialog",2);var qt=50,Je=2e4,H=class extends x{constructor(){super(...arguments);this.hasMore=!1;this.traces=new Map;this.questions=new Map;this.timer=0;this.refresh=()=>{!document.hidden&&this.commands&&this.load().catch(()=>{})}}connectedCallback(){super.connectedCallback(),this.timer=window.setInterval(this.refresh,Je),window.addEventListener("focus",this.refresh)}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer),window.removeEventListener("focus",this.refresh)}async load(){let t=await $(this.hass,"activity/list",{count:Math.max(qt,this.commands?.length??0)});this.commands=t.commands,this.hasMore=t.has_more}async more(){let t=this.commands?.at(-1)?.id;if(t){let e=await $(this.hass,"activity/list",{count:qt,before:t});this.commands=[...this.commands??[],...e.commands],this.hasMore=e.has_more}}async open(t,e){t.currentTarget.open&&!this.traces.has(e.id)&&await this.guarded(async()=>{let o=await $(this.hass,"activity/trace",{id:e.id});this.traces=new Map(this.traces).set(e.id,o)})}undo(t,e){return this.act(async()=>{let i={id:t.id,language:this.hass.language},o=await $(this.hass,"activity/undo",e?{...i,agreed:e}:i);return this.questions=new Map(this.questions),o.question?this.questions.set(t.id,o.question):this.questions.delete(t.id),o.done??""})}async openHousehold(t){t.currentTarget.open&&!this.household&&await this.guarded(async()=>{this.household=(await $(this.hass,"activity/household",{count:qt})).commands})}render(){return a`
      <div class="row">
        <h2 class="grow">${this.texts("activity.title")}</h2>
        <button @click=${()=>this.act(async()=>{})}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("activity.intro")}</p>
      ${this.messages()} ${this.list()} ${this.hass.user.is_admin?this.ofHousehold():l}
    `}list(){return this.commands?this.commands.length?a`
      <ul class="plain" id="commands">
        ${N(this.commands,t=>t.id,t=>a`<li class="card">${this.card(t)}</li>`)}
      </ul>
      ${this.hasMore?a`<button @click=${()=>this.guarded(()=>this.more())}>
            ${this.texts("more")}
          </button>`:l}
    `:a`<p>${this.texts("activity.none")}</p>`:l}card(t){let e=this.questions.get(t.id);return a`
      <p class="secondary">
        ${this.dateTime(t.at)}
        ${t.routine||t.routine_id?a`· ${this.routine(t)}`:l}
        ${t.is_undone?a`· <strong>${this.texts("activity.undone")}</strong>`:l}
      </p>
      <h3>${t.command||this.texts("activity.forgotten")}</h3>
      <p>${t.answer}</p>
      ${t.can_undo&&!e?a`<button @click=${()=>this.undo(t)}>${this.texts("activity.undo")}</button>`:l}
      ${e?this.ask(t,e):l}
      <details @toggle=${i=>this.open(i,t)}>
        <summary>${this.texts("activity.details")}</summary>
        ${this.traces.has(t.id)?this.trace(t,this.traces.get(t.id)):l}
      </details>
    `}routine({routine:t,routine_id:e}){let i=this.texts("activity.routine",{when:t});return e?a`<a href="/sage/routines/${e}" @click=${q}>${i}</a>`:a`${i}`}ask(t,e){return a`
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
              ${e.seen.map(i=>a`<li>${i}</li>`)}
            </ul>`:l}
      <details>
        <summary>${this.texts("activity.technical")}</summary>
        ${this.technical(e)}
      </details>
    `}technical(t){let e=t.outcomes.filter(({after:i})=>Object.keys(i).length);return a`
      <p class="secondary">${this.summary(t)}</p>
      ${e.length?a`<h3>${this.texts("activity.values")}</h3>
            <ul>
              ${e.map(({name:i,before:o,after:n})=>a`<li>${i}: ${this.values(o,n)}</li>`)}
            </ul>`:l}
      <h3>${this.texts("activity.steps")}</h3>
      <p class="secondary">
        ${this.texts("activity.costs",{seconds:this.number(t.seconds,1),model_seconds:this.number(t.model_seconds,1)})}
        ${t.reads?this.texts.counted("activity.reads",t.reads):this.texts("activity.reads_none")}
        ${this.usage(t.usage)}
      </p>
      ${t.root.children.length?a`<ul class="plain">
            ${t.root.children.map(i=>this.step(i))}
          </ul>`:a`<p>${this.texts("activity.no_steps")}</p>`}
    `}why(t){let e=t.outcomes.filter(({kind:i})=>i==="refused"||i==="failed");return!t.confirmations.length&&!e.length?l:a`
      <h3>${this.texts("activity.why")}</h3>
      <ul>
        ${t.confirmations.map(({question:i,risks:o,result:n})=>a`<li>
            ${this.texts("activity.asked",{question:i})}
            ${o.map(c=>a`<br />${this.texts(`activity.risk.${c}`)}`)}
            <br />${this.texts(`activity.reply.${n}`)}
          </li>`)}
        ${e.map(({sentence:i})=>a`<li>${i}</li>`)}
      </ul>
    `}changes(t,e){let i=e.outcomes.filter(({kind:o})=>o!=="refused"&&o!=="failed");return a`
      <h3>${this.texts("activity.changes")}</h3>
      ${t.is_undone?a`<p>${this.texts("activity.undone_changes")}</p>`:l}
      ${i.length?a`<ul>
            ${i.map(({sentence:o})=>a`<li>${o}</li>`)}
          </ul>`:a`<p>${this.texts("activity.no_changes")}</p>`}
    `}values(t,e){return Object.keys(e).map(i=>`${i}: ${$e(t[i])} → ${$e(e[i])}`).join(", ")}step(t){let e=[this.texts("activity.seconds",{seconds:this.number(t.seconds,1)})];t.usage&&e.push(this.usage(t.usage));let i=t.children.length||t.result||Object.keys(t.arguments).length,o=a`<strong
        >${t.kind==="model"?this.texts("activity.model"):t.name}</strong
      >
      ${t.error?a`<span class="failed">${this.texts("activity.error")}</span>`:l}
      <span class="secondary">${e.join(" · ")}</span>`;return i?a`<li>
      <details>
        <summary>${o}</summary>
        ${Object.keys(t.arguments).length?a`<pre>${JSON.stringify(t.arguments,null,2)}</pre>`:l}
        ${t.children.length?a`<ul class="plain">
              ${t.children.map(n=>this.step(n))}
            </ul>`:l}
        ${t.result?a`<p class="secondary">${this.texts("activity.seen")}</p>
              <pre>${t.result}</pre>`:l}
      </details>
    </li>`:a`<li>${o}</li>`}usage(t){return this.texts("activity.tokens",{prompt:this.tokens(t,t.prompt_tokens),cached:this.tokens(t,t.cached_tokens),written:this.tokens(t,t.completion_tokens)})}tokens(t,e){let i=this.number(e);return t.is_estimated?this.texts("activity.about",{number:i}):i}ofHousehold(){return a`
      <details id="household" @toggle=${this.openHousehold}>
        <summary>${this.texts("activity.household")}</summary>
        <p class="secondary">${this.texts("activity.household_intro")}</p>
        ${this.household?.length===0?a`<p>${this.texts("activity.household_none")}</p>`:l}
        <ul class="plain">
          ${this.household?.map(t=>a`<li class="card">
              <p class="secondary">${this.dateTime(t.at)}</p>
              <ul>
                ${t.outcomes.map(({name:e,kind:i})=>a`<li>${e}: ${this.texts(`activity.outcome.${i}`)}</li>`)}
              </ul>
              <p>${this.summary(t)}</p>
            </li>`)}
        </ul>
      </details>
    `}};h([m()],H.prototype,"commands",2),h([m()],H.prototype,"hasMore",2),h([m()],H.prototype,"household",2),h([m()],H.prototype,"traces",2),h([m()],H.prototype,"questions",2),H=h([k("sage-activity")],H);function $e(r){return typeof r=="string"?r:JSON.stringify(r)??"–"}function z(r,s){return r.preventDefault(),String(new FormData(r.target).get(s)??"").trim()}var Ze="/config/voice-assistants/expose",Qe=["free","ask","never"],xe=50,be=250,_e="image/jpeg,image/png,image/webp",R=class extends x{constructor(){super(...arguments);this.search="";this.opened=new Map}async load(){let t=await $(this.hass,"devices/list",{start:0,count:xe});this.exposed=t.exposed,this.entities=t.entities,this.devices??=t.devices;let e=[...t.devices];for(let n=xe;n<t.total;n+=be){let c=await $(this.hass,"devices/list",{start:n,count:be});e.push(...c.devices)}this.devices=e;let o=[...new Set(e.flatMap(n=>n.kinds))].filter(n=>this.hass.config.components.includes(n));this.titles=await this.hass.loadBackendTranslation("title",o)}kind(t){return this.titles?.(`component.${t}.title`)||t.replace(/(?<=[a-z])(?=[A-Z])/g," ").replaceAll("_"," ")}type({id:t,summary:e,capability:i}){let o=this.hass.states[t];if(!o)return e||this.kind(i);let[n]=t.split("."),c=`component.${n}.entity_component.${o.attributes.device_class}.name`;return this.hass.localize(c)||this.kind(n)}async open(t,e){t.currentTarget.open&&!this.opened.has(e)&&await this.guarded(()=>this.read(e))}async read(t){let{language:e}=this.hass,i=await $(this.hass,"devices/get",{device:t,language:e});this.opened=new Map(this.opened).set(t,i)}change(t,e){return this.guarded(async()=>{let i=await e();await this.read(t);let o=this.opened.get(t).photos;return this.devices=this.devices?.map(n=>n.id===t?{...n,photos:o}:n),i})}upload(t,e){let i=t.target,o=i.files?.[0];return i.value="",o?this.change(e,async()=>{let n=new FormData;n.append("file",o);let c=await this.hass.fetchWithAuth("/api/file_upload",{method:"POST",body:n});if(!c.ok)throw new Error(this.texts("devices.not_uploaded",{status:c.status}));let{file_id:d}=await c.json();return await $(this.hass,"devices/add_photo",{device:e,upload:d}),this.texts("devices.photo_added")}):Promise.resolve()}setCaption(t,e,i){let o=z(t,"caption");return this.change(e,async()=>(await _(this.hass,"set_photo_caption",{photo:i,caption:o}),this.texts("devices.caption_saved")))}async writeCaption(t,e,i){let o=t.currentTarget,n=this.texts("devices.write_caption_question",{model:i});await this.agrees(n,this.texts("devices.write_caption"))&&(o.disabled=!0,await this.guarded(async()=>{let{language:c}=this.hass,{caption:d}=await $(this.hass,"devices/write_caption",{photo:e,language:c});return o.form.querySelector("[name=caption]").value=d,this.texts("devices.caption_written")}),o.disabled=!1)}async deletePhoto(t,e){await this.agrees(this.texts("devices.delete_photo_question"))&&await this.change(t,async()=>(await _(this.hass,"delete_photo",{photo:e}),this.texts("devices.photo_deleted")))}setRisk(t,e,i){let o=t.target.value||null;return this.change(e,async()=>(await $(this.hass,"devices/set_risk",{entity_id:i,level:o}),this.texts("devices.level_saved")))}render(){return a`
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
      <a href=${Ze} @click=${q}>${this.texts("devices.expose")}</a>
    </p>`}list(){if(!this.devices)return l;let t=this.search.toLocaleLowerCase(this.hass.language).split(/\s+/).filter(Boolean),e=this.devices.filter(({name:o,area:n,kinds:c})=>{if(!t.length)return!0;let d=[o,n,...c,...c.map(u=>this.kind(u))].join(" ").toLocaleLowerCase(this.hass.language);return t.every(u=>d.includes(u))});if(!e.length)return a`<p>${this.texts(this.devices.length?"devices.none_found":"devices.none")}</p>`;let i=new Map;for(let o of e){let n=o.area??"";i.set(n,i.get(n)??[]),i.get(n).push(o)}return a`${[...i].map(([o,n])=>a`
        <h2>${o||this.texts("devices.no_area")}</h2>
        <ul class="plain">
          ${N(n,({id:c})=>c,c=>a`<li class="card">${this.card(c)}</li>`)}
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
      ${t.components.map(i=>this.component(t.id,i))}
      ${t.more?a`<p>${this.texts("devices.more",{count:t.more})}</p>`:l}
    `}photos(t){let e=this.hass.user.is_admin;return!t.pictures.length&&!e?l:a`
      <div class="row photos">
        ${t.pictures.map(i=>this.photo(t,i,e))}
      </div>
      ${e&&t.pictures.length<t.most_photos?this.adding(t):l}
    `}photo(t,e,i){let o=e.entity_id??"",n=this.hass.states[o]?.attributes.entity_picture,c=a`<img
      loading="lazy"
      src=${typeof n=="string"?n:l}
      alt=${e.caption||this.texts("devices.photo_of",{name:t.name})}
    />`;return i?a`
      <form @submit=${d=>this.setCaption(d,t.id,o)}>
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
                @click=${d=>this.writeCaption(d,o,t.caption_model)}
              >
                ${this.texts("devices.write_caption")}
              </button>`:l}
          <button type="button" class="danger" @click=${()=>this.deletePhoto(t.id,o)}>
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
          accept=${_e}
          capture="environment"
          aria-label=${this.texts("devices.take_photo")}
          @change=${i=>this.upload(i,t)}
        />
        <button @click=${this.choose}>${this.texts("devices.upload_photo")}</button>
        <input
          type="file"
          accept=${_e}
          aria-label=${this.texts("devices.upload_photo")}
          @change=${i=>this.upload(i,t)}
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
        ${e.notes.map(i=>a`<p class="secondary">${i}</p>`)}
        ${e.attributes.length?this.table(e.attributes):l}
        ${e.commands.length?a`<p>${this.texts("devices.commands")}</p>
              <ul>
                ${e.commands.map(i=>a`<li>
                    <code>${i.name}</code>
                    ${i.arguments.length?a`(${i.arguments.map(Xe).join(", ")})`:l}
                    <span class="secondary">${i.description}</span>
                  </li>`)}
              </ul>`:a`<p class="secondary">${this.texts("devices.read_only")}</p>`}
      </section>
    `}table(t){return a`
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
            ${t.map(e=>a`<tr>
                <th scope="row"><code>${e.name}</code></th>
                <td>${Ye(e)}</td>
                <td class="secondary">${we(e)}</td>
              </tr>`)}
          </tbody>
        </table>
      </div>
    `}risk(t,e,i){return a`
      <div class="row">
        <label>
          ${this.texts("devices.risk")}
          <select
            @change=${o=>this.setRisk(o,t,e.id)}
          >
            <option value="" ?selected=${i.choice===null}>
              ${this.texts("devices.level_auto",{level:this.texts(`devices.level.${i.automatic}`)})}
            </option>
            ${Qe.map(o=>a`<option value=${o} ?selected=${i.choice===o}>
                ${this.texts(`devices.level.${o}`)}
              </option>`)}
          </select>
        </label>
      </div>
      <p class="secondary">
        ${this.texts(`devices.by.${i.by}`)}
        ${i.risk?this.danger(e.id,i.risk):l} ${i.reason}
      </p>
    `}danger(t,e){let[i]=t.split(".");return e==="open"&&(i==="cover"||i==="valve")?this.texts(`devices.opens.${i}`):this.texts(`activity.risk.${e}`)}};R.styles=[x.styles,w`
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
  `],h([m()],R.prototype,"devices",2),h([m()],R.prototype,"exposed",2),h([m()],R.prototype,"entities",2),h([m()],R.prototype,"search",2),h([m()],R.prototype,"titles",2),h([m()],R.prototype,"opened",2),R=h([k("sage-devices")],R);function Ye({value:r,meaning:s,unit:t}){return r==null?"–":[typeof r=="string"?r:JSON.stringify(r),t,s?`(${s})`:""].filter(Boolean).join(" ")}function we(r){if(r.values.length)return r.values.join(", ");let s=[r.minimum,r.maximum].map(t=>t??"");return s.some(t=>t!=="")?s.join(" – "):""}function Xe(r){let s=we(r);return`${r.name}${r.required?"":"?"}${s?`: ${s}`:""}`}var ts=50,P=class extends x{constructor(){super(...arguments);this.pages={};this.search=""}async load(){let[t,e,i]=await Promise.all([$(this.hass,"memory/overview",{}),this.page("told"),this.restIsOpen||this.search?this.page("said"):void 0]);this.overview=t,this.found=this.search&&i?e.found+i.found:void 0,this.pages=i?{told:e,said:i}:{told:e},this.restIsOpen===void 0&&!e.memories.length&&t.total&&(this.pages={told:e,said:await this.page("said")},this.restIsOpen=!0),this.edited=void 0}page(t,e){return $(this.hass,"memory/list",{group:t,count:ts,...e===void 0?{}:{before:e},...this.search?{search:this.search}:{}})}async more(t){let e=this.pages[t].memories,i=await this.page(t,e.at(-1).id);this.pages={...this.pages,[t]:{...i,memories:[...e,...i.memories]}}}toggleRest(){return this.restIsOpen=this.rest.open,this.restIsOpen&&!this.pages.said?this.guarded(async()=>{this.pages={...this.pages,said:await this.page("said")}}):Promise.resolve()}find(t){return this.search=B(t,"search"),this.search&&(this.restIsOpen=!0),this.act(async()=>{})}remember(t){let e=B(t,"text"),i=t.target;return this.act(async()=>(await _(this.hass,"remember",{text:e}),i.reset(),this.texts("memory.remembered")))}correct(t,e){let i=B(t,"text");return this.act(async()=>(await _(this.hass,"correct_memory",{id:e,text:i}),this.texts("memory.corrected")))}async forget(t,e){await this.agrees(`${e} ${this.texts("memory.forget_log")}`)&&await this.act(async()=>{let{forgotten:i}=await _(this.hass,"forget",t);return i?this.texts.counted("memory.forgotten",i):this.texts("memory.forgotten_none")})}forgetTopic(t){let e=B(t,"topic");return this.forget({topic:e},this.texts("memory.forget_topic_ask",{topic:e}))}forgetDays(t){let e=B(t,"first"),i=B(t,"last")||e;return this.forget({first_day:e,last_day:i},this.texts("memory.forget_days_ask",{first:this.day(e),last:this.day(i)}))}forgetDay(t){return this.forget({first_day:t},this.texts("memory.forget_day_ask",{day:this.day(t)}))}rebuild(){return this.guarded(async()=>{let{error:t,days_left:e}=await _(this.hass,"rebuild_profile",{});return await this.load(),t||(e?this.texts.counted("memory.rebuild_unfinished",e):this.texts(this.overview?.profile.text?"memory.rebuilt":"memory.rebuilt_none"))})}set(t){return this.act(async()=>(await _(this.hass,"set_memory",t),this.texts("memory.saved")))}setRetention(t){return this.set({retention_days:Number(B(t,"days")),request_days:Number(B(t,"requests"))})}export(){return this.guarded(async()=>{let t=await _(this.hass,"export_memory",{}),e=new Blob([JSON.stringify(t,null,2)],{type:"application/json"}),i=document.createElement("a");return i.href=URL.createObjectURL(e),i.download="sage-memory.json",i.click(),URL.revokeObjectURL(i.href),this.texts("memory.exported")})}import(t){let e=t.target;return this.act(async()=>{let i=e.files?.[0];if(!i)return;let o=await i.text();e.value="";let n=0;for(let c of ss(this.parsed(o)))n+=(await _(this.hass,"import_memory",{export:c})).memories;return n?this.texts.counted("memory.imported",n):this.texts("memory.imported_none")})}parsed(t){try{return JSON.parse(t)}catch{throw new Error(this.texts("memory.no_export"))}}render(){if(!this.overview)return a`${this.messages()}`;let{settings:t}=this.overview;return a`
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
                  ${t.corrections.map(({text:i})=>a`<li>${i}</li>`)}
                </ul>`:l}
          ${e.length?a`<details>
                <summary>${this.texts.counted("memory.days",e.length)}</summary>
                <ul class="plain">
                  ${e.map(({date:i,text:o})=>a`<li>
                      <h3>${this.day(i)}</h3>
                      <p class="text">${o}</p>
                      <button @click=${()=>this.forgetDay(i)}>
                        ${this.texts("memory.forget_day",{day:this.day(i)})}
                      </button>
                    </li>`)}
                </ul>
              </details>`:l}
          <button @click=${this.rebuild}>${this.texts("memory.rebuild")}</button>
        </div>
      </section>
    `}searching(){return a`
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
        ${this.found===void 0?l:a`<p>
              ${this.found?this.texts.counted("memory.found",this.found):this.texts("memory.found_none")}
            </p>`}
      </div>`}told(){return a`
      <section aria-labelledby="told">
        <h2 id="told">${this.texts("memory.told")}</h2>
        ${this.list("told",this.texts("memory.told_none"))}
        ${this.overview.settings.enabled?a`<form class="row" @submit=${X(this.remember)}>
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
    `}list(t,e){let i=this.pages[t];return i?i.memories.length?a`
      <ul class="plain" data-group=${t}>
        ${N(i.memories,o=>o.id,o=>a`<li class="card">${this.card(o)}</li>`)}
      </ul>
      ${i.has_more?a`<button @click=${()=>this.guarded(()=>this.more(t))}>
            ${this.texts("more")}
          </button>`:l}
    `:this.found===void 0?a`<p>${e}</p>`:l:l}card(t){if(t.id===this.edited)return a`<form
        class="row"
        @submit=${X(i=>this.correct(i,t.id))}
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
    `}keeping({settings:t}){return a`
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
            ${t.has_own_retention?a`<button
                  type="button"
                  @click=${()=>this.set({household_retention:!0})}
                >
                  ${this.texts("memory.keep_as_household")}
                </button>`:l}
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
    `}};h([m()],P.prototype,"overview",2),h([m()],P.prototype,"pages",2),h([m()],P.prototype,"search",2),h([m()],P.prototype,"found",2),h([m()],P.prototype,"restIsOpen",2),h([m()],P.prototype,"edited",2),h([$t("#rest")],P.prototype,"rest",2),P=h([k("sage-memory")],P);var es=1e6;function ss(r){let{memories:s,corrections:t}=r;if(!Array.isArray(s))return[r];let e=[],i=[],o=0;for(let n of s){let c=JSON.stringify(n).length;i.length&&o+c>es&&(e.push({...r,memories:i,corrections:[],days:[]}),[i,o]=[[],0]),i.push(n),o+=c}return e.push({...r,memories:i,corrections:t,days:[]}),e}function X(r){return function(s){s.preventDefault(),r.call(this,s)}}function B(r,s){return String(new FormData(r.target).get(s)??"").trim()}var tt=1e3;function ke(r,s,t){let e=Date.parse(r.since),i=n=>Math.max(0,Math.min(1,(new Date(n).getTime()-e)/864e5))*tt,o=[0,6,12,18,24].map(n=>e+n*36e5);return a`
    <svg class="day" viewBox="0 0 ${tt} 32" preserveAspectRatio="none" role="img" aria-label=${t}>
      <rect class="empty" y="10" width=${tt} height="12" rx="4" />
      ${r.true.map(([n,c])=>Q`<rect class="so" y="10" height="12" x=${i(n)} width=${Math.max(3,i(c)-i(n))} />`)}
      ${r.moments.map(n=>Q`<rect class="moment" y="2" height="28" width="3" x=${i(n)-1} />`)}
    </svg>
    <div class="hours" aria-hidden="true">
      ${o.map(n=>a`<span>${s(new Date(n).toISOString())}</span>`)}
    </div>
  `}var lt=60,is=60;function Te(r,s,t){let e=Math.max(...r.map(({value:c})=>c),0);if(!e)return l;let i=new Map(r.map(({day:c,value:d})=>[c,d])),o=s.slice(-is),n=tt/o.length;return a`
    <svg class="bars" viewBox="0 0 ${tt} ${lt}" preserveAspectRatio="none" role="img" aria-label=${t}>
      <line class="axis" x1="0" x2=${tt} y1=${lt-.5} y2=${lt-.5} />
      ${o.map((c,d)=>{let u=(i.get(c)??0)/e*(lt-4);return Q`<rect class="so" x=${d*n+n*.1} width=${n*.8} y=${lt-u} height=${u} />`})}
    </svg>
  `}var kt=30,rs="/config/integrations/integration/sage",os=1e6,ns=["calls","tokens","cost","seconds"],Ae=["input","cached","output"],C=class extends x{constructor(){super(...arguments);this.currency="";this.trials=new Map;this.trying=""}async load(){let t=await $(this.hass,"models/list",{days:kt});this.settings=await this.hass.loadBackendTranslation("selector","sage"),this.agents=t.agents,this.currency=t.currency}setPrice(t,e){let i={};for(let o of Ae){let n=z(t,o);n&&(i[o]=Number(n))}return this.act(async()=>(await $(this.hass,"models/set_price",{agent:e,...i}),this.texts("models.price_saved")))}try(t,e){let i=z(t,"text");return this.trying=e,this.act(async()=>{try{let o=await $(this.hass,"models/try",{agent:e,text:i,language:this.hass.language});this.trials=new Map(this.trials).set(e,o)}finally{this.trying=""}})}render(){return a`
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
        <a href=${rs} @click=${q}>${this.texts("models.change")}</a>
      </p>
      <p class="secondary">
        ${this.texts("models.formats",{format:this.format(t.format),formats:t.formats.map(e=>this.format(e)).join(", ")})}
      </p>
      ${t.days.length?this.usage(t):a`<p>${this.texts("models.unused")}</p>`}
      ${this.prices(t)} ${this.trial(t)}
    `}format(t){return this.settings?.(`component.sage.selector.decision_format.options.${t}`)||t}usage(t){let e=this.lastDays(),i=ns.filter(o=>o!=="cost"||t.price);return a`
      <div class="charts">
        ${i.map(o=>{let n=t.days.map(u=>({day:u.day,value:Ee(u,o,t.price)})),c=this.shown(o,n.reduce((u,{value:y})=>u+y,0)),d=this.texts(`models.${o}`,{total:c,days:kt});return a`<div>
            <h4>${d}</h4>
            ${Te(n,e,d)}
          </div>`})}
      </div>
      <details>
        <summary>${this.texts("models.by_day")}</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">${this.texts("models.day")}</th>
                ${i.map(o=>a`<th scope="col">${this.texts(`models.column.${o}`)}</th>`)}
                <th scope="col">${this.texts("models.column.failed")}</th>
              </tr>
            </thead>
            <tbody>
              ${[...t.days].reverse().map(o=>a`<tr>
                  <th scope="row">${this.day(o.day)}</th>
                  ${i.map(n=>a`<td>${this.shown(n,Ee(o,n,t.price))}</td>`)}
                  <td>${this.number(o.failed)}</td>
                </tr>`)}
            </tbody>
          </table>
        </div>
        <p class="secondary">${this.texts("models.failed")}</p>
      </details>
    `}lastDays(){let t=new Intl.DateTimeFormat("en-CA",{timeZone:this.hass.config.time_zone}),e=Date.now();return Array.from({length:kt},(i,o)=>t.format(e-(kt-1-o)*864e5))}shown(t,e){return t==="cost"?e.toLocaleString(this.hass.language,{style:"currency",currency:this.currency,maximumFractionDigits:4}):this.number(e,t==="seconds"?1:0)}prices(t){return a`
      <details>
        <summary>${this.texts("models.prices",{currency:this.currency})}</summary>
        <p class="secondary">${this.texts("models.prices_info")}</p>
        <form class="row" @submit=${e=>this.setPrice(e,t.id)}>
          ${Ae.map(e=>a`<label>
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
    `}trial(t){let e=this.trials.get(t.id);return a`
      <details>
        <summary>${this.texts("models.try")}</summary>
        <p class="secondary">${this.texts("models.try_info")}</p>
        <form @submit=${i=>this.try(i,t.id)}>
          <textarea
            name="text"
            rows="2"
            required
            maxlength="4000"
            aria-label=${this.texts("models.try_text")}
            placeholder=${this.texts("models.try_text")}
          ></textarea>
          <button class="primary" ?disabled=${this.trying===t.id}>
            ${this.texts(this.trying===t.id?"models.trying":"models.send")}
          </button>
        </form>
        <div role="status">
          ${e?.error?a`<p class="error">${e.error}</p>`:l}
          ${e?.usage?a`<pre>${e.text}</pre>
                <p class="secondary">
                  ${this.texts("models.trial",{seconds:this.number(e.seconds,1),prompt:this.number(e.usage.prompt_tokens),written:this.number(e.usage.completion_tokens)})}
                </p>`:l}
        </div>
      </details>
    `}};C.styles=[x.styles,wt,w`
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
    pre { white-space: pre-wrap; }
  `],h([m()],C.prototype,"agents",2),h([m()],C.prototype,"currency",2),h([m()],C.prototype,"trials",2),h([m()],C.prototype,"trying",2),h([m()],C.prototype,"settings",2),C=h([k("sage-models")],C);function Ee(r,s,t){switch(s){case"tokens":return r.prompt_tokens+r.completion_tokens;case"cost":return as(r,t??{});default:return r[s]}}function as(r,{input:s=0,cached:t=s,output:e=0}){return((r.prompt_tokens-r.cached_tokens)*s+r.cached_tokens*t+r.completion_tokens*e)/os}var ls="and as assert break class continue def del elif else except finally for from if import in is lambda not or pass raise return try while with True False None",cs=new RegExp(["(?<comment>#.*)",`(?<string>"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')`,`(?<keyword>\\b(?:${ls.split(" ").join("|")})\\b)`,"(?<number>\\b\\d[\\d_.]*\\b)","(?<call>\\b[A-Za-z_]\\w*(?=\\())"].join("|"),"g");function ds(r){let s=[],t=0;for(let e of r.matchAll(cs)){let[i]=Object.entries(e.groups??{}).find(([,o])=>o!==void 0);s.push(r.slice(t,e.index),a`<span class=${i}>${e[0]}</span>`),t=e.index+e[0].length}return[...s,r.slice(t)]}var I=class extends E{constructor(){super(...arguments);this.value="";this.label="";this.readonly=!1}changed(t){this.value=t.target.value}scrolled(t){let{scrollLeft:e,scrollTop:i}=t.target;this.renderRoot.querySelector("pre").scrollTo(e,i)}render(){return a`<div>
      <pre aria-hidden="true">${ds(this.value)}${`
`}</pre>
      <textarea
        aria-label=${this.label}
        spellcheck="false"
        autocapitalize="off"
        autocomplete="off"
        wrap="off"
        rows=${Math.min(24,this.value.split(`
`).length+1)}
        ?readonly=${this.readonly}
        .value=${this.value}
        @input=${this.changed}
        @scroll=${this.scrolled}
      ></textarea>
    </div>`}};I.styles=[_t,w`
      div {
        display: grid;
      }
      pre,
      textarea {
        border: 1px solid var(--outline-color, var(--secondary-text-color));
        border-radius: 8px;
        box-sizing: border-box;
        font-family: var(--ha-font-family-code, monospace);
        font-size: 13px;
        grid-area: 1 / 1;
        line-height: 20px;
        margin: 0;
        overflow: auto;
        padding: 8px;
        white-space: pre;
      }
      pre {
        border-color: transparent;
        scrollbar-width: none;
      }
      textarea:not(:focus-visible) {
        outline: none;
      }
      textarea {
        background: transparent;
        caret-color: var(--primary-text-color);
        color: transparent;
        resize: vertical;
        width: 100%;
      }
      textarea::selection {
        background: color-mix(in srgb, var(--primary-color) 35%, transparent);
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
    `],h([T()],I.prototype,"value",2),h([T()],I.prototype,"label",2),h([T({type:Boolean})],I.prototype,"readonly",2),I=h([k("sage-code")],I);var hs=20;function Tt(r,{kind:s,line:t,detail:e}){return a`
    ${t?r("routines.line",{line:t}):l} ${r(`routines.fault.${s}`)}
    ${e?a`<code lang="en">${e}</code>`:l}
  `}function Se(r,s,t){return a`
    <div class="test" role="status">
      <p>${s.error?Tt(r,s.error):us(r,s)}</p>
      ${s.reads?.length?a`<ul>
            ${s.reads.map(e=>a`<li>
                <code
                  >${e.function}(${e.arguments.map(i=>JSON.stringify(i)).join(", ")})</code
                >
                =
                <code>${e.is_unknown?"?":e.error??JSON.stringify(e.value)}</code>
              </li>`)}
          </ul>`:l}
      ${ps(r,s.last_24_hours,t)}
    </div>
  `}function us(r,{value:s,last_24_hours:t}){return"problem"in t&&t.problem==="no_condition"?"":r(s===null?"routines.now_unknown":s?"routines.is_true":"routines.is_false")}function ps(r,s,t){if("problem"in s)return a`<p class="secondary">${r(`routines.problem.${s.problem}`)}</p>`;let e=s.true.map(([o,n])=>`${t(o)} – ${t(n)}`),i=r("routines.day",{times:e.length?e.slice(0,hs).join(", "):r("routines.never")});return a`
    <h3>${r("routines.last_day")}</h3>
    ${ke({since:s.since,true:s.true,moments:s.would_have_fired},t,i)}
    <p class="secondary">
      ${r("routines.would_have_fired",{count:s.would_have_fired.length})}
    </p>
  `}var ms=1e4,S=new Map,A=class extends x{constructor(){super(...arguments);this.others=[];this.questions=[];this.agent=null;this.unreadable=0;this.opened=new Map;this.tests=new Map;this.codeErrors=new Map;this.timer=0}connectedCallback(){super.connectedCallback(),this.timer=window.setInterval(()=>{!document.hidden&&this.routines&&this.load().catch(()=>{})},ms)}firstUpdated(t){this.loaded?.then(()=>this.showLinked());for(let{answer:e}of S.values())e&&this.act(()=>e)}async showLinked(){if(!this.path||!this.routines)return;await this.updateComplete;let t=this.renderRoot.querySelector(".linked");if(!t){await this.guarded(async()=>this.texts("routines.gone"));return}t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}disconnectedCallback(){super.disconnectedCallback(),window.clearInterval(this.timer)}async load(){let t=await $(this.hass,"routines/list",{language:this.hass.language});this.routines=t.routines,this.others=t.others,this.questions=t.questions,this.agent=t.agent,this.unreadable=t.unreadable}async open(t,e){t.currentTarget.open&&!this.opened.has(e)&&await this.guarded(()=>this.read(e))}async read(t){let e={routine:t,language:this.hass.language},i=await $(this.hass,"routines/get",e);this.opened=new Map(this.opened).set(t,i)}test(t){return this.guarded(async()=>{let e=await _(this.hass,"test_routine",{routine:t});this.tests=new Map(this.tests).set(t,e)})}check(t){return this.guarded(async()=>{let e=await _(this.hass,"test_routine",{code:this.code(t)});return this.tests=new Map(this.tests).set(t,e),this.note(t,e.error),e.error?"":this.texts("routines.code_runs")})}save(t){return this.act(async()=>{let e=await $(this.hass,"routines/set_code",{routine:t,code:this.code(t)});return this.note(t,e.error),e.error?"":(await this.read(t),this.texts("routines.code_saved"))})}note(t,e){this.codeErrors=new Map(this.codeErrors),e?this.codeErrors.set(t,e):this.codeErrors.delete(t)}code(t){return this.renderRoot.querySelector(`#code-${t}`).value}pause(t){let e=t.status==="watching"?"pause_routine":"resume_routine";return this.act(async()=>{await _(this.hass,e,{routine:t.id})})}async delete(t,e){await this.agrees(this.texts("routines.delete_question",{routine:e}))&&await this.act(async()=>(await _(this.hass,"delete_routine",{routine:t.id}),this.texts("routines.deleted")))}answer(t,e){return this.act(async()=>(await ye(this.hass,t.routine,e),this.questions=this.questions.filter(({id:i})=>i!==t.id),this.texts("routines.answered")))}speak(t,e){let i=z(t,"words"),o=S.get(e)??{conversation:null,reply:"",words:i};if(o.answer)return Promise.resolve();let n=this.answerTo(e,{...o,words:i});return S.set(e,{...o,words:i,answer:n}),this.act(()=>n)}async answerTo(t,e){S.set(t,e);let i=new Set(this.routines?.map(({id:o})=>o));try{let{response:o,conversation_id:n}=await this.hass.callWS({type:"conversation/process",text:e.words,agent_id:this.agent,conversation_id:e.conversation,language:this.hass.language}),c=o.speech.plain?.speech??"";return await this.load(),this.routines.some(({id:d})=>!i.has(d))?(e.replaces&&await _(this.hass,"delete_routine",{routine:e.replaces}),S.delete(t),c):(S.set(t,{...e,conversation:n,reply:c,words:""}),"")}catch(o){throw S.set(t,e),o}}edit({id:t,request:e}){S.set(t,{replaces:t,conversation:null,reply:"",words:e}),this.requestUpdate()}cancel(t){S.delete(t),this.requestUpdate()}render(){return a`
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
    `}list(){return this.routines?this.routines.length?a`<ul class="plain" id="routines">
      ${N(this.routines,({id:t})=>t,t=>a`<li
          class="card ${t.id===this.path?"linked":""}"
          tabindex=${t.id===this.path?-1:l}
          id="routine-${t.id}"
        >
          ${this.card(t)}
        </li>`)}
    </ul>`:a`<p>${this.texts("routines.none")}</p>`:l}card(t){let e=this.questions.filter(({routine:o})=>o===t.id),i=this.tests.get(t.id);return a`
      <p class="secondary">
        ${this.texts("routines.number",{number:t.number})} ·
        <span class="status">${this.status(t)}</span>
        ${t.is_household?a` · ${this.texts("routines.household")}`:l}
      </p>
      <h3>${t.says}</h3>
      ${t.request?a`<p class="secondary">
            ${this.texts("routines.request",{words:t.request})}
          </p>`:l}
      ${e.map(o=>this.asked(o))}
      ${this.does(t)}
      <p class="secondary">${this.times(t)}</p>
      ${t.trouble?a`<p class="error">${Tt(this.texts,t.trouble)}</p>`:l}
      ${S.has(t.id)?this.words(t.id):l}
      <div class="row">
        ${t.is_household?l:this.ownButtons(t)} ${this.buttons(t)}
      </div>
      ${i?Se(this.texts,i,o=>this.clock(o)):l}
      ${Re(t)?a`<details @toggle=${o=>this.open(o,t.id)}>
            <summary>${this.texts("routines.details")}</summary>
            ${this.opened.has(t.id)?this.details(this.opened.get(t.id)):l}
          </details>`:l}
    `}ownButtons(t){return a`
      ${Re(t)?a`<button @click=${()=>this.test(t.id)}>${this.texts("routines.test")}</button>`:l}
      ${this.agent&&!S.has(t.id)?a`<button @click=${()=>this.edit(t)}>${this.texts("routines.edit")}</button>`:l}
    `}buttons(t){let e=t.says??this.texts("routines.number",{number:t.number});return a`
      ${t.status==="ended"||t.status==="owner_gone"?l:a`<button @click=${()=>this.pause(t)}>
            ${this.texts(t.status==="watching"?"routines.pause":"routines.resume")}
          </button>`}
      <button class="danger" @click=${()=>this.delete(t,e)}>
        ${this.texts("delete")}
      </button>
    `}status(t){return this.texts(`routines.status.${t.status}`)}times(t){let e=[this.texts("routines.fired",{count:t.fired})];if(t.last_fired&&e.push(this.texts("routines.last",{time:this.dateTime(t.last_fired)})),t.status==="paused"&&t.paused_until)e.push(this.texts("routines.until",{time:this.dateTime(t.paused_until)}));else if(t.next_check&&t.status==="watching"){let i=t.is_true===null?"routines.next":"routines.next_check";e.push(this.texts(i,{time:this.dateTime(t.next_check)}))}return t.is_true!==null&&t.status==="watching"&&e.push(this.texts(t.is_true?"routines.is_true":"routines.is_false")),e.join(" · ")}does({does:t,action:e}){return t&&"commands"in t?a`<ul>
        ${t.commands.map(({device:i,command:o,arguments:n})=>a`<li><strong>${i}</strong>: <code>${o}</code> ${gs(n)}</li>`)}
      </ul>`:t&&"words"in t?a`<p>${this.texts("routines.tells",{words:t.words})}</p>`:a`<p>${this.texts("routines.decides",{action:e})}</p>`}asked(t){let e=a`<input
      name="answer"
      required
      autocomplete="off"
      type=${t.takes_pin?"password":"text"}
      inputmode=${t.takes_pin?"numeric":l}
      aria-label=${this.texts(t.takes_pin?"routines.pin":"routines.your_answer")}
      placeholder=${this.texts(t.takes_pin?"routines.pin":"routines.your_answer")}
    />`,i=t.wanted!=="text";return a`
      <div class="question" role="group" aria-label=${t.text}>
        <p><strong>${t.text}</strong></p>
        <form
          class="row"
          @submit=${o=>this.answer(t,z(o,"answer"))}
        >
          ${t.wanted==="yes_or_no"?a`<button
                type="button"
                class="primary"
                @click=${()=>this.answer(t,t.yes)}
              >
                ${this.texts("yes")}
              </button>`:a`${e}<button class="primary">${this.texts("routines.send")}</button>`}
          ${i?a`<button
                type="button"
                @click=${()=>this.answer(t,t.no)}
              >
                ${this.texts("no")}
              </button>`:l}
        </form>
      </div>
    `}strangeQuestions(){let t=new Set(this.routines?.map(({id:e})=>e));return this.questions.filter(({routine:e})=>!t.has(e)).map(e=>a`<section class="card">${this.asked(e)}</section>`)}words(t){let e=S.get(t),i=!!e?.answer,o=this.texts(e?.reply?"routines.your_answer":t?"routines.new_words":"routines.sentence");return a`
      <form
        aria-busy=${i}
        @submit=${n=>this.speak(n,t)}
      >
        <div role="status">
          ${e?.reply?a`<p>${e.reply}</p>`:l}
          ${i?a`<p class="secondary">${this.texts("card.working")}</p>
                <progress aria-label=${this.texts("card.working")}></progress>`:l}
        </div>
        ${t&&!e?.reply?a`<p class="secondary">${this.texts("routines.edit_info")}</p>`:l}
        <textarea
          name="words"
          required
          rows="2"
          maxlength="1000"
          aria-label=${o}
          placeholder=${o}
          ?readonly=${i}
          .value=${e?.words??""}
        ></textarea>
        <div class="row">
          <button class="primary" ?disabled=${i}>${this.texts("routines.send")}</button>
          ${!i&&(e?.replaces||e?.reply)?a`<button type="button" @click=${()=>this.cancel(t)}>
                ${this.texts("cancel")}
              </button>`:l}
        </div>
      </form>
    `}details(t){let e=this.codeErrors.get(t.id),i=!this.routines?.find(({id:o})=>o===t.id)?.is_household;return a`
      <p class="secondary">
        ${this.texts("routines.code_info",{interval:this.number(t.interval??0)})}
        ${t.hold?this.texts("routines.code_hold",{time:this.duration(t.hold)}):this.texts("routines.code_no_hold")}
      </p>
      <sage-code
        id="code-${t.id}"
        .value=${t.code??""}
        .label=${this.texts("routines.code")}
        ?readonly=${!i}
      ></sage-code>
      ${e?a`<p class="error" role="alert">${Tt(this.texts,e)}</p>`:l}
      ${i?a`<div class="row">
            <button @click=${()=>this.check(t.id)}>${this.texts("routines.check")}</button>
            <button class="primary" @click=${()=>this.save(t.id)}>
              ${this.texts("save")}
            </button>
          </div>`:l}
      ${t.end_code?a`<p class="secondary">${this.texts("routines.end_code")}</p>
            <sage-code
              .value=${t.end_code}
              .label=${this.texts("routines.end_code")}
              readonly
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
    `:l}};A.styles=[x.styles,wt,w`
    .status { font-weight: 500; }
    .linked { outline: 2px solid var(--primary-color); }
    .replaced { opacity: 0.6; }
  `],h([m()],A.prototype,"routines",2),h([m()],A.prototype,"others",2),h([m()],A.prototype,"questions",2),h([m()],A.prototype,"agent",2),h([m()],A.prototype,"unreadable",2),h([m()],A.prototype,"opened",2),h([m()],A.prototype,"tests",2),h([m()],A.prototype,"codeErrors",2),A=h([k("sage-routines")],A);function Re({interval:r}){return r!==void 0}function gs(r){return Object.entries(r).map(([s,t])=>`${s}: ${JSON.stringify(t)}`).join(", ")}var vs=[{path:"activity"},{path:"memory"},{path:"routines"},{path:"devices"},{path:"models",needsAdmin:!0}],U=class extends E{constructor(){super(...arguments);this.narrow=!1;this.language=""}willUpdate(t){t.has("hass")&&this.hass&&this.hass.language!==this.language&&(this.language=this.hass.language,this.readTexts(this.hass))}async readTexts(t){this.texts=await ce(t)}get tabs(){return vs.filter(t=>!t.needsAdmin||this.hass?.user.is_admin)}render(){if(!this.hass||!this.route)return l;let[t,...e]=this.route.path.split("/").filter(Boolean),i=this.tabs.find(o=>o.path===t)??this.tabs[0];return a`
      ${this.texts?this.header(this.texts,i):l}
      <main>${this.view(i,e.join("/"))}</main>
    `}header(t,e){return a`
      <header>
        <button class="menu" aria-label=${t("menu")} @click=${this.toggleMenu}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 6h18v2H3V6m0 5h18v2H3v-2m0 5h18v2H3v-2Z" />
          </svg>
        </button>
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs.map(i=>a`<a
              href="${this.route.prefix}/${i.path}"
              aria-current=${i===e?"page":l}
              @click=${q}
              >${t(`tabs.${i.path}`)}</a
            >`)}
        </nav>
      </header>
    `}view(t,e){let i=ae(`sage-${t.path}`);return le`<${i} .hass=${this.hass} .texts=${this.texts} .path=${e}></${i}>`}toggleMenu(){this.dispatchEvent(new CustomEvent("hass-toggle-menu",{bubbles:!0,composed:!0}))}};U.styles=w`
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
  `,h([T({attribute:!1})],U.prototype,"hass",2),h([T({type:Boolean,reflect:!0})],U.prototype,"narrow",2),h([T({attribute:!1})],U.prototype,"route",2),h([m()],U.prototype,"texts",2),U=h([k("sage-panel")],U);export{U as Panel};
