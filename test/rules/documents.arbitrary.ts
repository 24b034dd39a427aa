import fc from "fast-check";
import * as Y from "yjs";
import { canonical, type DraftInput } from "../../shared/documents/draft-input.ts";
import { openDocument } from "../../shared/documents/merge.ts";

const word = fc.constantFrom("ada", "bob", "curie", "darwin", "eng", "deu", "dan", "a b", "Ærø", "𝒳y");
const id = word.map((text) => ({ id: text }));
const line = fc.oneof(word, fc.string({ maxLength: 8 }));
const prose = fc
  .array(fc.oneof(word, fc.constantFrom(" ", ". ", "<p>", "</p>")), { maxLength: 12 })
  .map((parts) => parts.join(" "));
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const identifiers = fc.array(fc.record({ scheme: fc.constantFrom("orcid", "isni"), identifier: word }), {
  maxLength: 2,
});
const person = fc.oneof(
  fc.record({
    type: fc.constant("personal"),
    family_name: word,
    given_name: optional(word),
    identifiers: optional(identifiers),
  }),
  fc.record({ type: fc.constant("organizational"), name: word }),
);
const affiliations = fc.array(
  fc.oneof(
    id,
    word.map((name) => ({ name })),
  ),
  { maxLength: 3 },
);
const creator = fc.record({ person_or_org: person, role: optional(id), affiliations: optional(affiliations) });
const title = fc.record({ title: line, type: id, lang: optional(id) });
const described = fc.record({ description: prose, type: id });
const feature = fc.record({
  place: optional(word),
  geometry: optional(fc.constant({ type: "Point", coordinates: [1.5, -0] })),
  identifiers: optional(identifiers),
});

const metadata = fc.record({
  resource_type: optional(id),
  title: optional(prose),
  publication_date: optional(fc.constantFrom("2024", "2024-05", "2020/2021")),
  creators: optional(fc.array(creator, { maxLength: 5 })),
  additional_titles: optional(fc.array(title, { maxLength: 3 })),
  description: optional(prose),
  additional_descriptions: optional(fc.array(described, { maxLength: 3 })),
  publisher: optional(line),
  languages: optional(fc.array(id, { maxLength: 4 })),
  subjects: optional(
    fc.array(
      fc.oneof(
        id,
        word.map((subject) => ({ subject })),
      ),
      { maxLength: 5 },
    ),
  ),
  rights: optional(
    fc.array(
      fc.oneof(
        id,
        word.map((en) => ({ title: { en } })),
      ),
      { maxLength: 3 },
    ),
  ),
  identifiers: optional(identifiers),
  sizes: optional(fc.array(word, { maxLength: 3 })),
  locations: optional(fc.record({ features: fc.array(feature, { maxLength: 2 }) })),
  funding: optional(
    fc.array(fc.record({ funder: id, award: optional(fc.record({ number: word })) }), { maxLength: 2 }),
  ),
});

/** A declared custom field has one shape: an object of members, or one value. */
const customFields = fc
  .tuple(
    fc.dictionary(word, fc.dictionary(word, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }), { maxKeys: 2 }),
    fc.dictionary(word, fc.oneof(id, line, fc.integer(), fc.array(fc.jsonValue({ maxDepth: 1 }))), { maxKeys: 2 }),
  )
  .map(([objects, values]) =>
    Object.fromEntries([
      ...Object.entries(objects).map(([name, members]) => [`object:${name}`, members]),
      ...Object.entries(values).map(([name, value]) => [`value:${name}`, value]),
    ]),
  );

/** Any draft in canonical form, from few words, so that edits of two sides often meet. */
export const drafts: fc.Arbitrary<DraftInput> = fc
  .record({
    metadata,
    custom_fields: customFields,
    access: fc.record({
      record: fc.constantFrom("public", "restricted"),
      files: fc.constantFrom("public", "restricted"),
      embargo: optional(fc.record({ active: fc.boolean(), until: optional(fc.constant("2030-01-01")) })),
    }),
    pids: fc.constantFrom({}, { doi: { identifier: "10.1234/a", provider: "external" } }),
    files: fc.record({
      enabled: fc.boolean(),
      default_preview: fc.constantFrom(null, "a.txt"),
      order: fc.uniqueArray(fc.constantFrom("a.txt", "b.txt", "c.txt", "d.txt")),
    }),
  })
  .map(canonical);

/** A replica's document after an update from elsewhere. */
export function applyUpdate(state: Uint8Array, update: Uint8Array): Uint8Array {
  const doc = openDocument(state);
  Y.applyUpdate(doc, update);
  return Y.encodeStateAsUpdate(doc);
}
