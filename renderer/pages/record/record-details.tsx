import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody, VocabularyRef } from "../../api-client/record-types.ts";
import { htmlWords } from "../../format/html-words.ts";
import { personName, titleText } from "../../format/names.ts";
import { formatEdtf } from "../../format/times.ts";
import { External, RelatedLink } from "./outer-link.tsx";
import styles from "./record.module.css";

type Row = [label: string, values: ReactNode[]];

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
  contributors: (metadata.contributors ?? []).map(
    ({ person_or_org, role }) => `${personName(person_or_org)}${role ? ` (${titleText(role.title, role.id)})` : ""}`,
  ),
  subjects: (metadata.subjects ?? []).map(({ subject, id }) => subject ?? id).join(", "),
  dates: typed(metadata.dates, ({ date = "" }) => formatEdtf(date)),
  related: (metadata.related_identifiers ?? []).map((work) => (
    <span key={`${work.relation_type?.id}${work.identifier}`}>
      {work.relation_type && titleText(work.relation_type.title, work.relation_type.id)} <RelatedLink {...work} />
    </span>
  )),
  funding: (metadata.funding ?? []).map(({ funder, award }) =>
    [...new Set([funder?.name ?? funder?.id, award?.number, titleText(award?.title, "")])].filter(Boolean).join(" · "),
  ),
});

/** The remaining metadata as a table, without empty fields. */
export function RecordDetails({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const { metadata } = record;
  const { licences, contributors, subjects, dates, related, funding } = namesOf(record);
  const all: Row[] = [
    [t("draft.licences"), licences],
    [t("draft.contributors"), contributors],
    [t("draft.subjects"), subjects ? [subjects] : []],
    [t("draft.languages"), (metadata.languages ?? []).map(({ id, title }) => titleText(title, id))],
    [t("draft.field.additional_titles"), typed(metadata.additional_titles, ({ title = "" }) => title)],
    [t("draft.publisher"), metadata.publisher ? [metadata.publisher] : []],
    [t("record.dates"), dates],
    [t("draft.related"), related],
    [t("draft.funding"), funding],
    [
      t("draft.field.identifiers"),
      (metadata.identifiers ?? []).map((one) => <RelatedLink key={one.identifier} {...one} />),
    ],
    [t("draft.field.copyright"), metadata.copyright ? [htmlWords(metadata.copyright)] : []],
    [t("record.references"), (metadata.references ?? []).map(({ reference }) => reference)],
  ];
  const rows = all.filter(([, values]) => values.length > 0);
  if (rows.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="details">
      <div className={styles.sectionHead}>
        <h2 id="details">{t("action.details")}</h2>
      </div>
      <dl className={styles.facts}>
        {rows.map(([label, values]) => (
          <div key={label} style={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd>
              {values.map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: values of one field, in their order
                <div key={index}>{value}</div>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
