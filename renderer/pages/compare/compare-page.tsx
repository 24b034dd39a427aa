import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, GitCompareArrows } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { plainTextOf } from "../../../shared/search/analysis.ts";
import type { FileEntry, RecordBody } from "../../api-client/record-types.ts";
import { draftFilesQuery, draftQuery, recordFilesQuery, recordQuery } from "../../api-client/records.ts";
import { ChangedText } from "../../components/changed-text.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { Busy, EmptyState } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { formatFull } from "../../format/times.ts";
import { wordChanges } from "../../format/word-changes.ts";
import { useCommands } from "../../shell/command-list.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { PageFailure } from "../page-failure.tsx";
import styles from "./compare.module.css";
import { compareFields, compareFiles, type FieldChange, type FileChange } from "./compare-records.ts";

const route = getRouteApi("/records/$id/compare/$other");

interface Side {
  body: RecordBody;
  files: FileEntry[];
}

function useSide(id: string, isDraft: boolean): { side?: Side; error: Error | null } {
  const body = useQuery(isDraft ? draftQuery(id) : recordQuery(id));
  const hasFiles = body.data?.files.enabled === true;
  const files = useQuery({ ...(isDraft ? draftFilesQuery(id) : recordFilesQuery(id)), enabled: hasFiles });
  const error = body.error ?? files.error;
  if (!body.data || (hasFiles && !files.data)) return { error };
  return { side: { body: body.data, files: files.data?.entries ?? [] }, error };
}

/** What changed from one version to another, or from the published record to its draft (`other` is `draft`). */
export function ComparePage() {
  const { t } = useTranslation();
  const { id, other } = route.useParams();
  const isDraft = other === "draft";
  const before = useSide(id, false);
  const after = useSide(isDraft ? id : other, isDraft);
  usePageTitle(
    { label: t("place.library"), to: "/" },
    { label: before.side?.body.metadata.title ?? id, to: `/records/${id}` },
    { label: t("compare.title") },
  );
  const error = before.error ?? after.error;
  if (error) return <PageFailure error={error} />;
  if (!before.side || !after.side) return <Busy />;
  return <Comparison before={before.side} after={after.side} />;
}

function goToChange(step: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-change]")];
  const here = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[here === -1 ? (step === 1 ? 0 : rows.length - 1) : here + step];
  next?.focus();
  next?.scrollIntoView({ block: "center" });
}

function Comparison({ before, after }: { before: Side; after: Side }) {
  const { t } = useTranslation();
  const [showsAll, setShowsAll] = useState(false);
  const fields = compareFields(before.body, after.body, (html) => plainTextOf(html).replace(/\s+/g, " ").trim());
  const files = compareFiles(before.files, after.files);
  useCommands([
    {
      id: "change.next",
      group: "page",
      label: t("compare.next"),
      icon: ArrowDown,
      keys: "n",
      run: () => goToChange(1),
    },
    { id: "change.last", group: "page", label: t("compare.last"), icon: ArrowUp, keys: "p", run: () => goToChange(-1) },
  ]);
  const count = [...fields, ...files].filter(({ kind }) => kind !== "same").length;
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{t("compare.title")}</h1>
        <Pill tone={count > 0 ? "info" : "neutral"}>{t("compare.count", { count })}</Pill>
        <Checkbox isSelected={showsAll} onChange={setShowsAll}>
          {t("compare.show_same")}
        </Checkbox>
      </div>
      {count === 0 && !showsAll ? (
        <EmptyState icon={GitCompareArrows} title={t("compare.nothing")}>
          {t("compare.nothing_help")}
        </EmptyState>
      ) : (
        <>
          <FieldTable
            fields={fields.filter(({ kind }) => showsAll || kind !== "same")}
            before={before.body}
            after={after.body}
          />
          <FileList files={files.filter(({ kind }) => showsAll || kind !== "same")} />
        </>
      )}
    </div>
  );
}

function useSideName() {
  const { t } = useTranslation();
  return ({ is_published, versions, metadata, updated }: RecordBody) =>
    is_published
      ? t("compare.version_of", { index: metadata.version ?? versions.index, when: formatFull(updated) })
      : t("compare.draft_of", { when: formatFull(updated) });
}

function FieldTable({ fields, before, after }: { fields: FieldChange[]; before: RecordBody; after: RecordBody }) {
  const { t } = useTranslation();
  const nameOf = useSideName();
  if (fields.length === 0) return null;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t("compare.field")}</th>
          <th scope="col">{nameOf(before)}</th>
          <th scope="col">{nameOf(after)}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((change) => {
          const parts = wordChanges(change.before, change.after);
          const isChange = change.kind !== "same";
          const name = change.field.replace("access.", "");
          return (
            <tr key={change.field} {...(isChange ? { "data-change": true, tabIndex: -1 } : {})}>
              <th scope="row">
                {t(`draft.field.${change.field as "title"}`, { defaultValue: name.replaceAll("_", " ") })}
                {isChange && <span className={styles.kind}>{t(`compare.kind.${change.kind as "added"}`)}</span>}
              </th>
              <td>
                <ChangedText parts={parts} side="before" />
              </td>
              <td>
                <ChangedText parts={parts} side="after" />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function FileList({ files }: { files: FileChange[] }) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <section aria-labelledby="compared-files">
      <h2 id="compared-files">{t("files.title")}</h2>
      <ul className={styles.files}>
        {files.map(({ kind, key, formerKey, size }) => (
          <li key={key} {...(kind === "same" ? {} : { "data-change": true, tabIndex: -1 })}>
            <Pill tone={kind === "added" ? "ok" : kind === "removed" ? "danger" : "neutral"}>
              {t(`compare.kind.${kind}`)}
            </Pill>
            <span className={styles.file}>{formerKey ? t("compare.renamed", { from: formerKey, to: key }) : key}</span>
            <span className={styles.size}>{formatBytes(size)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
