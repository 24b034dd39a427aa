import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { placeWords } from "../../../shared/metadata/place-words.ts";
import type { Creator, RecordBody, VocabularyRef } from "../../api-client/record-types.ts";
import { htmlWords } from "../../format/html-words.ts";
import { personName, titleText } from "../../format/names.ts";
import { formatEdtf } from "../../format/times.ts";
import type { Beside } from "./beside.ts";
import { External, RelatedLink } from "./outer-link.tsx";
import styles from "./record.module.css";

type Row = [field: string, label: string, values: ReactNode[]];

/** Typed texts, each after the name of its type. */
const typed = <Entry extends { type?: VocabularyRef }>(
  entries: Entry[] | undefined,
  wordsOf: (entry: Entry) => string,
) =>
  (entries ?? []).map((entry) =>
    [entry.type && titleText(entry.type.title, entry.type.id), wordsOf(entry)].filter(Boolean).join(": "),
  );

const namesOf = ({ metadata }: RecordBody) => ({
  licences: (metadata.rights ?? []).map(({ id, title, link, props }) => {
    const name = titleText(title, id ?? "");
    const href = link ?? props?.url;
    return href ? (
      <External key={name} href={href}>
        {name}
      </External>
    ) : (
      name
    );
  }),
  contributors: (metadata.contributors ?? []).map((person, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
    <Contributor key={index} {...person} />
  )),
  subjects: (metadata.subjects ?? []).map(({ subject, id }) => subject ?? id).join(", "),
  dates: typed(metadata.dates, ({ date = "", description }) =>
    [formatEdtf(date), description].filter(Boolean).join(" · "),
  ),
  related: (metadata.related_identifiers ?? []).map((work) => (
    <span key={`${work.relation_type?.id}${work.identifier}`}>
      {work.relation_type && titleText(work.relation_type.title, work.relation_type.id)} <RelatedLink {...work} />
      {work.resource_type && ` (${titleText(work.resource_type.title, work.resource_type.id)})`}
    </span>
  )),
  funding: (metadata.funding ?? []).map(({ funder, award }) =>
    [...new Set([funder?.name ?? funder?.id, award?.number, titleText(award?.title, "")])].filter(Boolean).join(" · "),
  ),
});

function Contributor({ person_or_org, role, affiliations = [] }: Creator) {
  const orcid = person_or_org?.identifiers?.find(({ scheme }) => scheme === "orcid")?.identifier;
  const name = personName(person_or_org);
  return (
    <span>
      {orcid ? <External href={`https://orcid.org/${orcid}`}>{name}</External> : name}
      {role && ` (${titleText(role.title, role.id)})`}
      {affiliations.map((one) => ` · ${one.name ?? one.id}`)}
    </span>
  );
}

/** The remaining metadata as a table, without empty fields. */
export function RecordDetails({ record, beside }: { record: RecordBody; beside?: Beside }) {
  const { t } = useTranslation();
  const { metadata } = record;
  const { licences, contributors, subjects, dates, related, funding } = namesOf(record);
  const all: Row[] = [
    ["rights", t("draft.licences"), licences],
    ["contributors", t("draft.contributors"), contributors],
    ["subjects", t("draft.subjects"), subjects ? [subjects] : []],
    ["languages", t("draft.languages"), (metadata.languages ?? []).map(({ id, title }) => titleText(title, id))],
    [
      "additional_titles",
      t("draft.field.additional_titles"),
      typed(metadata.additional_titles, ({ title = "" }) => title),
    ],
    ["publisher", t("draft.publisher"), metadata.publisher ? [metadata.publisher] : []],
    ["dates", t("record.dates"), dates],
    ["related_identifiers", t("draft.related"), related],
    ["funding", t("draft.funding"), funding],
    [
      "identifiers",
      t("draft.field.identifiers"),
      (metadata.identifiers ?? []).map((one) => <RelatedLink key={one.identifier} {...one} />),
    ],
    ["copyright", t("draft.field.copyright"), metadata.copyright ? [htmlWords(metadata.copyright)] : []],
    ["sizes", t("draft.field.sizes"), metadata.sizes ?? []],
    ["formats", t("draft.field.formats"), metadata.formats ?? []],
    ["locations", t("draft.field.locations"), (metadata.locations?.features ?? []).map(placeWords).filter(Boolean)],
    ["references", t("record.references"), (metadata.references ?? []).map(({ reference }) => reference)],
  ];
  const rows = all.filter(([, , values]) => values.length > 0);
  if (rows.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="details">
      <div className={styles.sectionHead}>
        <h2 id="details">{t("action.details")}</h2>
      </div>
      <dl className={styles.facts}>
        {rows.map(([field, label, values]) => (
          <div key={label} style={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd className={beside && styles.besides}>
              <div>
                {values.map((value, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: values of one field, in their order
                  <div key={index}>{value}</div>
                ))}
              </div>
              {beside?.({ field: `metadata.${field}` }, label)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
