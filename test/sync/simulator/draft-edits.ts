import type { Json } from "./action.ts";
import type { Chance } from "./chance.ts";

interface Edited {
  /** The edited fields. */
  fields: string[];
  metadata: Json;
}

export const person = (marker: string): Json => ({
  person_or_org: { type: "personal", family_name: marker, given_name: "A" },
});

const listOf = (metadata: Json, name: string): Json[] => (metadata[name] as Json[] | undefined) ?? [];

/** Inserts a word in the middle of a text. */
function intoText(chance: Chance, text: string, marker: string): string {
  const words = text.split(" ");
  words.splice(chance.below(words.length + 1), 0, marker);
  return words.join(" ");
}

const replaced = (list: Json[], at: number, item: Json): Json[] =>
  list.map((old, index) => (index === at ? item : old));

/** An edit of the metadata that a user sees; it leaves a marker. */
export type Edit = (chance: Chance, metadata: Json, marker: string) => Edited;
type PossibleEdit = (...of: Parameters<Edit>) => Edited | undefined;

const set = (metadata: Json, field: string, value: unknown): Edited => ({
  fields: [field],
  metadata: { ...metadata, [field]: value },
});

/** Sets a scalar. */
export const setOne: Edit = (_chance, metadata, marker) => set(metadata, "publisher", marker);

const edits: PossibleEdit[] = [
  (_chance, metadata, marker) => set(metadata, "title", `${marker} ${metadata.title ?? ""}`),
  (_chance, metadata, marker) => set(metadata, "title", `${metadata.title ?? ""} ${marker}`),
  (chance, metadata, marker) =>
    set(metadata, "description", intoText(chance, String(metadata.description ?? "Of it"), marker)),
  (_chance, metadata, marker) => set(metadata, "creators", [person(marker), ...listOf(metadata, "creators")]),
  (_chance, metadata, marker) =>
    set(metadata, "creators", [...listOf(metadata, "creators").toReversed(), person(marker)]),
  (_chance, metadata, marker) => set(metadata, "subjects", [...listOf(metadata, "subjects"), { subject: marker }]),
  setOne,
  (_chance, metadata, marker) => set(metadata, "version", marker),
  (chance, metadata, marker) => {
    const creators = listOf(metadata, "creators");
    const at = chance.below(creators.length);
    const { person_or_org } = (creators[at] ?? {}) as { person_or_org?: Json };
    if (!person_or_org) return undefined;
    const renamed = {
      ...creators[at],
      person_or_org: { type: "personal", family_name: person_or_org.family_name, given_name: marker },
    };
    return set(metadata, "creators", replaced(creators, at, renamed));
  },
  (chance, metadata, marker) => {
    const creators = listOf(metadata, "creators");
    if (creators.length < 2) return undefined;
    const gone = chance.below(creators.length);
    return set(metadata, "creators", [...creators.filter((_, index) => index !== gone), person(marker)]);
  },
  (chance, metadata, marker) => {
    const subjects = listOf(metadata, "subjects");
    const gone = chance.below(subjects.length + 1);
    return set(metadata, "subjects", [...subjects.filter((_, index) => index !== gone), { subject: marker }]);
  },
];

/** Concurrent edits of the last creator. */
export const creatorEdits = {
  add: (_chance, metadata, marker) => set(metadata, "creators", [...listOf(metadata, "creators"), person(marker)]),
  rename: (_chance, metadata, marker) => {
    const creators = listOf(metadata, "creators");
    const { person_or_org } = (creators.at(-1) ?? {}) as { person_or_org?: Json };
    return set(metadata, "creators", [
      ...creators.slice(0, -1),
      { person_or_org: { ...person_or_org, given_name: marker } },
    ]);
  },
  /** Moves the creator; the others keep their order. */
  move: (chance, metadata, marker) => {
    const creators = [...listOf(metadata, "creators")];
    const [moved] = creators.splice(chance.below(Math.max(1, creators.length)), 1);
    if (moved) creators.splice(chance.below(creators.length + 1), 0, moved);
    const subjects = [...listOf(metadata, "subjects"), { subject: marker }];
    return set({ ...metadata, subjects }, "creators", creators);
  },
  remove: (_chance, metadata, marker) => {
    const creators = listOf(metadata, "creators").slice(0, -1);
    return { fields: ["creators", "version"], metadata: { ...metadata, creators, version: marker } };
  },
} satisfies Record<string, Edit>;

/** A random edit with a marker; the rest of the body is as the user saw it. */
export function edited(chance: Chance, metadata: Json, marker: string): Edited {
  return chance.pick(edits)?.(chance, metadata, marker) ?? set(metadata, "title", `${marker} ${metadata.title ?? ""}`);
}
