import { useQuery } from "@tanstack/react-query";
import {
  CircleCheck,
  CircleDot,
  CloudOff,
  KeyRound,
  type LucideIcon,
  Pause,
  RefreshCw,
  TriangleAlert,
} from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { SyncState, SyncStatus } from "../../shared/sync-protocol/sync-status.schema.ts";
import { keepingQuery } from "../api-client/keeping.ts";
import { syncStatusQuery } from "../api-client/sync.ts";
import { Drawer } from "../components/dialog.tsx";
import { Busy } from "../components/notice.tsx";
import { formatSince } from "../format/times.ts";
import styles from "./shell.module.css";

const SyncPanel = lazy(async () => ({ default: (await import("../pages/sync/sync-panel.tsx")).SyncPanel }));

const icons: Record<SyncState, LucideIcon> = {
  local: CircleDot,
  paused: Pause,
  sign_in: KeyRound,
  offline: CloudOff,
  syncing: RefreshCw,
  needs_you: TriangleAlert,
  up_to_date: CircleCheck,
};

/** A publication had no answer. The user must not publish it on the site meanwhile, so this comes first. */
const isUnsure = ({ upstream }: SyncStatus): boolean => upstream !== undefined && upstream.unsure.length > 0;

/** The status in one line; never reassuring while something is stuck. */
function useSyncSentence() {
  const { t } = useTranslation();
  const { data: rules } = useQuery(keepingQuery);
  return (status: SyncStatus): string => {
    const waiting = status.pending + status.sending;
    const stuck = status.rejected + status.conflicts;
    if (status.asks) return t(`sync.pill.${status.asks}`);
    if (isUnsure(status)) return t("upstream.unsure_pill", { name: status.upstream?.name });
    if (status.state === "needs_you") return t("sync.pill.needs_you", { count: stuck });
    if (status.upstream?.slowed_until) {
      return t("upstream.slowed", { name: status.upstream.name, when: formatSince(status.upstream.slowed_until) });
    }
    if (status.state === "up_to_date" && status.upstream && status.last_success) {
      return t("upstream.as_of", { name: status.upstream.name, when: formatSince(status.last_success) });
    }
    if (status.state === "syncing" && waiting > 0 && rules?.hold_files)
      return `${t("keeping.pill")} · ${t("sync.pill.waiting", { count: waiting })}`;
    if (status.state === "syncing") return t("sync.pill.syncing", { count: waiting });
    if (status.state === "local") return t("sync.pill.local");
    if (stuck > 0) return `${t(`sync.pill.${status.state}`)} · ${t("sync.pill.needs_you", { count: stuck })}`;
    return waiting > 0
      ? `${t(`sync.pill.${status.state}`)} · ${t("sync.pill.waiting", { count: waiting })}`
      : t(`sync.pill.${status.state}`);
  };
}

/** Screen readers are told what lasts, not that each save is sent. */
const lastsMs = 2000;

function useLasting(text: string): string {
  const [lasting, setLasting] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLasting(text), lastsMs);
    return () => clearTimeout(timer);
  }, [text]);
  return lasting;
}

function SpokenStatus({ text }: { text: string }) {
  return (
    <span className="visually-hidden" role="status">
      {useLasting(text)}
    </span>
  );
}

/** The sync status, always visible; opens the sync panel. */
export function SyncPill() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: status } = useQuery(syncStatusQuery);
  const sentence = useSyncSentence();
  if (!status) return null;
  // A question overrides any state.
  const shown = status.upstream?.slowed_until ? "paused" : status.state;
  const state = status.asks || isUnsure(status) ? "needs_you" : shown;
  const Icon = icons[state];
  const text = `${status.upstream?.is_practice ? `${t("upstream.practice")} · ` : ""}${sentence(status)}`;
  return (
    <>
      <Button className={`${styles.sync} ${styles[state]}`} onPress={() => setOpen(true)}>
        <Icon size={status.state === "local" ? 9 : 14} strokeWidth={2} aria-hidden="true" />
        <span>{text}</span>
      </Button>
      <SpokenStatus text={text} />
      <Drawer title={t("sync.title")} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Suspense fallback={<Busy />}>
          <SyncPanel onLeave={() => setOpen(false)} />
        </Suspense>
      </Drawer>
    </>
  );
}
