import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { citationStyles } from "../../../shared/representations/citation-styles.schema.ts";
import { citationQuery, exportQuery } from "../../api-client/citations.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { versionsQuery } from "../../api-client/records.ts";
import { Button } from "../../components/button.tsx";
import { copyText } from "../../components/copy-text.ts";
import { Select } from "../../components/select.tsx";
import { UsageTable } from "../../components/usage-table.tsx";
import { formatAgo, formatFull } from "../../format/times.ts";
import { External } from "./outer-link.tsx";
import { plainCitation } from "./plain-citation.ts";
import styles from "./record.module.css";

/** Versions, citation, identifiers. */
export function RecordSide({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const doi = record.pids.doi?.identifier;
  const doiOfAll = record.parent.pids.doi?.identifier;
  return (
    <aside className={styles.side} aria-label={t("record.side")}>
      <div className={styles.sideInner}>
        <Citation record={record} />
        <Versions record={record} />
        <Usage record={record} />
        <section className={styles.block}>
          <h2>{t("record.about")}</h2>
          <dl className={`${styles.facts} ${styles.narrow}`}>
            {doi && (
              <>
                <dt>DOI</dt>
                <dd>
                  <External href={`https://doi.org/${doi}`}>{doi}</External>
                </dd>
              </>
            )}
            {doiOfAll && (
              <>
                <dt>{t("record.doi_of_all")}</dt>
                <dd>
                  <External href={`https://doi.org/${doiOfAll}`}>{doiOfAll}</External>
                </dd>
              </>
            )}
            <dt>{t("draft.id")}</dt>
            <dd>
              <code>{record.id}</code>
            </dd>
            <dt>{t("record.published")}</dt>
            <dd>{formatFull(record.created)}</dd>
            <dt>{t("draft.changed")}</dt>
            <dd>{formatFull(record.updated)}</dd>
          </dl>
        </section>
      </div>
    </aside>
  );
}

function Versions({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const { data } = useQuery(versionsQuery(record.id));
  const versions = data?.hits.hits ?? [record];
  return (
    <section className={styles.block} aria-labelledby="versions">
      <h2 id="versions">{t("record.versions")}</h2>
      <ul>
        {versions.map((version) => (
          <li key={version.id}>
            <Link
              className={styles.version ?? ""}
              to="/records/$id"
              params={{ id: version.id }}
              activeOptions={{ exact: true }}
            >
              {t("library.version", { index: version.metadata.version ?? version.versions.index })}
              <span>{formatAgo(version.created)}</span>
            </Link>
            {version.id !== record.id && (
              <Link
                className={styles.compare ?? ""}
                to="/records/$id/compare/$other"
                params={
                  version.versions.index < record.versions.index
                    ? { id: version.id, other: record.id }
                    : { id: record.id, other: version.id }
                }
              >
                {t("compare.with_this")}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Views and downloads of each version, as far as they are counted. */
function Usage({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const { data } = useQuery(versionsQuery(record.id));
  const counted = (data?.hits.hits ?? [record]).filter(({ stats }) => stats);
  if (counted.length === 0) return null;
  return (
    <section className={styles.block} aria-labelledby="usage">
      <h2 id="usage">{t("usage.title")}</h2>
      <UsageTable
        caption={t("usage.title")}
        of={t("draft.version")}
        rows={counted.map(({ id, metadata, versions, stats }) => ({
          key: id,
          label: metadata.version ?? versions.index,
          views: stats?.this_version.views ?? 0,
          downloads: stats?.this_version.downloads ?? 0,
        }))}
      />
    </section>
  );
}

const exportFormats = [
  { id: "application/x-bibtex", label: "BibTeX" },
  { id: "application/vnd.citationstyles.csl+json", label: "CSL JSON" },
  { id: "application/vnd.datacite.datacite+json", label: "DataCite JSON" },
  { id: "application/x-dc+xml", label: "Dublin Core" },
];

function Citation({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const [format, setFormat] = useState("apa");
  const isStyle = citationStyles.some(({ id }) => id === format);
  const citation = useQuery({ ...citationQuery(record.id, format), enabled: isStyle });
  const exported = useQuery({ ...exportQuery(record.id, format), enabled: !isStyle });
  const text = isStyle ? (citation.data ?? plainCitation(record)) : (exported.data ?? exported.error?.message ?? "");
  return (
    <section className={styles.card} aria-labelledby="citation">
      <h2 id="citation">{t("record.cite")}</h2>
      <Select
        label={t("record.cite_format")}
        hideLabel
        options={[...citationStyles, ...exportFormats]}
        value={format}
        onChange={setFormat}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long citation must be scrollable by keyboard */}
      <div className={styles.citation}>{isStyle ? text : <pre tabIndex={0}>{text}</pre>}</div>
      <span>
        <Button small icon={Copy} onPress={() => void copyText(text)}>
          {t("action.copy")}
        </Button>
      </span>
    </section>
  );
}
