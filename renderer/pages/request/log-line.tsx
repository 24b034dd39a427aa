import { useQuery } from "@tanstack/react-query";
import {
  Ban,
  CircleCheck,
  CircleX,
  Lock,
  type LucideIcon,
  MessageSquareOff,
  PencilLine,
  RotateCcw,
  TimerOff,
  Unlock,
  UserMinus,
  UserPlus,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RequestEvent } from "../../api-client/request-types.ts";
import { userQuery } from "../../api-client/vocabularies.ts";
import { nameOrNumber, userName } from "../../format/names.ts";
import { formatAgo, formatFull } from "../../format/times.ts";
import styles from "./request.module.css";

const icons: Record<string, LucideIcon> = {
  accepted: CircleCheck,
  declined: CircleX,
  cancelled: Ban,
  expired: TimerOff,
  changes_requested: PencilLine,
  review_requested: RotateCcw,
  locked: Lock,
  unlocked: Unlock,
  reviewer_added: UserPlus,
  reviewer_removed: UserMinus,
  comment_deleted: MessageSquareOff,
};

/** One event: a decision, a lock, a deleted comment. */
export function LogLine({ event }: { event: RequestEvent }) {
  const { t } = useTranslation();
  const { data: other } = useQuery({ ...userQuery(event.about?.user ?? ""), enabled: event.about?.user !== undefined });
  const reviewer = event.about?.group ?? userName(other, t("activity.someone"));
  const eventName = event.payload.event ?? "accepted";
  const kind = eventName in icons ? eventName : "other";
  const Icon = icons[kind] ?? CircleCheck;
  const name =
    event.created_by.user === "system"
      ? t("request.system")
      : nameOrNumber(event.expanded?.created_by, event.created_by.user);
  return (
    <div className={styles.event}>
      <span className={`${styles.dot} ${styles[kind] ?? ""}`}>
        <Icon size={13} aria-hidden="true" />
      </span>
      <span>{t(`request.event.${kind as "accepted"}`, { name, reviewer })}</span>
      <time className={styles.time} dateTime={event.created} title={formatFull(event.created)}>
        {formatAgo(event.created)}
      </time>
    </div>
  );
}
