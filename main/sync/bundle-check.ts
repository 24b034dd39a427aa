import type { Bundle, BundleRow, Cell } from "../../shared/bundles/bundle.schema.ts";
import { bundleTables } from "../../shared/bundles/bundle-tables.ts";
import { isShallowJson } from "../../shared/kernel/json-pieces.ts";
import { storedReviewers } from "../../shared/requests/reviewer.schema.ts";
import { InvalidAnswer } from "./validate-answer.ts";

/*
 * Checks that rows belong to the object and can be read. An unreadable row would break every list that shows it, for
 * good. SQLite checks the column types, because all tables are STRICT.
 */

type Rule = (text: string) => boolean;

const isTree = (text: string, isRight: (value: unknown) => boolean): boolean => {
  if (!isShallowJson(text)) return false;
  try {
    return isRight(JSON.parse(text));
  } catch {
    return false;
  }
};
const isObject: Rule = (text) =>
  isTree(text, (value) => typeof value === "object" && value !== null && !Array.isArray(value));
const isNames: Rule = (text) =>
  isTree(text, (value) => Array.isArray(value) && value.every((item) => typeof item === "string"));
const isReviewers: Rule = (text) => isTree(text, (value) => storedReviewers.safeParse(value).success);
const isAnything: Rule = (text) => isTree(text, () => true);

/** Ids become parts of URL paths, so an id such as `..` could change which URL is called. */
const isSafeId: Rule = (text) => /^[^\s/\\?#%]{1,300}$/.test(text) && !/^\.\.?$/.test(text);

const rules = new Map<string, Rule>([
  ...[
    "access",
    "announced",
    "custom_fields",
    "expanded",
    "metadata",
    "pids",
    "preferences",
    "settings",
    "their_receiver",
    "their_topic",
    "tombstone",
  ].map((name): [string, Rule] => [name, isObject]),
  ["about", isObject],
  ["file_order", isNames],
  ["offered", isNames],
  ["reviewers", isReviewers],
  ["mine", isAnything],
  ["theirs", isAnything],
  ["sha256", (text) => /^[0-9a-f]{64}$/.test(text)],
  ["md5", (text) => /^[0-9a-f]{32}$/.test(text)],
]);
const ruleOf = (name: string): Rule | undefined =>
  rules.get(name) ?? (name === "id" || name.endsWith("_id") ? isSafeId : undefined);

/** Each row of these tables belongs to a draft or record of the same bundle. */
const owners = new Map([
  ["alias", "new_id"],
  ["document", "draft_id"],
  ["draft_review", "draft_id"],
  ["file_entry", "owner_id"],
  ["pid", "record_id"],
]);

function assertCells(table: string, row: BundleRow): void {
  for (const [name, cell] of Object.entries<Cell>(row)) {
    const isFit = typeof cell !== "string" || (ruleOf(name)?.(cell) ?? true);
    if (!isFit) throw new InvalidAnswer(`${table}.${name}: it cannot be read`);
  }
}

const rowsIn = ({ rows }: Bundle, table: string): BundleRow[] =>
  Object.hasOwn(rows, table) ? (rows[table] ?? []) : [];

/**
 * @param expected the object that was requested or announced
 * @throws InvalidAnswer for another object, for rows of other objects, and for unreadable rows.
 */
export function assertBundle(bundle: Bundle, expected: { kind: string; id: string }): void {
  if (bundle.kind !== expected.kind || bundle.id !== expected.id) throw new InvalidAnswer("bundle: of another object");
  if (!isSafeId(bundle.id)) throw new InvalidAnswer("bundle: no id");
  const [main] = bundleTables[bundle.kind];
  const mayBeEmpty = bundle.kind === "user";
  if (main && !mayBeEmpty && rowsIn(bundle, main.table).length !== 1) throw new InvalidAnswer("bundle: no object");
  const contents = new Set([...rowsIn(bundle, "draft"), ...rowsIn(bundle, "record")].map(({ id }) => id));
  for (const { table, key } of bundleTables[bundle.kind]) {
    const owner = owners.get(table);
    for (const row of rowsIn(bundle, table)) {
      if (row[key] !== bundle.id) throw new InvalidAnswer(`${table}: a row of another object`);
      if (owner !== undefined && !contents.has(row[owner] ?? null)) {
        throw new InvalidAnswer(`${table}: a row of another draft or record`);
      }
      assertCells(table, row);
    }
  }
  for (const row of bundle.people) assertCells("user", row);
}
