import {
  type Agent,
  contributorsOf,
  creatorsOf,
  doiOf,
  type PresentedRecord,
  relatedWorksOf,
  textIn,
  textOfHtml,
  yearOf,
} from "./presented-record.ts";
import { type Children, element, parent, type XmlText } from "./xml.ts";

export const marcNamespace = { xmlns: "http://www.loc.gov/MARC21/slim" };

/** A data field without empty subfields; undefined if all are empty. */
function field(tag: string, indicators: string, subfields: [code: string, value: string | undefined][]) {
  const [ind1 = " ", ind2 = " "] = indicators;
  const children = subfields.map(([code, value]) => element("subfield", value || undefined, { code }));
  return parent("datafield", children, { tag, ind1, ind2 });
}

const agentField = (tag: string, { name, affiliations, identifiers }: Agent) =>
  field(tag, "  ", [
    ["a", name],
    ["u", affiliations[0]?.name],
    ["0", identifiers.map(({ scheme, identifier }) => `(${scheme})${identifier}`)[0]],
  ]);

function fieldsOf(record: PresentedRecord): Children {
  const { metadata } = record;
  const creators = creatorsOf(record);
  // Readers of 100 expect a person; organisations are added entries.
  const author = creators.find(({ isPerson }) => isPerson);
  const [type, ...subtype] = (metadata.resource_type?.id ?? "").split("-");
  const doi = doiOf(record);
  return [
    field("024", "7 ", [
      ["a", doi],
      ["2", doi && "doi"],
    ]),
    ...(metadata.languages ?? []).map(({ id }) => field("041", "  ", [["a", id]])),
    author && agentField("100", author),
    field("245", "  ", [["a", metadata.title]]),
    ...(metadata.additional_titles ?? []).map(({ title }) => field("246", "  ", [["a", title]])),
    field("260", "  ", [
      ["b", metadata.publisher],
      ["c", metadata.publication_date ?? yearOf(record)],
    ]),
    field("520", "  ", [["a", metadata.description && textOfHtml(metadata.description)]]),
    ...(metadata.rights ?? []).map(({ title, props, link }) =>
      field("540", "  ", [
        ["a", textIn(title)],
        ["u", props?.url ?? link],
      ]),
    ),
    ...(metadata.subjects ?? []).map(({ subject }) => field("653", "1 ", [["a", subject]])),
    ...creators.filter((agent) => agent !== author).map((agent) => agentField(agent.isPerson ? "700" : "710", agent)),
    ...contributorsOf(record).map((agent) => agentField(agent.isPerson ? "700" : "710", agent)),
    ...relatedWorksOf(record).map(({ identifier, scheme, relation_type }) =>
      field("773", "  ", [
        ["a", identifier],
        ["i", relation_type?.id],
        ["n", scheme],
      ]),
    ),
    field("856", "42", [["u", record.links?.self_html]]),
    field("980", "  ", [
      ["a", type],
      ["b", subtype.join("-")],
    ]),
  ];
}

/** A record as a MARC 21 `record`. */
export function marcOf(record: PresentedRecord): XmlText {
  const leader = element("leader", "00000nam a2200000uu 4500");
  const control = element("controlfield", record.id, { tag: "001" });
  return parent("record", [leader, control, ...fieldsOf(record)], marcNamespace) ?? { xml: "" };
}
