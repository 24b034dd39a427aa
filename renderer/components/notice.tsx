import { CircleAlert, CircleCheck, Clock, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useContext } from "react";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../api-client/request.ts";
import { Button } from "./button.tsx";
import styles from "./notice.module.css";
import { ServerReasonIsShown } from "./server-reason.ts";

export type NoticeTone = "info" | "ok" | "warn" | "danger" | "local";

const icons: Record<NoticeTone, LucideIcon> = {
  info: Info,
  ok: CircleCheck,
  warn: TriangleAlert,
  danger: CircleAlert,
  local: Clock,
};

/** A notice inside a page: what happened, why, what is safe, what to do next. `danger` is announced at once. */
export function InlineNotice({
  tone = "info",
  title,
  children,
  actions,
}: {
  tone?: NoticeTone;
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  const Icon = icons[tone];
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === "danger" ? "alert" : "note"}>
      <Icon size={16} strokeWidth={2} aria-hidden="true" />
      <div className={styles.body}>
        {title && <span className={styles.title}>{title}</span>}
        {children && <div>{children}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}

/** An empty place: what belongs here and how to begin. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  actions,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <Icon size={28} strokeWidth={1.25} aria-hidden="true" />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className={styles.emptyActions}>{actions}</div>}
    </div>
  );
}

/** Shown while a page loads, after 150 ms. */
export function Busy({ label }: { label?: string }) {
  const { t } = useTranslation();
  return (
    <div className={styles.busy} role="status">
      <span className={styles.ring} aria-hidden="true" />
      {label ?? t("state.loading")}
    </div>
  );
}

/** A page, or a part of one, that could not be loaded, with the reason. */
export function LoadFailure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { t } = useTranslation();
  const isShownElsewhere = useContext(ServerReasonIsShown) && error instanceof ApiFailure && error.status === 503;
  if (isShownElsewhere) return null;
  return (
    <InlineNotice
      tone="danger"
      title={t("state.failed")}
      actions={onRetry && <Button onPress={onRetry}>{t("action.try_again")}</Button>}
    >
      {error.message}
    </InlineNotice>
  );
}
