declare module "markdown-it-footnote" {
  import type MarkdownIt from "markdown-it";

  const footnotes: (reader: MarkdownIt) => void;
  export = footnotes;
}
