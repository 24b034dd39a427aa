import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { conflictsQuery } from "../../../api-client/sync.ts";
import { placeOf } from "../../sync/conflict-place.ts";
import { useDraftSession, useProblems } from "../draft-context.ts";
import styles from "./folded-group.module.css";

interface FoldedGroupProps {
  heading: string;
  /** The values of the group as words, shown while it is folded. */
  filled: string[];
  /** What belongs into it, shown while it is empty. */
  hint: string;
  /** The paths of its fields. */
  fields: string[];
  children: ReactNode;
}

const isIn = (fields: string[], path: string) => fields.some((field) => path === field || path.startsWith(`${field}.`));

const groups = new Set<(path: string) => void>();

/** Unfolds the group of a field. Its fields are on the page afterwards. */
export const unfoldGroupOf = (path: string): void =>
  flushSync(() => {
    for (const unfold of groups) unfold(path);
  });

/**
 * Fields that few drafts need. Unfolded from the start with a value, and always with a problem or a conflict. They are
 * drawn when the group is first unfolded: together they are almost half of the form.
 */
export function FoldedGroup({ heading, filled, hint, fields, children }: FoldedGroupProps) {
  const { t } = useTranslation();
  const session = useDraftSession();
  const problems = useProblems().filter(({ field }) => isIn(fields, field)).length;
  const { data: conflicts } = useQuery(conflictsQuery);
  const hasConflict = (conflicts?.hits.hits ?? []).some(
    (one) => one.record === session.id && isIn(fields, placeOf(one).field),
  );
  // A group that was once open stays so when its last value is removed.
  const [isOpen, setOpen] = useState<boolean>();
  const isShown = (isOpen ?? filled.length > 0) || problems > 0 || hasConflict;
  const [isDrawn, setDrawn] = useState(isShown);
  if (isShown && !isDrawn) setDrawn(true);
  const unfold = useEffectEvent((path: string) => {
    if (isIn(fields, path)) setOpen(true);
  });
  useEffect(() => {
    const listener = (path: string) => unfold(path);
    groups.add(listener);
    return () => void groups.delete(listener);
  }, []);
  return (
    <details className={styles.group} open={isShown} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>
        <ChevronRight className={styles.chevron} size={14} aria-hidden="true" />
        <span className={styles.heading}>{heading}</span>
        <span className={filled.length > 0 ? styles.filled : styles.empty} dir="auto">
          {filled.length > 0 ? filled.join(" · ") : hint}
        </span>
        {problems > 0 && <span className={styles.problem}>{t("draft.problems", { count: problems })}</span>}
      </summary>
      {isDrawn && <div className={styles.fields}>{children}</div>}
    </details>
  );
}

/** Folded groups as one panel. */
export function FoldedGroups({ children }: { children: ReactNode }) {
  return <div className={styles.groups}>{children}</div>;
}
