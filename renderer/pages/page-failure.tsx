import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CloudOff, Compass, Lock, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { has } from "../api-client/host.ts";
import { ApiFailure } from "../api-client/request.ts";
import { signInAddress } from "../api-client/session.ts";
import { syncStatusQuery, whyNoAnswer } from "../api-client/sync.ts";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/notice.tsx";
import { usePageTitle } from "../shell/page-title.ts";

interface LostProps {
  title: string;
  words: string;
  icon?: LucideIcon;
  onRetry?: (() => void) | undefined;
  /** No page works, not even the library. */
  isEverywhere?: boolean;
}

function Lost({ title, words, icon = Compass, onRetry, isEverywhere = false }: LostProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  usePageTitle({ label: title });
  return (
    <>
      <h1 className="visually-hidden">{title}</h1>
      <EmptyState
        icon={icon}
        title={title}
        actions={
          <>
            {onRetry && (
              <Button variant="primary" onPress={onRetry}>
                {t("action.try_again")}
              </Button>
            )}
            {!isEverywhere && (
              <Button onPress={() => void navigate({ to: "/me/uploads" })}>{t("page.to_library")}</Button>
            )}
          </>
        }
      >
        {words}
      </EmptyState>
    </>
  );
}

/** Shown once the session has ended. What was typed is kept in this browser until the user is back. */
function SignedOut() {
  const { t } = useTranslation();
  usePageTitle({ label: t("page.signed_out_here") });
  return (
    <>
      <h1 className="visually-hidden">{t("page.signed_out_here")}</h1>
      <EmptyState
        icon={Lock}
        title={t("page.signed_out_here")}
        actions={
          <Button variant="primary" onPress={() => location.assign(signInAddress())}>
            {t("page.sign_in")}
          </Button>
        }
      >
        {t("page.signed_out_here_help")}
      </EmptyState>
    </>
  );
}

/** Shown if a page's object is unknown, forbidden, or not available offline. */
export function PageFailure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { t } = useTranslation();
  const { data: sync } = useQuery(syncStatusQuery);
  const status = error instanceof ApiFailure ? error.status : 0;
  const tombstone = error instanceof ApiFailure ? error.tombstone : undefined;
  // A replica says this of what it does not hold while the server is away.
  const away = has("sync") ? t(`state.server_needed.${whyNoAnswer(sync)}`) : error.message;
  if (tombstone) return <Lost title={t("removal.gone")} words={tombstone.citation_text} />;
  if (status === 404 || status === 410) return <Lost title={t("page.unknown")} words={t("page.unknown_help")} />;
  if (status === 403) return <Lost icon={Lock} title={t("page.closed")} words={t("page.closed_help")} />;
  if (status === 503) return <Lost icon={CloudOff} title={t("page.away")} words={away} onRetry={onRetry} />;
  if (status === 401 && has("sign_in")) return <SignedOut />;
  if (status === 401)
    return <Lost icon={Lock} title={t("page.signed_out")} words={t("page.signed_out_help")} isEverywhere />;
  return <Lost title={t("state.failed")} words={error.message} onRetry={onRetry} />;
}

/** Shown for an unknown address. */
export function PageUnknown() {
  const { t } = useTranslation();
  return <Lost title={t("page.unknown")} words={t("page.unknown_help")} />;
}

/** Shown if a page failed while rendering. */
export function PageBroken({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const words = error instanceof Error ? error.message : String(error);
  return <Lost title={t("page.broken")} words={t("page.broken_help", { words })} onRetry={() => location.reload()} />;
}
