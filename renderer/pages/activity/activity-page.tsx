import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import { useTranslation } from "react-i18next";
import { markRead, notificationsQuery } from "../../api-client/sync.ts";
import type { Notification } from "../../api-client/sync-types.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { userQuery } from "../../api-client/vocabularies.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { useChange } from "../../components/use-change.ts";
import { userName } from "../../format/names.ts";
import { formatAgo } from "../../format/times.ts";
import { placeOfNotification } from "../../shell/notification-place.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import styles from "./activity.module.css";

/** Others' activity that concerns the user, newest first. */
export function ActivityPage() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = usePageQuery(notificationsQuery);
  const readAll = useChange(() => markRead("all"));
  usePageTitle({ label: t("place.activity") });
  const items = data?.hits.hits ?? [];
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{t("place.activity")}</h1>
        {Boolean(data?.unread) && (
          <Button isPending={readAll.isPending} onPress={() => readAll.mutate()}>
            {t("activity.read_all")}
          </Button>
        )}
      </div>
      {isPending && <Busy />}
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data && items.length === 0 && (
        <EmptyState icon={Bell} title={t("activity.empty")}>
          {t("activity.empty_help")}
        </EmptyState>
      )}
      <ul>
        {items.map((item) => (
          <ActivityRow key={item.id} item={item} />
        ))}
      </ul>
    </div>
  );
}

function ActivityRow({ item }: { item: Notification }) {
  const { t } = useTranslation();
  const { data: actor } = useQuery(userQuery(item.actor));
  const name = userName(actor, t("activity.someone"));
  return (
    <li>
      <Link
        className={styles.row ?? ""}
        {...placeOfNotification(item)}
        onClick={() => void (item.read || markRead([item.id]))}
      >
        <span>
          {!item.read && (
            <span className={styles.dot} role="img" aria-label={t("activity.unread")} style={{ display: "block" }} />
          )}
        </span>
        <Avatar name={name} user={actor} />
        <span className={`${styles.what} ${item.read ? "" : styles.unread}`}>
          {t(`activity.kind.${item.kind}`, { name, title: item.title })}
        </span>
        <span className={styles.when}>{formatAgo(item.created)}</span>
      </Link>
    </li>
  );
}
