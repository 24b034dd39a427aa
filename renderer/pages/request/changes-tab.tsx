import { useQuery } from "@tanstack/react-query";
import { GitCompareArrows } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { blockingError } from "../../api-client/blocking-error.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { latestQuery, versionsQuery } from "../../api-client/records.ts";
import { Busy, EmptyState, InlineNotice } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { Comparison, type QuotedChange, type Side } from "../compare/comparison.tsx";
import { useReviewedSide, useSide } from "../compare/sides.ts";
import styles from "./request.module.css";

/** The previous published version; for an edit of a record, that record. */
function useFormer(body: RecordBody) {
  const { is_published, versions, status, parent, id } = body;
  const isExpected = versions.index > 1 || (!is_published && status === "published");
  const latest = useQuery({ ...latestQuery(parent.id), enabled: isExpected && !is_published });
  const all = useQuery({ ...versionsQuery(id), enabled: isExpected && is_published });
  const before = all.data?.hits.hits.find(({ versions: { index } }) => index < versions.index);
  const { side, error } = useSide(is_published ? before?.id : latest.data?.id, false);
  const failure = blockingError(latest) ?? blockingError(all) ?? error;
  return { side, error: failure, isPending: isExpected && !side && !failure };
}

interface Basis {
  id: string;
  side: Side;
}

/** Changes in the draft since the previous version, or since the user's last review. */
export function ChangesTab({ body, onComment }: { body: RecordBody; onComment?: (change: QuotedChange) => void }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const reviewed = useReviewedSide(body.id);
  const former = useFormer(body);
  const after = useSide(body.id, !body.is_published).side;
  if (former.isPending || reviewed === undefined || !after) return <Busy />;
  const bases: Basis[] = [
    ...(reviewed ? [{ id: "review", side: reviewed }] : []),
    ...(former.side ? [{ id: "published", side: former.side }] : []),
  ];
  const basis = bases.find(({ id }) => id === chosen) ?? bases[0];
  if (!basis)
    return former.error ? (
      <InlineNotice tone="warn">{former.error.message}</InlineNotice>
    ) : (
      <EmptyState icon={GitCompareArrows} title={t("request.first_version")}>
        {t(body.is_published ? "request.first_published_help" : "request.first_version_help")}
      </EmptyState>
    );
  return (
    <div className={styles.topic}>
      <Comparison
        before={basis.side}
        after={after}
        {...(onComment ? { onComment } : {})}
        head={
          bases.length === 1 ? (
            <p className={styles.note}>{t("compare.from_one", { name: basis.side.name })}</p>
          ) : (
            <Select
              look="bare"
              label={t("compare.from")}
              value={basis.id}
              onChange={setChosen}
              options={bases.map(({ id, side }) => ({ id, label: side.name }))}
            />
          )
        }
      />
    </div>
  );
}
