import { sameJson } from "../../../shared/documents/json.ts";
import type { FileEntry, PersonOrOrg, RecordBody } from "../../api-client/record-types.ts";
import { htmlLines } from "../../format/html-words.ts";

/** What of a body is compared. */
export type Compared = Pick<RecordBody, "metadata" | "custom_fields" | "access" | "pids">;

/** What of a file is compared; `size` in bytes. */
export type ComparedFile = Pick<FileEntry, "key" | "checksum" | "size">;

export type ChangeKind = "added" | "changed" | "removed" | "same";

export interface FieldChange {
  /** `title`, `access.files` … */
  field: string;
  kind: ChangeKind;
  before: string;
  after: string;
}

export interface FileChange {
  kind: "added" | "changed" | "removed" | "renamed" | "same";
  key: string;
  /** Of a file of another name and the same bytes. */
  formerKey?: string;
  size: number;
}

const order = ["title", "resource_type", "publication_date", "creators", "description"];
/** What says best in one line what an object is. */
const telling = ["name", "title", "subject", "identifier", "description", "reference", "date", "number", "id"];

/** A value in words: a line for each item of a list, names rather than structure. */
export function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(wordsOf).join("\n");
  if (typeof value !== "object") return String(value);
  const object = value as Record<string, unknown>;
  if (typeof object.en === "string") return object.en;
  if ("person_or_org" in object) return personWords(object);
  const known = telling.filter((key) => object[key] !== undefined);
  const main = known.length > 0 ? wordsOf(object[known[0] ?? ""]) : "";
  const nested = ["type", "relation_type", "role", "funder", "award", "scheme"]
    .filter((key) => object[key] !== undefined)
    .map((key) => wordsOf(object[key]));
  return [main, ...nested].filter(Boolean).join(" · ") || JSON.stringify(value);
}

function personWords(person: Record<string, unknown>): string {
  const { name, family_name, given_name, identifiers } = person.person_or_org as PersonOrOrg;
  const label = name ?? [family_name, given_name].filter(Boolean).join(", ");
  const places = ((person.affiliations ?? []) as unknown[]).map(wordsOf).join("; ");
  const ids = (identifiers ?? []).map(({ identifier }) => identifier).join("; ");
  return [label, person.role ? wordsOf(person.role) : "", places, ids].filter(Boolean).join(" · ");
}

function valuesOf(record: Compared): Record<string, unknown> {
  const { access, custom_fields, metadata, pids } = record;
  return {
    ...metadata,
    ...custom_fields,
    "access.record": access.record,
    "access.files": access.files,
    "access.embargo": access.embargo.active ? access.embargo.until : undefined,
    doi: pids.doi?.identifier,
  };
}

const placeOf = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);

/** Every field of two bodies, with what became of it; the fields that people look at first come first. */
export function compareFields(before: Compared, after: Compared): FieldChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return fields
    .filter((field) => old[field] !== undefined || now[field] !== undefined)
    .sort((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b))
    .map((field) => {
      const words = (value: unknown) => (/descriptions?$/.test(field) ? htmlLines(wordsOf(value)) : wordsOf(value));
      return { field, kind: kindOf(old[field], now[field]), before: words(old[field]), after: words(now[field]) };
    });
}

/** Without what says nothing: an empty list is as good as none. */
function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(told);
  if (typeof value !== "object" || value === null) return value === "" ? undefined : (value ?? undefined);
  const members = Object.entries(value).flatMap(([key, member]) => {
    const said = told(member);
    return said === undefined ? [] : [[key, said]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function kindOf(before: unknown, after: unknown): ChangeKind {
  if (sameJson(told(before), told(after))) return "same";
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

/** What became of the files: by name, and by checksum where only the name changed. */
export function compareFiles(before: ComparedFile[], after: ComparedFile[]): FileChange[] {
  const old = new Map(before.map((entry) => [entry.key, entry]));
  const now = new Map(after.map((entry) => [entry.key, entry]));
  const gone = before.filter(({ key }) => !now.has(key));
  const renamed = new Set<string>();
  const changes = after.map((entry): FileChange => {
    const { key, size = 0, checksum } = entry;
    const former = old.get(key);
    if (former) return { kind: former.checksum === checksum ? "same" : "changed", key, size };
    const source = gone.find((one) => checksum !== undefined && one.checksum === checksum && !renamed.has(one.key));
    if (!source) return { kind: "added", key, size };
    renamed.add(source.key);
    return { kind: "renamed", key, formerKey: source.key, size };
  });
  const removed = gone
    .filter(({ key }) => !renamed.has(key))
    .map(({ key, size = 0 }): FileChange => ({ kind: "removed", key, size }));
  return [...changes, ...removed];
}
