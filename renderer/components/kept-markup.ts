import { Mark, Node, type NodeConfig } from "@tiptap/react";

/** An element with its content, in a text and in the editor. */
const element = (name: string, tag: string, config: Partial<NodeConfig>) =>
  Node.create({ name, ...config, parseHTML: () => [{ tag }], renderHTML: () => [tag, 0] });

const heading = Node.create({
  name: "heading",
  group: "block",
  content: "inline*",
  defining: true,
  addAttributes: () => ({ level: { default: 2, rendered: false } }),
  parseHTML: () => [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level: Math.min(level, 5) } })),
  renderHTML: ({ node }) => [`h${node.attrs.level}`, 0],
});

const cell = { content: "block+", isolating: true };

const mark = (name: string, ...tags: [string, ...string[]]) =>
  Mark.create({ name, parseHTML: () => tags.map((tag) => ({ tag })), renderHTML: () => [tags[0], 0] });

/**
 * What the API keeps in a text (records 8) and the tools do not offer: headings, tables, raised, lowered and struck letters.
 * A text from elsewhere keeps them when it is edited or pasted.
 */
export const keptMarkup = [
  heading,
  element("table", "table", { group: "block", content: "tableCaption? (tableBody | tableHead)+", isolating: true }),
  element("tableCaption", "caption", { content: "inline*", isolating: true }),
  element("tableHead", "thead", { content: "tableRow+" }),
  element("tableBody", "tbody", { content: "tableRow+" }),
  element("tableRow", "tr", { content: "(tableCell | tableHeader)+" }),
  element("tableCell", "td", cell),
  element("tableHeader", "th", cell),
  mark("subscript", "sub"),
  mark("superscript", "sup"),
  mark("strike", "strike", "s", "del"),
];
