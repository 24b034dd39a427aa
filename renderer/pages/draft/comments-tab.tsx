import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { timelineQuery } from "../../api-client/requests.ts";
import { Busy, LoadFailure } from "../../components/notice.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { userName } from "../../format/names.ts";
import { formatAgo } from "../../format/times.ts";
import styles from "./draft.module.css";

/** What was said in the draft's review, to be worked through beside the form; each leads to where it is answered. */
export function CommentsTab({ body }: { body: RecordBody }) {
  const { t } = useTranslation();
  const { review } = body.parent;
  const { data, error, refetch } = useInfiniteQuery({
    ...timelineQuery(review?.id ?? "", 1),
    enabled: Boolean(review),
  });
  if (!review) return <p className={styles.quiet}>{t("draft.no_review")}</p>;
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Busy />;
  const said = data.pages.flatMap((page) => page.hits.hits).filter(({ type }) => type === "C");
  return (
    <div className={styles.beside}>
      {said.length === 0 && <p className={styles.quiet}>{t("draft.no_comments")}</p>}
      {said.map(({ id, created, created_by, expanded, payload }) => (
        <article key={id} className={styles.said}>
          <header>
            <b>{userName(expanded?.created_by, created_by.user)}</b>
            <Link to="/me/requests/$id" params={{ id: review.id }} hash={`commentevent-${id}`}>
              {formatAgo(created)}
            </Link>
          </header>
          <RichText html={payload?.content ?? ""} />
        </article>
      ))}
      <Link to="/me/requests/$id" params={{ id: review.id }}>
        {t("draft.to_review")}
      </Link>
    </div>
  );
}
