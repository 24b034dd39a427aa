import type { Hits } from "../kernel/hits.ts";

type Attributes = Record<string, string | undefined>;
/** Child elements; undefined ones are omitted. */
export type Children = readonly (XmlText | undefined)[];
/** Serialised XML. */
export interface XmlText {
  xml: string;
}

const replacements: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Escapes text for elements and attributes, and removes characters that XML forbids. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"']/g, (character) => replacements[character] ?? "");

const written = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");

/** `<name …>content</name>`; undefined for undefined content. */
export function element(name: string, content: string | undefined, attributes: Attributes = {}): XmlText | undefined {
  return content === undefined ? undefined : { xml: `<${name}${written(attributes)}>${escapeXml(content)}</${name}>` };
}

/** An element with children; undefined without any. */
export function parent(name: string, children: Children, attributes: Attributes = {}): XmlText | undefined {
  const inner = children.filter((child) => child !== undefined).map(({ xml }) => xml);
  return inner.length === 0 ? undefined : { xml: `<${name}${written(attributes)}>${inner.join("")}</${name}>` };
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A complete file with one element. */
export const xmlFile = ({ xml }: XmlText): string => `${declaration}${xml}\n`;

/** A complete file with one element inside its root. */
export const xmlAround = (name: string, { xml }: XmlText, attributes: Attributes = {}): string =>
  `${declaration}<${name}${written(attributes)}>${xml}</${name}>\n`;

/** A complete file in pieces: the root with an element for each item. */
export async function* xmlList<T>(
  name: string,
  items: Hits<T>,
  toXml: (item: T) => XmlText,
  attributes: Attributes = {},
): AsyncGenerator<string> {
  yield `${declaration}<${name}${written(attributes)}>`;
  for await (const item of items) yield toXml(item).xml;
  yield `</${name}>\n`;
}
