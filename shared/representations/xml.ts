import type { Hits } from "../kernel/hits.ts";

type Attributes = Record<string, string | undefined>;
/** Elements of a parent; what is undefined is left out. */
export type Children = readonly (XmlText | undefined)[];
/** Text that is XML already. */
export interface XmlText {
  xml: string;
}

const replacements: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** A text inside an element or attribute: escaped, without characters that XML cannot hold. */
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

/** `<name …>content</name>`, or undefined when the content is an absent text. */
export function element(name: string, content: string | undefined, attributes: Attributes = {}): XmlText | undefined {
  return content === undefined ? undefined : { xml: `<${name}${written(attributes)}>${escapeXml(content)}</${name}>` };
}

/** An element with others in it; undefined when there are none. */
export function parent(name: string, children: Children, attributes: Attributes = {}): XmlText | undefined {
  const inner = children.filter((child) => child !== undefined).map(({ xml }) => xml);
  return inner.length === 0 ? undefined : { xml: `<${name}${written(attributes)}>${inner.join("")}</${name}>` };
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A whole file with one element. */
export const xmlFile = ({ xml }: XmlText): string => `${declaration}${xml}\n`;

/** A whole file with one element in its root. */
export const xmlAround = (name: string, { xml }: XmlText, attributes: Attributes = {}): string =>
  `${declaration}<${name}${written(attributes)}>${xml}</${name}>\n`;

/** A whole file in pieces, an element for each item in its root. */
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
