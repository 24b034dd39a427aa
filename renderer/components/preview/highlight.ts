import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import fortran from "highlight.js/lib/languages/fortran";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import julia from "highlight.js/lib/languages/julia";
import kotlin from "highlight.js/lib/languages/kotlin";
import latex from "highlight.js/lib/languages/latex";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import matlab from "highlight.js/lib/languages/matlab";
import perl from "highlight.js/lib/languages/perl";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

const systems = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  fortran,
  go,
  ini,
  java,
  javascript,
  json,
  julia,
  kotlin,
  latex,
  lua,
};
const scripts = { makefile, matlab, perl, php, python, r, ruby, rust, sql, swift, typescript, xml, yaml };
const reader = createLowlight({ ...systems, ...scripts });

/** Colours of code; each has a rule in `styles/code.css`. */
export type CodeColour = "keyword" | "string" | "number" | "comment" | "title" | "attribute";

/** A coloured part of a text, by offsets. */
export interface CodeToken {
  start: number;
  end: number;
  colour: CodeColour;
}

/** More tokens slow the page down. */
const maxTokens = 40_000;

const byClass: Record<string, CodeColour> = {
  "hljs-keyword": "keyword",
  "hljs-literal": "keyword",
  "hljs-meta": "keyword",
  "hljs-section": "title",
  "hljs-selector-tag": "keyword",
  "hljs-string": "string",
  "hljs-regexp": "string",
  "hljs-addition": "string",
  "hljs-number": "number",
  "hljs-symbol": "number",
  "hljs-deletion": "number",
  "hljs-comment": "comment",
  "hljs-doctag": "comment",
  "hljs-title": "title",
  "hljs-name": "title",
  "hljs-built_in": "title",
  "hljs-type": "title",
  "hljs-attr": "attribute",
  "hljs-attribute": "attribute",
  "hljs-variable": "attribute",
  "hljs-property": "attribute",
};

type Parent = ReturnType<typeof reader.highlight>;

/** Coloured parts of a text in a language, in order; none for an unknown language. */
export function tokensOf(text: string, language: string): CodeToken[] {
  if (!reader.registered(language)) return [];
  const tokens: CodeToken[] = [];
  let at = 0;
  const walk = (nodes: Parent["children"], outer: CodeColour | undefined): void => {
    for (const node of nodes) {
      if (node.type === "text") {
        if (outer && tokens.length < maxTokens) tokens.push({ start: at, end: at + node.value.length, colour: outer });
        at += node.value.length;
      } else if (node.type === "element") {
        const names = node.properties.className;
        const name = Array.isArray(names) ? names.find((one) => String(one) in byClass) : undefined;
        walk(node.children, name === undefined ? outer : byClass[String(name)]);
      }
    }
  };
  walk(reader.highlight(language, text).children, undefined);
  return tokens;
}
