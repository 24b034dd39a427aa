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

/** The row of `search_text`: a text for each column, `coded` last, and a digest of them. */
export interface TextRow {
  columns: string[];
  hash: string;
  /** Every different token, without codes. */
  tokens: Set<string>;
}

/** Analyses the text values of a document, long ones one at a time; `idOf` gives the number of a path. */
export async function textRow(values: readonly FieldValue[], idOf: (path: string) => number): Promise<TextRow> {
  const slices = new Slices(longSliceMs);
  const parts: string[][] = Array.from({ length: textColumns.length + 1 }, () => []);
  const coded = parts[textColumns.length] ?? [];
  const present = new Set<string>();
  const all = new Set<string>();
  for (const value of values) {
    if (!isTextKind(value.kind)) continue;
    await slices.next();
    const text = String(value.value);
    const tokens = value.kind === "original" ? originalTokensOf(text) : tokensOf(text);
    await slices.next();
    const joined = value.kind === "joined" ? joinedFormsOf(text) : [];
    await slices.next();
    for (const token of [...tokens, ...joined]) all.add(token);
    present.add(presenceToken(idOf(value.path)));
    const column = textColumnOf(value.path);
    if (column !== undefined) parts[column]?.push(tokens.join(" "), ...joined);
    if (ownColumnOf(value.path) !== undefined) continue;
    const code = codeOf(idOf(value.path));
    for (const piece of [tokens, ...joined.map((form) => [form])]) {
      coded.push(piece.map((token) => code + token).join(" "));
    }
  }
  coded.push(...present);
  await slices.next();
  const columns = parts.map((pieces) => pieces.filter((piece) => piece !== "").join(` ${separator} `));
  const hash = createHash("sha1").update(columns.join("\n")).digest("base64");
  return { columns, hash, tokens: all };
}
