import { expect, test } from "vitest";
import { layout } from "../../shared/documents/layout.ts";
import type { Place } from "../../shared/metadata/place.schema.ts";
import { fieldsProtocolVersion } from "../../shared/sync-protocol/protocol-version.ts";

/**
 * The fields of a draft's document, by the protocol version that added them. A released list never changes.
 *
 * The order decides the bytes of a document's first state, and the hash that becomes its client id. Two replicas that
 * start an edit of the same record must get the same bytes. A program keeps fields that it does not know behind those
 * that it knows. So with a new field elsewhere, two programs would make two different documents of one record.
 */
const added: Record<number, Record<string, string[]>> = {
  1: {
    draft: ["metadata", "custom_fields", "access", "pids", "files"],
    "draft.metadata": [
      "resource_type",
      "title",
      "publication_date",
      "creators",
      "contributors",
      "additional_titles",
      "description",
      "additional_descriptions",
      "publisher",
      "version",
      "languages",
      "subjects",
      "dates",
      "rights",
      "copyright",
      "identifiers",
      "related_identifiers",
      "references",
      "sizes",
      "formats",
      "locations",
      "funding",
    ],
    "draft.metadata.creators": ["person_or_org", "role", "affiliations"],
    "draft.metadata.creators.person_or_org": ["type", "name", "given_name", "family_name", "identifiers"],
    "draft.metadata.creators.person_or_org.identifiers": ["identifier", "scheme"],
    "draft.metadata.creators.affiliations": ["id", "name"],
    "draft.metadata.contributors": ["person_or_org", "role", "affiliations"],
    "draft.metadata.contributors.person_or_org": ["type", "name", "given_name", "family_name", "identifiers"],
    "draft.metadata.contributors.person_or_org.identifiers": ["identifier", "scheme"],
    "draft.metadata.contributors.affiliations": ["id", "name"],
    "draft.metadata.additional_titles": ["title", "type", "lang"],
    "draft.metadata.additional_descriptions": ["description", "type", "lang"],
    "draft.metadata.languages": ["id"],
    "draft.metadata.subjects": ["id", "subject", "scheme"],
    "draft.metadata.dates": ["date", "type", "description"],
    "draft.metadata.rights": ["id", "title", "description", "link"],
    "draft.metadata.identifiers": ["identifier", "scheme"],
    "draft.metadata.related_identifiers": ["identifier", "scheme", "relation_type", "resource_type"],
    "draft.metadata.references": ["reference", "identifier", "scheme"],
    "draft.metadata.locations": ["features"],
    "draft.metadata.locations.features": ["geometry", "place", "description", "identifiers"],
    "draft.metadata.locations.features.identifiers": ["identifier", "scheme"],
    "draft.metadata.funding": ["funder", "award"],
    "draft.access": ["record", "files", "embargo"],
    "draft.access.embargo": ["active", "until", "reason"],
    "draft.files": ["enabled", "default_preview", "order"],
  },
  // Members of custom fields became names of their own.
  4: {},
};

/** The field names of each object at or below a place, in the order of the document. */
function fieldOrders(place: Place, path: string): Record<string, string[]> {
  if (place.kind === "list") return place.item === "word" ? {} : fieldOrders(place.item, path);
  if (place.kind !== "object") return {};
  const below = Object.entries(place.fields).map(([key, field]) => fieldOrders(field, `${path}.${key}`));
  return Object.assign({ [path]: Object.keys(place.fields) }, ...below);
}

test("a new field goes to the end of its object in a document (hosts-and-sync 6, Version skew; 8, Live document)", () => {
  const released: Record<string, string[]> = {};
  for (const version of Object.values(added)) {
    for (const [path, fields] of Object.entries(version)) released[path] = [...(released[path] ?? []), ...fields];
  }
  expect(
    fieldOrders(layout, "draft"),
    "add the field at the end of its table, and here under the next version; the reason is at the top of this file",
  ).toEqual(released);
  expect(Math.max(...Object.keys(added).map(Number))).toBe(fieldsProtocolVersion);
});
