import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { repository } from "../support/run.ts";

/** Texts by their path, such as `action.add`. */
function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>();
  const collect = (node: object, path: string): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "string") texts.set(path + key, value);
      else collect(value, `${path}${key}.`);
    }
  };
  collect(JSON.parse(readFileSync(join(repository, `renderer/locales/${language}.json`), "utf8")), "");
  return texts;
}

const variablesOf = (text: string): string[] => (text.match(/\{\{[^}]*\}\}/g) ?? []).sort();

/** Attributes that people read or hear. */
const readAttributes = /^(?:aria-(?:label|description|roledescription)|alt|label|placeholder|title|help|name)$/;

/** Names that are the same in each language. */
const names = /^(?:Carrel|ORCID|DOI|English|Deutsch|Ctrl|Alt|Shift|Enter|Esc|MB\/s)$/;

/** Texts of a component that stand in the source instead of the locales: `line: text`. */
function hardCodedTexts(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const judge = (node: ts.Node, text: string): void => {
    const words = text.trim();
    if (!/\p{L}{2}/u.test(words) || names.test(words)) return;
    found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${words}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) judge(node, node.text);
    const isRead = ts.isJsxAttribute(node) && readAttributes.test(node.name.getText());
    if (isRead && node.initializer && ts.isStringLiteral(node.initializer) && /[A-Z ]/.test(node.initializer.text))
      judge(node, node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("the app can be translated (issue 17, words)", () => {
  const english = textsOf("en");
  const german = textsOf("de");

  test("German has each text of the app and no other", () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test("German names the same values in each text", () => {
    const different = [...english].filter(([key, text]) => {
      const other = german.get(key);
      return other !== undefined && variablesOf(other).join() !== variablesOf(text).join();
    });
    expect(different).toEqual([]);
  });

  test("no component has texts of its own", () => {
    const files = globSync("renderer/**/*.tsx", { cwd: repository });
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((file) => hardCodedTexts(join(repository, file)).map((text) => `${file}:${text}`));
    expect(found).toEqual([]);
  });
});
