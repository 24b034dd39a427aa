import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody, RelatedIdentifier } from "../../api-client/record-types.ts";
import { personName, titleText } from "../../format/names.ts";
import { formatEdtf } from "../../format/times.ts";
import styles from "./record.module.css";

const External = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
);

function RelatedLink({ identifier, scheme }: RelatedIdentifier) {
  if (scheme === "doi") return <External href={`https://doi.org/${identifier}`}>{identifier}</External>;
  if (/^https?:\/\//.test(identifier)) return <External href={identifier}>{identifier}</External>;
  return <code>{identifier}</code>;
}

/** The rest of the metadata as a table; a field without a value is left out. */
export function RecordDetails({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const { metadata } = record;
  const rows: [string, ReactNode][] = [];
  const add = (label: string, items: ReactNode[]) => {
    if (items.length)
      rows.push([
        label,
        items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values of one field, in their order
          <div key={index}>{item}</div>
        )),
      ]);
  };
  add(
    t("draft.licences"),
    (metadata.rights ?? []).map(({ id, title, link, props }) => {
      const name = titleText(title, id ?? "");
      const href = link ?? props?.url;
      return href ? (
        <External key={href} href={href}>
          {name}
        </External>
      ) : (
        name
      );
    }),
  );
  add(
    t("draft.contributors"),
    (metadata.contributors ?? []).map(
      ({ person_or_org, role }) => `${personName(person_or_org)}${role ? ` (${titleText(role.title, role.id)})` : ""}`,
    ),
  );
  const subjects = (metadata.subjects ?? []).map(({ subject, id }) => subject ?? id).join(", ");
  add(t("draft.subjects"), subjects ? [subjects] : []);
  add(
    t("draft.languages"),
    (metadata.languages ?? []).map(({ id, title }) => titleText(title, id)),
  );
  add(t("draft.publisher"), metadata.publisher ? [metadata.publisher] : []);
  add(
    t("record.dates"),
    (metadata.dates ?? []).map(({ date, type }) => `${titleText(type.title, type.id)}: ${formatEdtf(date)}`),
  );
  add(
    t("draft.related"),
    (metadata.related_identifiers ?? []).map((work) => (
      <>
        {work.relation_type && titleText(work.relation_type.title, work.relation_type.id)} <RelatedLink {...work} />
      </>
    )),
  );
  add(
    t("draft.funding"),
    (metadata.funding ?? []).map(({ funder, award }) =>
      [funder.name ?? funder.id, award?.number, titleText(award?.title, "")].filter(Boolean).join(" · "),
    ),
  );
  add(
    t("record.references"),
    (metadata.references ?? []).map(({ reference }) => reference),
  );
  if (rows.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="details">
      <div className={styles.sectionHead}>
        <h2 id="details">{t("action.details")}</h2>
      </div>
      <dl className={styles.facts}>
        {rows.map(([label, value]) => (
          <div key={label} style={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
