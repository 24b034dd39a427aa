import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { conflictsQuery } from "../../../api-client/sync.ts";
import { useCustomLabels } from "../../../components/use-custom-labels.ts";
import { type FieldGroup, leafPath, leafValue } from "../../../format/custom-fields.ts";
import { wordsOf } from "../../compare/compare-records.ts";
import { placeOf } from "../../sync/conflict-choices.tsx";
import { useContent, useDraft, useProblems } from "../draft-context.ts";
import styles from "./custom.module.css";
import { CustomInput } from "./custom-input.tsx";

/** The custom fields, one folded group for each of their sections. */
export function CustomSection() {
  const { groups } = useCustomLabels();
  return (
    <div className={styles.groups}>
      {groups.map((group) => (
        <Group key={group.id} group={group} />
      ))}
    </div>
  );
}

function Group({ group }: { group: FieldGroup }) {
  const { t } = useTranslation();
  const { labelOf, headingOf } = useCustomLabels();
  const { session } = useDraft();
  const { content } = useContent();
  const problems = useProblems();
  const leaves = group.leaves.filter(
    (leaf) => leaf.superseded_by === undefined || leafValue(content.custom_fields, leaf) !== undefined,
  );
  const filled = leaves.flatMap((leaf) => {
    const words = wordsOf(leafValue(content.custom_fields, leaf)).replaceAll("\n", "; ");
    return words ? [words] : [];
  });
  const hasProblem = leaves.some((leaf) =>
    problems.some(({ field }) => field.startsWith(`custom_fields.${leafPath(leaf)}`)),
  );
  const { data: conflicts } = useQuery(conflictsQuery);
  const disputed = (conflicts?.hits.hits ?? []).flatMap((one) =>
    one.record === session.id ? [placeOf(one).field] : [],
  );
  const hasConflict = leaves.some((leaf) => disputed.includes(`custom_fields.${leafPath(leaf)}`));
  const [isOpen, setOpen] = useState(filled.length > 0);
  const isShown = isOpen || hasProblem || hasConflict;
  return (
    <details className={styles.group} open={isShown} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>
        <ChevronRight className={styles.chevron} size={14} aria-hidden="true" />
        <span className={styles.heading}>{headingOf(group)}</span>
        <span className={filled.length > 0 ? styles.filled : styles.empty}>
          {filled.length > 0 ? filled.join(" · ") : leaves.map(labelOf).join(", ")}
        </span>
        {hasProblem && <span className={styles.problem}>{t("draft.problems", { count: 1 })}</span>}
      </summary>
      <div className={styles.fields}>
        {leaves.map((leaf) => (
          <CustomInput key={leafPath(leaf)} leaf={leaf} label={labelOf(leaf)} />
        ))}
      </div>
    </details>
  );
}
