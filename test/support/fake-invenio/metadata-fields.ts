import { type Json, listOf } from "./call.ts";
import { identifier, personIdentifier, placeIdentifier, reference, relatedIdentifier } from "./identifiers.ts";
import { atLeast, bool, dict, type Field, html, list, nullable, object, oneOf, required, text } from "./loader.ts";

const names = "Invalid value. Choose one of ['organizational', 'personal'].";

/** A value of a vocabulary: its id; the title is derived. */
const vocabulary = object({ fields: { id: text() }, required: ["id"], dumpOnly: ["title"] });

const personOrOrganization = object({
  fields: {
    type: text(oneOf(["organizational", "personal"], names)),
    name: text(),
    given_name: text(),
    family_name: text(),
    identifiers: list(personIdentifier, (items) =>
      new Set(items.map((item) => (item as Json).scheme)).size < items.length
        ? "Only one identifier per scheme is allowed."
        : undefined,
    ),
  },
  required: { type: names },
  rule: (data): Record<string, string> => {
    if (data.type === "personal" && !data.family_name) return { family_name: "Family name cannot be blank." };
    if (data.type === "organizational" && !data.name) return { name: "Name cannot be blank." };
    return {};
  },
  finish: ({ family_name, given_name, ...data }) =>
    data.type === "personal"
      ? {
          ...data,
          ...(given_name === undefined ? {} : { given_name }),
          family_name,
          name: [family_name, given_name].filter(Boolean).join(", "),
        }
      : data,
});

/** An id or a free text. Their identifiers are derived, and named in `errors` when sent (F4). */
const relation = (freeText: string, parent: string, more: Record<string, Field> = {}): Field =>
  object({
    fields: { id: text(), [freeText]: text(), ...more },
    rule: (data): Record<string, string> =>
      data.id || data[freeText] ? {} : { [parent]: `An existing id or a free text ${freeText} must be present.` },
  });

const creator = (requiresRole: boolean): Field =>
  object({
    fields: {
      person_or_org: personOrOrganization,
      role: vocabulary,
      affiliations: list(relation("name", "affiliations")),
    },
    required: requiresRole ? ["person_or_org", "role"] : ["person_or_org"],
    rule: (data): Record<string, string> => {
      const affiliations = listOf(data.affiliations) as Json[];
      const seen = new Set(affiliations.map(({ name, id }) => name ?? id));
      return seen.size < affiliations.length
        ? { affiliations: `Duplicated affiliations: ${[...seen].filter(Boolean).join(", ")}` }
        : {};
    },
  });

const edtf = /^\d{4}(-\d{2}(-\d{2})?)?(\/\d{4}(-\d{2}(-\d{2})?)?)?$/;
const isDate = (value: string): boolean =>
  edtf.test(value) &&
  value.split("/").every((part) => {
    const [year = "", month = "01", day = "01"] = part.split("-");
    const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
  });
const date = (time: boolean): Field =>
  text((value) =>
    isDate(time ? value.replace(/T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})?/g, "") : value)
      ? undefined
      : "Please provide a valid date or interval.",
  );

const urlText = text((value) =>
  /^(https?|ftps?):\/\/[^\s/]+\.?[^\s]*$/i.test(value) ? undefined : "Not a valid URL.",
);

const rights = object({
  fields: {
    id: text(),
    title: dict,
    description: dict,
    props: object({ fields: { url: urlText, scheme: text() } }),
    link: urlText,
  },
  rule: (data): Record<string, string> => {
    if (!data.id && !data.title) return { rights: "An existing id or a free text title must be present" };
    if (data.id && Object.keys(data).length > 1)
      return {
        rights:
          "Only an existing id or free text title/description/link is accepted, but not both cases at the same time",
      };
    return {};
  },
});

const titled = (name: string, field: Field): Field =>
  object({ fields: { [name]: field, type: vocabulary, lang: vocabulary }, required: [name, "type"] });

const location = object({
  fields: { geometry: dict, place: text(), identifiers: list(placeIdentifier), description: text() },
  rule: (data): Record<string, string> =>
    data.geometry || data.place || data.identifiers || data.description
      ? {}
      : { locations: "At least one of ['geometry', 'place', 'identifiers', 'description'] must be present." },
});

/** Bibliographic metadata, as rdm-records validates it. */
export const metadataField: Field = object({
  fields: {
    resource_type: vocabulary,
    creators: list(creator(false), (items) => (items.length === 0 ? required : undefined)),
    title: text(atLeast(3)),
    additional_titles: list(titled("title", text(atLeast(3)))),
    publisher: text(),
    publication_date: date(false),
    subjects: list(relation("subject", "subjects")),
    contributors: list(creator(true)),
    dates: list(
      object({ fields: { date: date(true), type: vocabulary, description: text() }, required: ["date", "type"] }),
    ),
    languages: list(vocabulary),
    identifiers: list(identifier, (items) =>
      new Set(items.map((item) => JSON.stringify([(item as Json).scheme, (item as Json).identifier]))).size <
      items.length
        ? "Duplicated identifier entry is not allowed."
        : undefined,
    ),
    related_identifiers: list(relatedIdentifier(vocabulary)),
    sizes: list(text(atLeast(1, "Size cannot be a blank string."))),
    formats: list(text(atLeast(1, "Format cannot be a blank string."))),
    version: text((value) => (value.length > 191 ? "Longer than maximum length 191." : undefined)),
    rights: list(rights),
    copyright: html(atLeast(1)),
    description: html(atLeast(3)),
    additional_descriptions: list(titled("description", html(atLeast(3)))),
    locations: object({ fields: { features: list(location) } }),
    funding: list(
      object({
        fields: {
          funder: relation("name", "funder"),
          award: object({
            fields: { id: text(), title: dict, number: text(), identifiers: list(identifier), acronym: text() },
            lenient: true,
          }),
        },
        required: ["funder"],
      }),
    ),
    references: list(reference),
  },
  required: ["resource_type", "creators", "title", "publication_date"],
});

export const filesField: Field = object({
  fields: { enabled: bool, default_preview: nullable(text()), order: list(text()) },
  dumpOnly: ["count", "total_bytes", "entries"],
});

const pid = object({
  fields: { identifier: text(), provider: text(), client: text() },
  required: ["identifier", "provider"],
});
export const pidsField: Field = object({ fields: { doi: pid, oai: pid } });

const protection = oneOf(["public", "restricted"], "must be either 'public' or 'restricted'");
const embargoField = (now: () => number): Field =>
  object({
    fields: { active: nullable(bool), until: nullable(text()), reason: nullable(text()) },
    rule: ({ active, until }): Record<string, string> => {
      const end = typeof until === "string" ? Date.parse(until) : undefined;
      if (active === true && (end === undefined || !(end > now())))
        return { until: "Embargo end date must be set to a future date." };
      if (active === false && end !== undefined && end > now())
        return { until: "Embargo end date must be unset or in the past." };
      return {};
    },
  });
export const accessField = (now: () => number): Field =>
  object({
    fields: { record: text(protection), files: text(protection), embargo: embargoField(now), status: text() },
    required: ["record", "files"],
  });
