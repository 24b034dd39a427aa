import { withMembersApart, withMembersTogether } from "../../../shared/documents/open-members.ts";
import { mergeText } from "../../../shared/documents/text-merge.ts";
import type { JsonObject } from "../../../shared/kernel/json.ts";
import type { Metadata, Problem, RecordBody } from "../../api-client/record-types.ts";

/** The parts of a draft that the editor changes. */
export type DraftContent = Pick<RecordBody, "metadata" | "custom_fields" | "access" | "pids" | "files">;

export const contentOf = ({ metadata, custom_fields, access, pids, files }: RecordBody): DraftContent => ({
  metadata,
  custom_fields,
  access,
  pids,
  files: { enabled: files.enabled, default_preview: files.default_preview ?? null, order: files.order ?? [] },
});

export const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

const texts = new Set(["title", "description"]);

/**
 * Where an item of `there` belongs in `here`: first if it is first there, else beside the nearest neighbour that is in
 * both, after what the user added.
 */
function placeIn(here: string[], there: string[], index: number): number {
  if (index === 0 && there.some((key) => here.includes(key))) return 0;
  for (let far = 1; far < there.length; far++) {
    let before = here.indexOf(there[index - far] ?? "");
    if (before >= 0) {
      do before += 1;
      while (before < here.length && !there.includes(here[before] ?? ""));
      return before;
    }
    const after = here.indexOf(there[index + far] ?? "");
    if (after >= 0) return after;
  }
  return here.length;
}

/** The user's list without what the others removed, and with what they added, in its place. */
function mergeItems(known: unknown[], mine: unknown[], incoming: unknown[]): unknown[] {
  const keysOf = (list: unknown[]) => list.map((item) => JSON.stringify(item));
  const there = keysOf(incoming);
  const [before, own, left] = [new Set(keysOf(known)), new Set(keysOf(mine)), new Set(there)];
  const isRemoved = (key: string) => before.has(key) && !left.has(key);
  const merged = mine.filter((item) => !isRemoved(JSON.stringify(item)));
  const keys = keysOf(merged);
  there.forEach((key, index) => {
    if (before.has(key) || own.has(key)) return;
    const place = placeIn(keys, there, index);
    keys.splice(place, 0, key);
    merged.splice(place, 0, incoming[index]);
  });
  return merged;
}

/**
 * Merges a field that both sides changed: texts by character, lists by item. Any other field keeps the user's value.
 */
export function mergeValue(field: string, known: unknown, mine: unknown, incoming: unknown): unknown {
  if (texts.has(field) && typeof known === "string" && typeof mine === "string" && typeof incoming === "string")
    return mergeText(known, incoming, mine).merged;
  if (Array.isArray(mine) && Array.isArray(incoming)) {
    return mergeItems(Array.isArray(known) ? known : [], mine, incoming);
  }
  return mine;
}

const changedFields = (before: Record<string, unknown>, after: Record<string, unknown>): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !isSame(before[key], after[key]));

const only = (metadata: Metadata, fields: readonly string[]): Metadata =>
  Object.fromEntries(fields.filter((key) => key in metadata).map((key) => [key, metadata[key]]));

/** Both contents, reduced to the fields that differ. Merging them into many contents then compares less. */
export function changesOf(known: DraftContent, incoming: DraftContent) {
  const fields = changedFields(known.metadata, incoming.metadata);
  return {
    known: { ...known, metadata: only(known.metadata, fields) },
    incoming: { ...incoming, metadata: only(incoming.metadata, fields) },
  };
}

type Fields = Record<string, unknown>;

function mergeFields<F extends Fields>(mine: F, saved: Fields, known: Fields, incoming: Fields): F {
  const merged: Fields = { ...mine };
  for (const key of changedFields(known, incoming)) {
    const isOwn = !isSame(mine[key], saved[key]);
    const next = isOwn ? mergeValue(key, known[key], mine[key], incoming[key]) : incoming[key];
    if (next === undefined) delete merged[key];
    else merged[key] = next;
  }
  return isSame(merged, mine) ? mine : (merged as F);
}

/** Custom fields with each member under its own name: they are merged one by one, as in the document. */
export const apart = (fields: Fields): Fields => withMembersApart(fields as JsonObject);

function inMembers(fields: Fields, change: (apart: Fields) => Fields): Fields {
  const before = apart(fields);
  const after = change(before);
  return after === before ? fields : withMembersTogether(after as JsonObject);
}

/**
 * Merges remote changes into an open draft: each field that differs between `known` (the body last seen) and
 * `incoming`, with the user's changes since the last save (`saved`).
 * @returns `mine` itself if nothing in it changes, so that no field is rendered
 */
export function mergeIncoming(
  mine: DraftContent,
  saved: DraftContent,
  known: DraftContent,
  incoming: DraftContent,
): DraftContent {
  const part = <K extends keyof DraftContent>(key: K) =>
    isSame(known[key], incoming[key]) || !isSame(mine[key], saved[key]) ? mine[key] : incoming[key];
  const merged: DraftContent = {
    metadata: mergeFields(mine.metadata, saved.metadata, known.metadata, incoming.metadata),
    custom_fields: isSame(known.custom_fields, incoming.custom_fields)
      ? mine.custom_fields
      : inMembers(mine.custom_fields, (own) =>
          mergeFields(own, apart(saved.custom_fields), apart(known.custom_fields), apart(incoming.custom_fields)),
        ),
    access: part("access"),
    pids: part("pids"),
    files: part("files"),
  };
  const keys = Object.keys(merged) as (keyof DraftContent)[];
  return keys.every((key) => merged[key] === mine[key]) ? mine : merged;
}

/** Whether a value that is neither text nor list was set differently on both sides. */
export function isDisputed(
  mine: DraftContent,
  saved: DraftContent,
  known: DraftContent,
  incoming: DraftContent,
): boolean {
  const differ = (own: unknown, before: unknown, seen: unknown, there: unknown) =>
    !isSame(seen, there) && !isSame(own, before) && !isSame(own, there);
  const isDisputedIn = (own: Fields, before: Fields, seen: Fields, there: Fields) =>
    Object.keys({ ...own, ...there }).some((field) => {
      const isOneValue = !texts.has(field) && !Array.isArray(own[field]) && !Array.isArray(there[field]);
      return isOneValue && differ(own[field], before[field], seen[field], there[field]);
    });
  const parts = ["access", "pids", "files"] as const;
  return (
    parts.some((part) => differ(mine[part], saved[part], known[part], incoming[part])) ||
    isDisputedIn(mine.metadata, saved.metadata, known.metadata, incoming.metadata) ||
    isDisputedIn(
      apart(mine.custom_fields),
      apart(saved.custom_fields),
      apart(known.custom_fields),
      apart(incoming.custom_fields),
    )
  );
}

/** After a merged save: takes over fields that others changed, keeping what was typed since. */
export function takeMerged(
  mine: DraftContent,
  sent: DraftContent,
  { metadata, custom_fields = {}, merged = [] }: Pick<RecordBody, "metadata" | "merged"> & Partial<RecordBody>,
): DraftContent {
  const keysOf = (root: string) =>
    merged.flatMap((path) => (path.startsWith(`${root}.`) ? [path.slice(root.length + 1)] : []));
  const custom = inMembers(mine.custom_fields, (own) =>
    takeFields(own, apart(sent.custom_fields), apart(custom_fields), keysOf("custom_fields")),
  );
  const taken = takeFields(mine.metadata, sent.metadata, metadata, keysOf("metadata"));
  const isAsBefore = taken === mine.metadata && custom === mine.custom_fields;
  return isAsBefore ? mine : { ...mine, metadata: taken, custom_fields: custom };
}

function takeFields<F extends Fields>(mine: F, sent: Fields, there: Fields, keys: readonly string[]): F {
  const taken: Fields = { ...mine };
  for (const key of keys) {
    const [own, before] = [mine[key], sent[key]];
    // Trailing spaces are not saved, so they stay while the user types.
    const saved = typeof before === "string" ? before.trim() : before;
    if (isSame(there[key], saved)) continue;
    const isTyped = texts.has(key) || !isSame(own, before);
    const next = isTyped ? mergeValue(key, saved, own, there[key]) : there[key];
    if (next === undefined) delete taken[key];
    else taken[key] = next;
  }
  return isSame(taken, mine) ? mine : (taken as F);
}

const required = ["title", "resource_type", "publication_date", "creators"] as const;
export const missing = "Missing data for required field.";

/** Empty required fields, for a draft that was not saved yet. The API reports them after each save. */
export function missingProblems({ metadata }: Pick<DraftContent, "metadata">): Problem[] {
  return required
    .filter((key) => {
      const value = metadata[key];
      return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
    })
    .map((key) => ({ field: `metadata.${key}`, messages: [missing] }));
}

/** All problems, without those of the last save that are solved. */
export function allProblems<P extends Problem>(content: DraftContent, reported: P[]): (P | Problem)[] {
  const now = missingProblems(content);
  const fields = new Set(required.map((key) => `metadata.${key}`));
  const others = reported.filter(({ field, messages }) => !(fields.has(field) && messages.includes(missing)));
  return [...now, ...others];
}

/** Whether the draft waits to be published by the server. */
export const waitsToPublish = ({ sync }: Pick<RecordBody, "sync">): boolean =>
  sync?.operations.some(({ kind }) => kind.includes("publish")) ?? false;

/** Whether a review was requested that the server does not know yet. */
export const waitsForReview = ({ sync }: Pick<RecordBody, "sync">): boolean =>
  sync?.state !== "rejected" && (sync?.operations.some(({ kind }) => kind === "review.submit") ?? false);

/** What every record needs comes first, what few need last and folded. */
export const sections = ["files", "basics", "people", "about", "access", "related", "custom", "more"] as const;
export type Section = (typeof sections)[number];
export const optionalSections: ReadonlySet<Section> = new Set(["related", "custom", "more"]);

const sectionOfField: Record<string, Section> = {
  title: "basics",
  resource_type: "basics",
  publication_date: "basics",
  description: "basics",
  rights: "about",
  creators: "people",
  contributors: "people",
  related_identifiers: "related",
  funding: "related",
  dates: "more",
  additional_titles: "more",
  additional_descriptions: "more",
  identifiers: "more",
  references: "more",
  copyright: "more",
};

/** The sections that hold something. Visibility always says something. */
export function filledSections({ metadata, custom_fields, pids, files }: DraftContent, hasFiles: boolean): Section[] {
  const isFilled = (value: unknown) => value !== undefined && value !== "" && !(Array.isArray(value) && !value.length);
  return [
    ...Object.keys(metadata).flatMap((key) => (isFilled(metadata[key]) ? [sectionOf(`metadata.${key}`)] : [])),
    ...(Object.keys(custom_fields).length > 0 ? (["custom"] as const) : []),
    ...(pids.doi ? (["basics"] as const) : []),
    ...(hasFiles || !files.enabled ? (["files"] as const) : []),
    "access",
  ];
}

/** The section of the form that has the field. */
export function sectionOf(field: string): Section {
  const [root, key = ""] = field.split(".");
  if (root === "files") return "files";
  if (root === "access") return "access";
  if (root === "custom_fields") return "custom";
  if (root === "pids") return "basics";
  return sectionOfField[key] ?? "about";
}
