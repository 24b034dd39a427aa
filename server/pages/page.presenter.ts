/** HTML that is safe to insert into a page. */
export interface Html {
  html: string;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");

/** Builds HTML. Escapes every value except other `Html`. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  const texts = values.map((value) => {
    if (typeof value === "object") return "html" in value ? value.html : value.map((one) => one.html).join("");
    return escaped(String(value));
  });
  return { html: parts.map((part, index) => part + (texts[index] ?? "")).join("") };
}

/** The plain text of a marked-up text. */
export const wordsOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&nbsp;/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();

export interface CitationParts {
  creators: readonly string[];
  /** As in the metadata: a date or an interval. */
  date: string | undefined;
  title: string;
  version: string | undefined;
  publisher: string | undefined;
  doi: string | undefined;
}

const withStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** `Brown, T., & Lee, A. (2020). A Romans story (v2). Carrel. https://doi.org/…` */
export function citationOf({ creators, date, title, version, publisher, doi }: CitationParts): string {
  const year = /\d{4}/.exec(date ?? "")?.[0];
  const names = creators.length > 1 ? `${creators.slice(0, -1).join("; ")} & ${creators.at(-1)}` : (creators[0] ?? "");
  const head = [names, year && `(${year})`].filter(Boolean).join(" ");
  const parts = [head, version ? `${title} (${version})` : title, publisher].filter((part) => part && part !== "");
  const sentences = parts.map((part) => withStop(String(part)));
  return [...sentences, ...(doi ? [`https://doi.org/${doi}`] : [])].join(" ");
}

export interface Page {
  title: string;
  /** The kind of object, or a status, shown above the title. */
  kind: string;
  /** `carrel://…` */
  appLink: string | undefined;
  body: readonly Html[];
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#1c1b19}
h1{line-height:1.25;margin:.25rem 0 1rem}.kind{color:#6b655c}dt{font-weight:600}dd{margin:0 0 .75rem}
a{color:#0a5c8a}.open{display:inline-block;margin-top:1rem}
@media(prefers-color-scheme:dark){body{background:#1c1b19;color:#eee9e0}.kind{color:#a39c90}a{color:#7cc4ee}}`;

/** The complete HTML document. */
export function writePage({ title, kind, appLink, body }: Page, nonce: string): string {
  const open = appLink ? html`<p><a class="open" href="${appLink}">Open in Carrel</a></p>` : html``;
  return `<!doctype html>
${
  html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Carrel</title><style nonce="${nonce}">${{ html: style }}</style></head>
<body><main><p class="kind">${kind}</p><h1>${title}</h1>${body}${open}</main></body></html>`.html
}
`;
}

/** Content Security Policy of a page: only its own style. */
export const plainPagePolicy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
