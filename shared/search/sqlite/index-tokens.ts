import { createHash } from "node:crypto";
import { longSliceMs, Slices } from "../../kernel/time-slice.ts";
import { joinedFormsOf, originalTokensOf, tokensOf } from "../language/analysis.ts";
import type { FieldValue } from "../language/field.ts";
import { isTextKind } from "../language/field.ts";
import { textColumnOf, textColumns } from "../record-fields.ts";

/** Stands between two values, so that no phrase reaches from one into the next. No text has this token. */
export const separator = "\uE000";
const presence = "\uE001";
const firstCode = 0xf0000;

/** The character before each token of a path without a column of its own. */
export const codeOf = (pathId: number): string => String.fromCodePoint(firstCode + pathId);

/** The token that says that a path has a value. */
export const presenceToken = (pathId: number): string => codeOf(pathId) + presence;

/** The column of exactly this path; undefined: its tokens are coded. */
export function ownColumnOf(path: string): number | undefined {
  const column = textColumnOf(path);
  return column !== undefined && textColumns[column]?.path === path ? column : undefined;
}

/** The tokens of one text value, and its forms as one token. */
interface AnalysedText {
  path: string;
  tokens: string[];
  joined: string[];
}

/** The text values of a document, analysed. */
export interface AnalysedTexts {
  texts: AnalysedText[];
  /** Every different token. */
  tokens: Set<string>;
}

/** Analyses the text values of a document, long ones one at a time. */
export async function analysedTexts(values: readonly FieldValue[]): Promise<AnalysedTexts> {
  const slices = new Slices(longSliceMs);
  const texts: AnalysedText[] = [];
  const all = new Set<string>();
  for (const { kind, path, value } of values) {
    if (!isTextKind(kind)) continue;
    await slices.next();
    const text = String(value);
    const tokens = kind === "original" ? originalTokensOf(text) : tokensOf(text);
    await slices.next();
    const joined = kind === "joined" ? joinedFormsOf(text) : [];
    await slices.next();
    for (const token of [...tokens, ...joined]) all.add(token);
    texts.push({ path, tokens, joined });
  }
  return { texts, tokens: all };
}

/** The row of `search_text`: a text for each column, `coded` last, and a digest of them. */
export interface TextRow {
  columns: string[];
  hash: string;
}

/** The row of a document; `idOf` gives the number of a path. */
export async function textRow({ texts }: AnalysedTexts, idOf: (path: string) => number): Promise<TextRow> {
  const slices = new Slices(longSliceMs);
  const parts: string[][] = Array.from({ length: textColumns.length + 1 }, () => []);
  const coded = parts[textColumns.length] ?? [];
  const present = new Set<string>();
  for (const { path, tokens, joined } of texts) {
    await slices.next();
    present.add(presenceToken(idOf(path)));
    const column = textColumnOf(path);
    if (column !== undefined) parts[column]?.push(tokens.join(" "), ...joined);
    if (ownColumnOf(path) !== undefined) continue;
    const code = codeOf(idOf(path));
    for (const piece of [tokens, ...joined.map((form) => [form])]) {
      coded.push(piece.map((token) => code + token).join(" "));
    }
  }
  coded.push(...present);
  await slices.next();
  const columns = parts.map((pieces) => pieces.filter((piece) => piece !== "").join(` ${separator} `));
  return { columns, hash: createHash("sha1").update(columns.join("\n")).digest("base64") };
}
