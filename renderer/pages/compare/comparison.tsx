import { ArrowDown, ArrowUp, GitCompareArrows, MessageSquareQuote } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ToggleButton } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/button.tsx";
import { ChangedText } from "../../components/changed-text.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { EmptyState } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { useFieldLabel } from "../../components/use-field-label.ts";
import { formatBytes } from "../../format/amounts.ts";
import { wordChanges } from "../../format/word-changes.ts";
import { useCommands } from "../../shell/command-list.ts";
import styles from "./compare.module.css";
import {
  type Compared,
  type ComparedFile,
  compareFields,
  compareFiles,
  type FieldChange,
  type FileChange,
} from "./compare-records.ts";

export interface Side {
  /** Name of the version. */
  name: string;
  body: Compared;
  files: ComparedFile[];
}

/** One change to quote; for a file only its name. */
export interface QuotedChange {
  field: string;
  kind: FileChange["kind"];
  before?: string;
  after?: string;
}

type OnComment = (change: QuotedChange) => void;

function goToChange(step: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-change]")];
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[here === -1 ? (step === 1 ? 0 : rows.length - 1) : here + step];
  next?.focus();
  next?.scrollIntoView({ block: "center" });
}

function useChangeKeys() {
  const { t } = useTranslation();
  useCommands(
    (["next", "last"] as const).map((which) => ({
      id: `change.${which}`,
      group: "page",
      label: t(`compare.${which}`),
      icon: which === "next" ? ArrowDown : ArrowUp,
      keys: which === "next" ? "n" : "p",
      run: () => goToChange(which === "next" ? 1 : -1),
    })),
  );
}

/** Shows two sides by field and file, by default only the changes. `n` and `p` move between changes. */
export function Comparison({
  before,
  after,
  head,
  onComment,
}: {
  before: Side;
  after: Side;
  /** Shown before the counts: a title, the choice of versions. */
  head: ReactNode;
  /** Adds a comment button to each change. */
  onComment?: OnComment;
}) {
  const { t } = useTranslation();
  const [showsAll, setShowsAll] = useState(false);
  const [only, setOnly] = useState<string | null>(null);
  const fields = compareFields(before.body, after.body);
  const files = compareFiles(before.files, after.files);
  useChangeKeys();
  const changes = [...fields, ...files].map(({ kind }) => kind).filter((kind) => kind !== "same");
  const kinds = (["added", "changed", "renamed", "removed"] as const).filter((kind) => changes.includes(kind));
  const shown = ({ kind }: { kind: string }) => (only ? kind === only : showsAll || kind !== "same");
  return (
    <>
      {head}
      <div className={styles.counts}>
        <Pill tone={changes.length > 0 ? "info" : "neutral"}>{t("compare.count", { count: changes.length })}</Pill>
        {kinds.length > 1 &&
          kinds.map((kind) => (
            <ToggleButton
              key={kind}
              className={styles.chip ?? ""}
              isSelected={only === kind}
              onChange={(isOn) => setOnly(isOn ? kind : null)}
            >
              {t("compare.of_kind", {
                number: changes.filter((one) => one === kind).length,
                kind: t(`compare.kind.${kind}`),
              })}
            </ToggleButton>
          ))}
        <Checkbox isSelected={showsAll} onChange={setShowsAll} isDisabled={only !== null}>
          {t("compare.show_same")}
        </Checkbox>
      </div>
      {changes.length === 0 && !showsAll ? (
        <EmptyState icon={GitCompareArrows} title={t("compare.nothing")}>
          {t("compare.nothing_help")}
        </EmptyState>
      ) : (
        <>
          <FieldTable fields={fields.filter(shown)} before={before.name} after={after.name} onComment={onComment} />
          <FileList files={files.filter(shown)} onComment={onComment} />
        </>
      )}
    </>
  );
}

/** Targets of `n` and `p`. */
const changeMark = (kind: string) => (kind === "same" ? {} : { "data-change": true, tabIndex: -1 });

function CommentButton({ change, onComment }: { change: QuotedChange; onComment: OnComment }) {
  const { t } = useTranslation();
  return (
    <IconButton
      small
      icon={MessageSquareQuote}
      label={t("compare.comment_on", { field: change.field })}
      onPress={() => onComment(change)}
    />
  );
}

function FieldTable({
  fields,
  before,
  after,
  onComment,
}: {
  fields: FieldChange[];
  before: string;
  after: string;
  onComment: OnComment | undefined;
}) {
  const { t } = useTranslation();
  const labelOf = useFieldLabel();
  if (fields.length === 0) return null;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t("compare.field")}</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((change) => {
          const parts = wordChanges(change.before, change.after);
          const field = labelOf(change.field.replace("access.", ""));
          return (
            <tr key={change.field} {...changeMark(change.kind)}>
              <th scope="row">
                <span className={styles.fieldHead}>
                  <span>
                    {field}
                    {change.kind !== "same" && <span className={styles.kind}>{t(`compare.kind.${change.kind}`)}</span>}
                  </span>
                  {onComment && change.kind !== "same" && (
                    <CommentButton change={{ ...change, field }} onComment={onComment} />
                  )}
                </span>
              </th>
              <td dir="auto">
                <ChangedText parts={parts} side="before" />
              </td>
              <td dir="auto">
                <ChangedText parts={parts} side="after" />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function FileList({ files, onComment }: { files: FileChange[]; onComment: OnComment | undefined }) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <section aria-labelledby="compared-files">
      <h2 id="compared-files">{t("files.title")}</h2>
      <ul className={styles.files}>
        {files.map(({ kind, key, formerKey, size }) => (
          <li key={key} {...changeMark(kind)}>
            <Pill tone={kind === "added" ? "ok" : kind === "removed" ? "danger" : "neutral"}>
              {t(`compare.kind.${kind}`)}
            </Pill>
            <span className={styles.file}>{formerKey ? t("compare.renamed", { from: formerKey, to: key }) : key}</span>
            <span className={styles.size}>{formatBytes(size)}</span>
            {onComment && kind !== "same" && (
              <CommentButton
                change={{ field: key, kind, ...(formerKey ? { before: formerKey, after: key } : {}) }}
                onComment={onComment}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
