import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { keepLook, lookQuery, mutedQuery } from "../../api-client/desk.ts";
import { notificationsQuery } from "../../api-client/sync.ts";
import { IconButton } from "../../components/button.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { formatAgo } from "../../format/times.ts";
import styles from "./away-digest.module.css";

const words = {
  submitted: "asked",
  access_asked: "asked",
  accepted: "decided",
  declined: "decided",
  cancelled: "decided",
  changes_requested: "decided",
  review_requested: "asked",
  commented: "commented",
  replied: "commented",
  mentioned: "commented",
  record_deleted: "deleted",
} as const;

/** Unread activity of others since the user last dismissed this line. */
export function AwayDigest() {
  const { t } = useTranslation();
  const { data } = useQuery(notificationsQuery);
  const { data: since } = useQuery(lookQuery);
  const { data: muted } = useQuery(mutedQuery);
  if (!data || !muted || since === undefined) return null;
  const news = data.hits.hits.filter(
    ({ read, created, request }) => !read && (since === null || created > since) && !muted.includes(request ?? ""),
  );
  const [latest] = news;
  if (!latest) return null;
  const counts = { commented: 0, decided: 0, deleted: 0, asked: 0 };
  for (const { kind } of news) counts[words[kind]] += 1;
  const parts = (["commented", "decided", "deleted", "asked"] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => t(`library.away.${kind}`, { count: counts[kind] }));
  return (
    <section className={styles.digest} aria-label={t("library.away.title")}>
      <Bell size={15} strokeWidth={1.75} aria-hidden="true" />
      <span className={styles.words}>
        <b>{t("library.away.title")}:</b> {parts.join(", ")}.{" "}
        {t("library.away.last", { when: formatAgo(latest.created) })}{" "}
        <Link to="/activity">{t("library.away.look")}</Link>
      </span>
      <IconButton
        small
        icon={X}
        label={t("library.away.close")}
        onPress={() => void keepLook(latest.created).catch(showFailure)}
      />
    </section>
  );
}
