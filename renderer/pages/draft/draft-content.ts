import { mergeText } from "../../../shared/documents/text-merge.ts";
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
 * Merges a field that both sides changed: texts by character, lists by item. Any other field keeps the user's value.
 */
export function mergeValue(field: string, known: unknown, mine: unknown, incoming: unknown): unknown {
  if (texts.has(field) && typeof known === "string" && typeof mine === "string" && typeof incoming === "string")
    return mergeText(known, incoming, mine).merged;
  if (Array.isArray(mine) && Array.isArray(incoming)) {
    const before = Array.isArray(known) ? known : [];
    const holds = (list: unknown[], item: unknown) => list.some((one) => isSame(one, item));
    const kept = mine.filter((item) => !holds(before, item) || holds(incoming, item));
    return [...kept, ...incoming.filter((item) => !holds(before, item) && !holds(mine, item))];
  }
  return mine;
}

const changedFields = (before: Metadata, after: Metadata): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !isSame(before[key], after[key]));

const only = (metadata: Metadata, fields: readonly string[]): Metadata =>
  Object.fromEntries(fields.filter((key) => key in metadata).map((key) => [key, metadata[key]]));

/** Both contents with the fields alone that differ, so that merging them into many contents compares little. */
export function changesOf(known: DraftContent, incoming: DraftContent) {
  const fields = changedFields(known.metadata, incoming.metadata);
  return {
    known: { ...known, metadata: only(known.metadata, fields) },
    incoming: { ...incoming, metadata: only(incoming.metadata, fields) },
  };
}

/**
 * Merges remote changes into an open draft: each field that differs between `known` (the body last seen) and
 * `incoming`, with the user's changes since the last save (`saved`).
 */
export function mergeIncoming(
  mine: DraftContent,
  saved: DraftContent,
  known: DraftContent,
  incoming: DraftContent,
): DraftContent {
  const metadata: Metadata = { ...mine.metadata };
  for (const key of changedFields(known.metadata, incoming.metadata)) {
    const isOwn = !isSame(mine.metadata[key], saved.metadata[key]);
    const next = isOwn
      ? mergeValue(key, known.metadata[key], mine.metadata[key], incoming.metadata[key])
      : incoming.metadata[key];
    if (next === undefined) delete metadata[key];
    else metadata[key] = next;
  }
  const part = <K extends keyof DraftContent>(key: K) =>
    isSame(known[key], incoming[key]) || !isSame(mine[key], saved[key]) ? mine[key] : incoming[key];
  return {
    metadata: isSame(metadata, mine.metadata) ? mine.metadata : metadata,
    custom_fields: part("custom_fields"),
    access: part("access"),
    pids: part("pids"),
    files: part("files"),
  };
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
  const fields = Object.keys({ ...mine.metadata, ...incoming.metadata });
  const parts = ["custom_fields", "access", "pids", "files"] as const;
  return (
    parts.some((part) => differ(mine[part], saved[part], known[part], incoming[part])) ||
    fields.some((field) => {
      const [own, there] = [mine.metadata[field], incoming.metadata[field]];
      const isOneValue = !texts.has(field) && !Array.isArray(own) && !Array.isArray(there);
      return isOneValue && differ(own, saved.metadata[field], known.metadata[field], there);
    })
  );
}

/** After a merged save: takes over fields that others changed, keeping what was typed since. */
export function takeMerged(
  mine: DraftContent,
  sent: DraftContent,
  { metadata: there, merged = [] }: Pick<RecordBody, "metadata" | "merged">,
): DraftContent {
  const metadata: Metadata = { ...mine.metadata };
  for (const field of merged) {
    const key = field.replace(/^metadata\./, "");
    const [own, before] = [mine.metadata[key], sent.metadata[key]];
    // Trailing spaces are not saved, so they stay while the user types.
    const saved = typeof before === "string" ? before.trim() : before;
    if (isSame(there[key], saved)) continue;
    const isTyped = texts.has(key) || !isSame(own, before);
    const next = isTyped ? mergeValue(key, saved, own, there[key]) : there[key];
    if (next === undefined) delete metadata[key];
    else metadata[key] = next;
  }
  return isSame(metadata, mine.metadata) ? mine : { ...mine, metadata };
}

const required = ["title", "resource_type", "publication_date", "creators"] as const;
export const missing = "Missing data for required field.";

/** Empty required fields. The API reports them after a save; this is for before the first one. */
function missingProblems({ metadata }: DraftContent): Problem[] {
  return required
    .filter((key) => {
      const value = metadata[key];
      return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
    })
    .map((key) => ({ field: `metadata.${key}`, messages: [missing] }));
}

/** All problems, without those of the last save that are solved. */
export function allProblems(content: DraftContent, reported: Problem[]): Problem[] {
  const now = missingProblems(content);
  const fields = new Set(required.map((key) => `metadata.${key}`));
  const others = reported.filter(({ field, messages }) => !(fields.has(field) && messages.includes(missing)));
  return [...now, ...others];
}

/** Whether the draft waits to be published by the server. */
export const waitsToPublish = ({ sync }: Pick<RecordBody, "sync">): boolean =>
  sync?.operations.some(({ kind }) => kind.includes("publish")) ?? false;

export const sections = ["files", "basics", "people", "about", "related", "more", "access"] as const;
export type Section = (typeof sections)[number];

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

/** The section of the form that has the field. */
export function sectionOf(field: string): Section {
  const [root, key = ""] = field.split(".");
  if (root === "files") return "files";
  if (root === "access") return "access";
  if (root === "pids") return "basics";
  return sectionOfField[key] ?? "about";
}
