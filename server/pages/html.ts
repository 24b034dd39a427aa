/** HTML that is safe to insert into a page. */
export interface Html {
  html: string;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");

export const nothing: Html = { html: "" };

/** Builds HTML. Escapes every value except other `Html`. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  const texts = values.map((value) => {
    if (typeof value === "object") return "html" in value ? value.html : value.map((one) => one.html).join("");
    return escaped(String(value));
  });
  return { html: parts.map((part, index) => part + (texts[index] ?? "")).join("") };
}

/** An address from a record that may stand in `href`: http, https or mailto. Anything else leads nowhere. */
export const safeAddress = (address: string): string => (/^(https?:\/\/|mailto:)/i.test(address) ? address : "#");

/** JSON that may stand in a `<script>` element: no `<` can end the element. */
export const jsonInScript = (value: unknown): Html => ({
  html: JSON.stringify(value).replaceAll("<", "\\u003c"),
});

/** An absolute address of this host as a path: pages show pictures of their own origin alone. */
export const ownPath = (address: string): string => new URL(address).pathname;
