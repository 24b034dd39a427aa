import { withMembersApart } from "../../../shared/documents/open-members.ts";
import { type JsonObject, sameJson } from "../../../shared/kernel/json.ts";
import type { FileEntry, PersonOrOrg, RecordBody, Title } from "../../api-client/record-types.ts";
import { htmlLines } from "../../format/html-words.ts";
import { titleText } from "../../format/names.ts";

/** The parts of a body that are compared. */
export type Compared = Pick<RecordBody, "metadata" | "custom_fields" | "access" | "pids">;

/** The parts of a file that are compared; `size` in bytes. */
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
  /** Earlier name of a file with the same bytes. */
  formerKey?: string;
  size: number;
}

const order = ["title", "resource_type", "publication_date", "creators", "description"];
/** Fields that summarise an object in one line, best first. */
const summaryFields = ["name", "title", "subject", "identifier", "description", "reference", "date", "number", "id"];

/** A value as text: one line per list item, names instead of structure. */
export function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(wordsOf).join("\n");
  if (typeof value !== "object") return String(value);
  const object = value as Record<string, unknown>;
  if (typeof object.en === "string") return titleText(object as Title, object.en);
  if ("person_or_org" in object) return personWords(object);
  const known = summaryFields.filter((key) => object[key] !== undefined);
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
    ...Object.fromEntries(
      Object.entries(withMembersApart(custom_fields as JsonObject)).map(([name, value]) => [
        `custom_fields.${name}`,
        value,
      ]),
    ),
    "access.record": access.record,
    "access.files": access.files,
    "access.embargo": access.embargo.active ? access.embargo.until : undefined,
    doi: pids.doi?.identifier,
  };
}

const placeOf = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);

/** Compares all fields of two bodies, the most important first. */
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

/** Drops empty values, so that an empty list equals none. */
function meaningful(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(meaningful);
  if (typeof value !== "object" || value === null) return value === "" ? undefined : (value ?? undefined);
  const members = Object.entries(value).flatMap(([key, member]) => {
    const kept = meaningful(member);
    return kept === undefined ? [] : [[key, kept]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function kindOf(before: unknown, after: unknown): ChangeKind {
  if (sameJson(meaningful(before), meaningful(after))) return "same";
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

/** Compares files by name, and by checksum if only the name changed. */
export function compareFiles(before: ComparedFile[], after: ComparedFile[]): FileChange[] {
  const old = new Map(before.map((entry) => [entry.key, entry]));
  const now = new Map(after.map((entry) => [entry.key, entry]));
  const missing = before.filter(({ key }) => !now.has(key));
  const renamed = new Set<string>();
  const changes = after.map((entry): FileChange => {
    const { key, size = 0, checksum } = entry;
    const former = old.get(key);
    if (former) return { kind: former.checksum === checksum ? "same" : "changed", key, size };
    const source = missing.find((one) => checksum !== undefined && one.checksum === checksum && !renamed.has(one.key));
    if (!source) return { kind: "added", key, size };
    renamed.add(source.key);
    return { kind: "renamed", key, formerKey: source.key, size };
  });
  const removed = missing
    .filter(({ key }) => !renamed.has(key))
    .map(({ key, size = 0 }): FileChange => ({ kind: "removed", key, size }));
  return [...changes, ...removed];
}
