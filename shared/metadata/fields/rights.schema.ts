import { z } from "zod";
import type { VocabularyEntry } from "../../vocabularies/vocabulary.schema.ts";
import { type Check, described, list, object, presented, report, searched } from "../field.schema.ts";
import { namedBy, part } from "../place.schema.ts";
import { html, localised, url } from "../text.schema.ts";
import { entryId } from "../vocabulary-value.schema.ts";

/** Equality of two JSON values. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const entries = Object.entries(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    entries.length === Object.keys(b).length &&
    entries.every(([key, value]) => Object.hasOwn(b, key) && isSameJson(value, (b as Record<string, unknown>)[key]))
  );
}

type Added = Pick<VocabularyEntry, "title" | "description" | "icon" | "props">;

/** The keys that an entry adds to the output. */
function addedBy({ title, description, icon, props }: VocabularyEntry): Added {
  return {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(icon ? { icon } : {}),
    ...(props ? { props } : {}),
  };
}

/** Removes what an earlier answer added, so that the answer can be sent back unchanged. */
function withoutEcho(input: Record<string, unknown>, check: Check): Record<string, unknown> {
  const entry = typeof input.id === "string" ? check.findEntry("licenses", input.id) : undefined;
  if (!entry) return input;
  const added: Record<string, unknown> = { ...addedBy(entry) };
  return Object.fromEntries(
    Object.entries(input).filter(([key, value]) => !(Object.hasOwn(added, key) && isSameJson(added[key], value))),
  );
}

const right = object(
  { id: entryId("licenses"), title: localised(), description: localised(), link: url() },
  {
    prepare: withoutEcho,
    rule: ({ id, title, description, link }, path, check) => {
      if (!id && !title) report(check, path, "An existing id or a free text title must be present");
      if (id && (title || description || link)) {
        report(
          check,
          path,
          "Only an existing id or free text title/description/link is accepted, but not both together",
        );
      }
    },
  },
);

const rightAnswer = z
  .object({
    id: z.string(),
    title: localised().answer,
    description: localised().answer,
    link: z.string(),
    icon: z.string(),
    props: z.record(z.string(), z.string()),
  })
  .partial();

/** `metadata.rights[]`: a licence of the vocabulary, or free text. */
export const rights = searched(
  list(
    presented(right, rightAnswer, (value, lookups) => {
      const isPlainId = value.id !== undefined && !value.title && !value.description && !value.link;
      const entry = isPlainId && value.id ? lookups.findEntry("licenses", value.id) : undefined;
      return entry ? { ...value, ...addedBy(entry) } : value;
    }),
    {
      namesOf: (item) => {
        const title = part(item, "title");
        return title === undefined ? namedBy("id")(item) : [...namedBy("id")(item), `=${JSON.stringify(title)}`];
      },
      renames: false,
    },
  ),
  { "metadata.rights.props.url": { kind: "keyword" } },
);

/** `metadata.copyright`. */
export const copyright = searched(described(html({ min: 1 }), "HTML"), { "metadata.copyright": { kind: "text" } });
