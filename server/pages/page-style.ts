import { createHash } from "node:crypto";
import type { Settings } from "../../shared/settings/settings.schema.ts";
import { usedRules } from "./used-rules.ts";

/** The one style sheet of all pages: colours as in the app, paper and hairlines, one column below 52 rem. */
const pageStyle = `
:root{color-scheme:light dark;--bg:light-dark(#f8fafc,#0f1318);--surface:light-dark(#fff,#161b21);
--line:light-dark(#d9dfe3,#2d343a);--text:light-dark(#182029,#e8ebef);--text-2:light-dark(#4d5660,#acb2b9);
--accent:light-dark(#00648b,#63bfe1);--soft:light-dark(#ddf0fb,#0f2f3d);--ok:light-dark(#236e44,#70cb92);
--warn:light-dark(#8f5d14,#e6b55d);--danger:light-dark(#b02a2d,#f7857d);--focus:light-dark(#0073cf,#60c2ff)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.625 "Inter Variable","Inter Fallback",system-ui,sans-serif;
overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.15em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
h1,h2,p,ul,ol,dl,dd,figure{margin:0;padding:0}
ul,ol{list-style:none}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;padding:.5rem 1rem;background:var(--surface);z-index:2}
.bar{border-bottom:1px solid var(--line)}
.bar div,footer div,main{max-width:78rem;margin:auto;padding:0 1.5rem}
.bar div{display:flex;align-items:center;gap:1rem;min-height:3.5rem}
.bar a:first-child{display:flex;gap:.5rem;align-items:center}.bar img{display:block}.prose.site{margin-top:1rem}.prose.site h2{margin-top:2rem;font-size:1.25rem;line-height:1.75rem;color:inherit}.bar a{color:inherit;text-decoration:none;font-weight:640}
body{display:flex;flex-direction:column;min-height:100vh}main{flex:1;width:100%;padding-top:2.5rem;padding-bottom:3.5rem}
footer{border-top:1px solid var(--line);color:var(--text-2);font-size:.875rem}
footer div{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;padding-top:1rem;padding-bottom:2rem}
.meta{display:flex;flex-wrap:wrap;gap:.25rem .75rem;color:var(--text-2);font-size:.875rem;line-height:1.375rem}
h1{margin:.5rem 0 1rem;font-size:clamp(1.625rem,1.1rem + 1.75vw,2.375rem);line-height:1.14;font-weight:640;
letter-spacing:-.022em;text-wrap:balance}
h2{font-size:.8125rem;line-height:1.375rem;font-weight:600;color:var(--text-2)}
.number{padding-left:.75rem;border-left:3px solid var(--accent);font:.8125rem/1.375rem "IBM Plex Mono",ui-monospace,monospace;
color:var(--text-2)}
.state{font-weight:600}.open{color:var(--ok)}.embargoed,.restricted{color:var(--warn)}.deleted{color:var(--danger)}
.people{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
.people sup{color:var(--text-2);font-size:.6875rem;line-height:0}
.affiliations{margin-top:.5rem;color:var(--text-2);font-size:.875rem;line-height:1.375rem}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
.button{display:inline-flex;align-items:center;min-height:2.5rem;padding:.375rem 1rem;border:1px solid var(--accent);
border-radius:4px;text-decoration:none;font-weight:560}
.strip{padding-top:1rem;border-top:1px solid var(--line)}.strip .button{border-color:var(--line)}
.button.primary{background:var(--accent);color:light-dark(#fff,#09131a)}
.way{padding-top:1rem;border-top:1px solid var(--line)}.way>*+*{margin-top:.75rem}.way form .field+.field{margin-top:0}
.own li{display:flex;gap:1rem;align-items:center;justify-content:space-between}
.own form{flex:none}.own .button{white-space:nowrap}.qr{width:12rem}.qr svg{display:block}.codes{columns:2;max-width:26rem;font-size:1.0625rem;line-height:2}
.ways-in{display:grid;gap:.5rem;max-width:26rem}.ways-in .button{width:100%;justify-content:center}
.field{display:grid;grid-template-columns:minmax(0,1fr);gap:.25rem;max-width:26rem;margin-bottom:1rem}.field label{font-weight:560}
.field input{min-height:2.5rem}.field :is(input,textarea){padding:.375rem .75rem;font:inherit;color:inherit;background:var(--surface);
border:1px solid light-dark(#86909a,#6b757e);border-radius:4px}
.choice{display:grid;grid-template-columns:auto 1fr;gap:.25rem .5rem;align-items:center;max-width:26rem;margin-bottom:1rem}.choice input{margin:0}
.choice .problem{grid-column:1/-1}.choice input{width:1.5rem;height:1.5rem;accent-color:var(--accent)}
.field input[aria-invalid]{border-color:var(--danger)}.problem{color:var(--danger)}
button{font:inherit;cursor:pointer;background:none;color:var(--accent)}
[hidden]{display:none!important}.copy,.styles select{margin-top:.5rem;background:none;padding:.125rem .625rem;border:1px solid var(--line);border-radius:4px;font-size:.8125rem;line-height:1.375rem}
.typed{display:flex;gap:.5rem}.typed input{flex:1;min-width:0}.typed button{padding:0 .75rem;border:1px solid var(--line);border-radius:4px}.typed [aria-pressed=true]{background:var(--soft)}
.account{display:flex;gap:1rem;font-weight:400}.account a{font-weight:400}
.account button{padding:0;border:0;color:inherit}
.notice{margin-bottom:1.5rem;padding:.75rem 1rem;border-left:3px solid var(--accent);background:var(--soft)}
.part{padding:1.5rem 0 2.5rem;border-top:1px solid var(--line)}
.prose{max-width:44rem;font-size:1.0625rem;line-height:1.75rem}
.prose>*+*{margin-top:.75rem}.prose ul{list-style:disc;padding-inline-start:1.25rem}.prose ol{list-style:decimal;padding-inline-start:1.25rem}
.prose pre{overflow:auto}.prose table{border-collapse:collapse}.prose table[tabindex]{display:block;overflow-x:auto;overflow-wrap:normal}.prose td,.prose th{border:1px solid var(--line);padding:.25rem .5rem}
.files li{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:baseline;padding:.4375rem 0;border-bottom:1px solid var(--line)}
.files a:first-child,.files .name{flex:1 1 7rem;min-width:0}.folder{color:var(--text-2)}.folders>li{border-bottom:1px solid var(--line)}
.folders details>:not(summary){margin-left:1rem;padding-left:1rem;border-left:1px solid var(--line)}
.folders summary{display:flex;gap:1rem;padding:.4375rem 0}.folders summary span:first-child{flex:1;min-width:0}
.folders summary::before{content:"";align-self:center;flex:none;width:.375rem;height:.375rem;border:solid currentColor;border-width:0 2px 2px 0;
transform:rotate(-45deg)}.folders details[open]>summary::before{transform:rotate(45deg)}.folders summary::-webkit-details-marker{display:none}
.folders li:has(>details[open]){border-bottom:0}
.crumbs ol{display:flex;font-size:.875rem;line-height:1.5rem}
.crumbs li{display:flex;flex:none;white-space:nowrap}.crumbs li:first-child{flex:0 1 auto;min-width:0}.crumbs a{overflow:hidden;text-overflow:ellipsis}.crumbs li:not(:last-child)::after{content:"/";padding:0 .5rem;color:var(--text-2)}
.filter{max-width:26rem;margin-bottom:.75rem}.wide>*+*{margin-top:1rem}.files+.meta,.folders+.meta{margin-top:.75rem}.crumbs{min-width:0}.wide h2{margin-bottom:-.5rem}.wide h1{margin:.5rem 0}
.code{margin:0;padding:.75rem 1rem;overflow:auto;max-height:40rem;background:var(--surface);border:1px solid var(--line);border-radius:4px;
font:.8125rem/1.25rem "IBM Plex Mono",ui-monospace,monospace;overflow-wrap:normal;tab-size:4}
.scroll{overflow:auto;max-height:40rem;border:1px solid var(--line);border-radius:4px;background:var(--surface)}
.scroll table{min-width:100%;border-collapse:collapse;font-size:.875rem;line-height:1.25rem;font-variant-numeric:tabular-nums;overflow-wrap:normal}
.scroll td,.scroll th{padding:.25rem .75rem;border-bottom:1px solid var(--line);text-align:left;white-space:pre;max-width:24rem;overflow:hidden;text-overflow:ellipsis}
.scroll th{position:sticky;top:0;background:var(--surface);font-weight:600}.scroll .number-cell{text-align:right}
.scroll+.meta,.part .meta+*,.part p+p{margin-top:.5rem}
.frame{width:100%;height:30rem;border:1px solid var(--line);border-radius:4px;background:#fff}.picture{max-width:100%;height:auto;background:#fff;border:1px solid var(--line)}.player{max-width:100%;height:auto}
.map{display:block;width:100%;height:auto;margin-bottom:.5rem;background:var(--surface);border:1px solid var(--line);border-radius:4px}
.map path{fill:none;stroke:var(--accent);stroke-width:1.5;vector-effect:non-scaling-stroke}.map .area{fill:var(--accent);fill-opacity:.18;fill-rule:evenodd}
.map .grid path{stroke:var(--line);stroke-width:1}.map text{fill:var(--text-2);font-size:.75rem}.map .point{stroke-width:8;stroke-linecap:round}
.notebook>*+*{margin-top:.75rem}.notebook>.meta+*{margin-top:.25rem}.code.result{margin-top:0;background:none;border-top:0}.code.problem{color:inherit;border-left:2px solid var(--danger)}
.sum{font:.8125rem/1.375rem "IBM Plex Mono",ui-monospace,monospace}
.size{color:var(--text-2);font-size:.875rem;font-variant-numeric:tabular-nums;white-space:nowrap}
.size.type{min-width:0;text-align:right;white-space:normal}
.sub{margin:1.5rem 0 .5rem;font-size:1rem}
.facts{display:grid;grid-template-columns:minmax(7rem,11rem) 1fr;gap:.375rem 1.5rem}
.facts dt{color:var(--text-2);font-size:.875rem}.facts dd{grid-column:2}
.card{padding:1rem;background:var(--surface);border:1px solid var(--line);border-top:2px solid var(--accent);border-radius:6px}
.card p{margin-top:.5rem;font-size:.875rem;line-height:1.375rem;user-select:all}
.formats,.styles{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem;margin-top:.75rem;font-size:.8125rem}
.side{display:grid;gap:2rem;align-content:start;font-size:.875rem;line-height:1.375rem}
.side ol li{padding:.375rem 0 .375rem .75rem;border-left:2px solid var(--line)}
.side li[aria-current]{border-left-color:var(--accent);font-weight:600}
.side small{display:block;color:var(--text-2);font-weight:400;font-size:.8125rem}
.side .cite-all{margin-top:.5rem}.cite-all small{display:block;color:var(--text-2);font-size:.8125rem}
.rows li{padding:.75rem 0;border-bottom:1px solid var(--line)}
.bar .ask{flex:1;max-width:34rem;margin-left:auto}.bar .account{margin-left:auto}.bar .ask+.account{margin-left:0}
.ask{display:flex;gap:.5rem;min-width:0}
.ask input,.ask button{min-height:2.25rem;padding:0 .75rem;border:1px solid var(--line);border-radius:4px;background:var(--surface);
color:inherit;font:inherit}
.ask input{flex:1;min-width:0}.ask button{border-color:var(--accent);color:var(--accent);font-weight:560;cursor:pointer}
.home{max-width:48rem}.home>*+*{margin-top:1.25rem}.home .ask{max-width:40rem}.home .ask>*{min-height:3rem}
.figures dl{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;margin-bottom:.5rem}.figures div{display:flex;flex-direction:column-reverse}
.figures dt{color:var(--text-2);font-size:.875rem;line-height:1.375rem}.figures dd{font-size:1.5rem;line-height:2rem;font-weight:600;font-variant-numeric:tabular-nums}
.home .part{display:block;padding-bottom:0}
.results h2{margin:.125rem 0;font-size:1.125rem;line-height:1.625rem;color:inherit}
.results h2 a{text-decoration:none}.results h2 a:hover{text-decoration:underline}
.results li{padding:1rem 0;display:flow-root}.thumb{float:right;width:4rem;height:4rem;margin:.25rem 0 .25rem 1.5rem;object-fit:cover;background:#fff;border:1px solid var(--line);border-radius:4px}
.cover{margin-top:1.5rem}.cover img{display:block;max-width:100%;height:16rem;object-fit:contain;background:#fff;border:1px solid var(--line);border-radius:4px}
.snippet{display:-webkit-box;max-width:44rem;margin-top:.25rem;overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:2;
font-size:.9375rem;line-height:1.5rem}
mark{background:var(--soft);color:inherit;font-weight:600}
.search>.found>.meta{margin-bottom:.75rem}
.facets{display:grid;gap:1.5rem;align-content:start;font-size:.875rem;line-height:1.375rem}
.facets li>a{display:flex;gap:1rem;justify-content:space-between;padding:.1875rem 0;text-decoration:none}
.facets li>a[aria-current],.sorts a[aria-current],.pages a[aria-current]{color:inherit;font-weight:640;text-decoration:none}
.facets a:hover span:first-child{text-decoration:underline}.facets ul ul{padding-left:.75rem;border-left:1px solid var(--line)}
.types ul{columns:2;column-gap:2.5rem}.types li{break-inside:avoid}
.years{display:block;width:100%;margin-top:.375rem;overflow:visible}.years rect{fill:var(--accent)}.years .ground{fill:var(--line);opacity:.35}
.years a:hover rect:last-child{fill:var(--text)}.ends{justify-content:space-between}
.chips,.sorts ul,.pages ul{display:flex;flex-wrap:wrap;gap:.375rem 1rem;font-size:.875rem;line-height:1.5rem}
.chips{margin-bottom:.75rem}.chip{padding:.125rem .625rem;border:1px solid var(--line);border-radius:4px;background:var(--surface);text-decoration:none}
.sorts{padding-bottom:.5rem;border-bottom:1px solid var(--line)}.pages{margin-top:1.5rem}.pages a{padding:.25rem}
.ways{margin-top:.5rem;list-style:disc;padding-left:1.25rem}
summary{cursor:pointer;color:var(--accent)}
.narrow{max-width:44rem}
.narrow>*+*{margin-top:1rem}
@media(min-width:52rem){.record{display:grid;grid-template-columns:minmax(0,1fr) 16.5rem;column-gap:3rem;
grid-template-rows:repeat(7,auto) 1fr}.record>*{grid-column:1}.record>.side{grid-column:2;grid-row:1/span 8}}
@media(min-width:52rem){.search{display:grid;grid-template-columns:15rem minmax(0,1fr);column-gap:3rem}
.search>.found{grid-column:2;grid-row:1}.search>.found:only-child{grid-column:1/-1}.search>.facets{grid-column:1;grid-row:1;padding-top:.5rem}.to-filters{display:none}}
@media(min-width:74rem){.home{display:grid;grid-template-columns:minmax(0,48rem) 18.5rem;column-gap:4rem;max-width:none}
.home>*{grid-column:1}.home>.types{grid-column:2;grid-row:5}.home>.types ul{columns:1}.record{grid-template-columns:minmax(0,1fr) 18.5rem;column-gap:4rem}
.head,.part{display:grid;grid-template-columns:8.5rem minmax(0,1fr);column-gap:2rem}.head{padding-bottom:2.5rem}}
@media(max-width:73.99rem){.number{margin-bottom:1rem;width:fit-content}.part h2{margin-bottom:.5rem}.head{padding-bottom:2rem}}
@media(max-width:51.99rem){.map text{display:none}.search>.facets{margin-top:2rem;padding-top:1.5rem;border-top:1px solid var(--line)}.types ul{columns:1}
.years,.ends{max-width:24rem}.bar div{flex-wrap:wrap;gap:.25rem 1rem;padding-top:.5rem;padding-bottom:.5rem}.bar div>a{flex:1 1 0;min-width:6rem}.bar .ask{order:1;flex-basis:100%}.bar .ask+.account{margin-left:auto}.record{display:flex;flex-direction:column}.side{display:contents}.side section{order:1;padding:1.5rem 0;border-top:1px solid var(--line)}.side .card{order:0;margin-bottom:2rem;padding:1rem;border:1px solid var(--line);border-top:2px solid var(--accent)}.actions .primary{width:100%;justify-content:center}
.facts{grid-template-columns:1fr;gap:0}.facts dd{grid-column:1;margin-bottom:.75rem}}
@page{margin:1.5cm}
@media print{:root{color-scheme:light}.bar,.actions,.button,.ask,.sorts,.facets,.styles,.formats,.copy,.filter,.pages,.crumbs,.to-filters,.found>.meta a,.files li>a:not(:first-child),footer,.skip{display:none}
.code,.scroll{max-height:none}main{padding:0}.record{display:flex;flex-direction:column}.side{display:contents}.side .card{order:-1}.facts{display:block}
.folders details::details-content{content-visibility:visible}.folders summary::before{display:none}
h1,h2,dt{break-after:avoid}.card,.side section,.rows li,.files li{break-inside:avoid}a[href^="http"]:not(.bare)::after{content:" (" attr(href) ")";font-size:.8em}}
`;

const defaultAccent = "--accent:light-dark(#00648b,#63bfe1)";

/**
 * The font of the build. A page that is drawn before the font has loaded keeps the fallback font, which has the same
 * metrics. So text never moves while it is read.
 */
export const fontFaces = (path: string | undefined): string =>
  path === undefined
    ? ""
    : `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:optional;src:url(${path}) format("woff2")}@font-face{font-family:"Inter Fallback";src:local("Arial"),local("Liberation Sans");size-adjust:107%;ascent-override:90.5%}`;

export interface PageLook {
  /** The rules that a document uses. */
  styleOf(document: string): string;
}

const looks = new WeakMap<Settings["site"], PageLook>();

/** The style sheet with the accent of the site. */
export function pageLook(site: Settings["site"]): PageLook {
  const known = looks.get(site);
  if (known) return known;
  const { accent } = site;
  const style = accent
    ? pageStyle.replace(defaultAccent, `--accent:light-dark(${accent.light},${accent.dark})`)
    : pageStyle;
  const look = { styleOf: usedRules(style) };
  looks.set(site, look);
  return look;
}

const digests = new Map<string, string>();
/** Pages of one kind have one style. */
const maxDigests = 500;

function digestOf(style: string): string {
  const known = digests.get(style);
  if (known !== undefined) return known;
  if (digests.size >= maxDigests) digests.clear();
  const digest = createHash("sha256").update(style).digest("base64");
  digests.set(style, digest);
  return digest;
}

/** What a page shows from elsewhere than this server. */
export interface Sources {
  /** Origin of the frames on the page. */
  frames?: string;
  /** Pictures stand in the page itself. */
  hasOwnPictures?: boolean;
}

/**
 * Content Security Policy of a page: its style alone; scripts of the build; pictures and sounds of this server.
 * @param homes where the build is: the server's address, and the name by which it was called.
 */
export function pagePolicy(style: string, homes: readonly string[], { frames, hasOwnPictures }: Sources): string {
  const assets = homes.map((home) => `${home}assets/`).join(" ");
  return [
    "default-src 'none'",
    `style-src 'sha256-${digestOf(style)}'`,
    `script-src ${assets}`,
    "connect-src 'self'",
    `img-src 'self'${hasOwnPictures ? " data:" : ""}`,
    "media-src 'self'",
    `font-src ${assets}`,
    ...(frames === undefined ? [] : [`frame-src ${frames}`]),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
