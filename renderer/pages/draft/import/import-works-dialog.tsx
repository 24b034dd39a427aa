import { useNavigate } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { createDraft } from "../../../api-client/records.ts";
import { Button } from "../../../components/button.tsx";
import { Checkbox } from "../../../components/choice.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { InlineNotice } from "../../../components/notice.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { showToast } from "../../../components/toast-queue.ts";
import { useChange } from "../../../components/use-change.ts";
import { personName, titleText } from "../../../format/names.ts";
import { CitationFiles } from "./citation-files.tsx";
import styles from "./import.module.css";
import { usePlacedWorks } from "./placed-works.ts";
import { readWorks } from "./read-work.ts";
import type { ReadWork } from "./work.ts";

const contentOf = ({ metadata, custom_fields, doi }: ReadWork) => ({
  metadata,
  custom_fields,
  ...(doi ? { pids: { doi: { identifier: doi, provider: "external" } } } : {}),
});

/** Places of the damaged works, which are not chosen at first. */
const damagedIn = (texts: readonly string[]): ReadonlySet<number> =>
  new Set(texts.flatMap(readWorks).flatMap(({ isDamaged }, index) => (isDamaged ? [index] : [])));

interface ImportWorksDialogProps {
  /** Texts that the user dropped. */
  given: string[];
  onClose: () => void;
}

/** Lists the works that citations name. Creates a draft only for each work that the user chooses (app M1). */
export function ImportWorksDialog({ given, onClose }: ImportWorksDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [texts, setTexts] = useState(given);
  const [left, setLeft] = useState<ReadonlySet<number>>(() => damagedIn(given));
  const [made, setMade] = useState<ReadonlySet<number>>(new Set());
  const works = usePlacedWorks(useMemo(() => texts.flatMap(readWorks), [texts]));
  const unread = texts.filter((text) => text.trim() !== "" && readWorks(text).length === 0).length;
  const chosen = works.flatMap((work, index) => (left.has(index) || made.has(index) ? [] : [{ work, index }]));
  const take = (next: string[]) => {
    setTexts(next);
    setLeft(damagedIn(next));
    setMade(new Set());
  };
  const create = useChange(
    async () => {
      const ids: string[] = [];
      for (const { work, index } of chosen) {
        ids.push((await createDraft(contentOf(work))).id);
        // After a failure, a repeated press creates only the drafts that are missing.
        setMade((before) => new Set(before).add(index));
      }
      return ids;
    },
    {
      onDone: async (ids) => {
        const [only] = ids;
        onClose();
        if (ids.length === 1 && only) return navigate({ to: "/uploads/$id", params: { id: only } });
        showToast({ tone: "ok", text: t("import.made", { count: ids.length }) });
      },
    },
  );
  return (
    <Dialog
      isOpen
      wide
      isPending={create.isPending}
      onClose={onClose}
      keepsOpen={texts.some((text) => text !== "")}
      title={t("import.many_title")}
      actions={
        <>
          <Button isDisabled={create.isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button
            variant="primary"
            isDisabled={chosen.length === 0}
            isPending={create.isPending}
            onPress={() => create.mutate()}
          >
            {t("import.make", { count: chosen.length })}
          </Button>
        </>
      }
    >
      {texts.length > 1 ? (
        <div className={styles.given}>
          <span>{t("import.given", { count: texts.length })}</span>
          <Button small onPress={() => take([])}>
            {t("import.again")}
          </Button>
        </div>
      ) : (
        <TextField
          label={t("import.many_text")}
          description={t("import.many_help")}
          rows={works.length > 0 ? 3 : 8}
          mono
          autoFocus
          value={texts[0] ?? ""}
          onChange={(text) => take([text])}
        />
      )}
      <CitationFiles allowsMany onTexts={take} />
      {unread > 0 && <InlineNotice tone="warn">{t("import.unknown_many", { count: unread })}</InlineNotice>}
      {works.length > 0 && <WorkList works={works} left={left} made={made} onLeave={setLeft} />}
    </Dialog>
  );
}

interface WorkListProps {
  works: ReadWork[];
  left: ReadonlySet<number>;
  made: ReadonlySet<number>;
  onLeave: (left: ReadonlySet<number>) => void;
}

function WorkList({ works, left, made, onLeave }: WorkListProps) {
  const { t } = useTranslation();
  const open = works.flatMap((_, index) => (made.has(index) ? [] : [index]));
  const on = open.filter((index) => !left.has(index));
  const whole = open.filter((index) => !works[index]?.isDamaged);
  // Damaged works are chosen one by one, unless there is nothing else.
  const all = whole.length > 0 ? whole : open;
  const hasAll = all.every((index) => !left.has(index));
  const toggle = (index: number) =>
    onLeave(new Set(left.has(index) ? [...left].filter((one) => one !== index) : [...left, index]));
  return (
    <div className={styles.works}>
      <div className={styles.all}>
        <Checkbox
          isSelected={hasAll}
          isIndeterminate={on.length > 0 && !hasAll}
          onChange={(isOn) =>
            onLeave(new Set(isOn ? open.filter((index) => left.has(index) && !all.includes(index)) : open))
          }
        >
          {t("import.chosen", { chosen: on.length, count: works.length })}
        </Checkbox>
      </div>
      <ul className={styles.workList} aria-label={t("import.works")}>
        {works.map((work, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list changes as a whole
          <li key={index} className={styles.work}>
            <Checkbox
              isSelected={!left.has(index) && !made.has(index)}
              isDisabled={made.has(index)}
              onChange={() => toggle(index)}
              help={factsOf(work).join(" · ") || undefined}
            >
              <span className={styles.workTitle}>{work.metadata.title ?? work.doi ?? t("library.untitled")}</span>
            </Checkbox>
            {work.isDamaged && (
              <span className={styles.damaged}>
                <TriangleAlert size={14} aria-hidden="true" />
                {t("import.damaged")}
              </span>
            )}
            {work.wrongOrcids?.map((one) => (
              <span key={one} className={styles.damaged}>
                <TriangleAlert size={14} aria-hidden="true" />
                {one}: {t("creators.orcid_wrong")}
              </span>
            ))}
            {made.has(index) && <span className={styles.note}>{t("import.is_made")}</span>}
            {work.unplaced.length > 0 && (
              <details className={styles.unplaced}>
                <summary>{t("import.unplaced_count", { count: work.unplaced.length })}</summary>
                <ul>
                  {work.unplaced.map(({ name, value }, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a name may stand twice
                    <li key={at}>
                      <b>{name}</b> {value}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** People, year, type and DOI of a work. */
function factsOf({ metadata, doi }: ReadWork): string[] {
  const { creators = [], publication_date, resource_type } = metadata;
  const [first, second] = creators.map(({ person_or_org }) => personName(person_or_org));
  const more = creators.length > 2 ? ` +${creators.length - 2}` : "";
  return [
    [first, second].filter(Boolean).join("; ") + more,
    publication_date?.slice(0, 4),
    resource_type && titleText(resource_type.title, resource_type.id),
    metadata.title ? doi : undefined,
  ].filter((fact): fact is string => Boolean(fact));
}
