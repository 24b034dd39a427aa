import { useNavigate } from "@tanstack/react-router";
import { Copy, GitCompareArrows } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyRefused, discardRefused, retryRefused } from "../../api-client/sync.ts";
import type { Conflict, TrayEntry } from "../../api-client/sync-types.ts";
import { Button } from "../../components/button.tsx";
import { copyText } from "../../components/copy-text.ts";
import { ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { Busy } from "../../components/notice.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { useChange } from "../../components/use-change.ts";
import { htmlWords } from "../../format/html-words.ts";
import { formatAgo } from "../../format/times.ts";
import { translateRefusal } from "../../locales/refusals.ts";
import { focusComposer } from "../request/focus-composer.ts";
import { usePlaceWords } from "./conflict-place.ts";
import { ObjectLink } from "./object-link.tsx";
import { operationWords } from "./operation-words.ts";
import { sidesOf } from "./refused-draft.ts";
import styles from "./sync.module.css";
import { wordsOfValue } from "./value-words.ts";

const Comparison = lazy(async () => ({ default: (await import("../compare/comparison.tsx")).Comparison }));

/** A refused change: the reason, the server's state, and three choices. */
export function TrayRow({ entry, onLeave }: { entry: TrayEntry; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const retry = useChange(() => retryRefused(entry.id));
  const discard = useChange(() => discardRefused(entry.id));
  const copy = useChange((_from: string) => copyRefused(entry.id), {
    // The row may be gone. Users who left the page are not navigated.
    onSuccess: async (copied, from) => {
      if (location.pathname !== from) return;
      onLeave?.();
      if (copied.kind === "comment") {
        focusComposer();
        await navigate({ to: "/me/requests/$id", params: { id: copied.request } });
      } else await navigate({ to: "/uploads/$id", params: { id: copied.id } });
    },
  });
  const copyDetails = () => {
    const { id, kind, object, created, refused, reason, operation } = entry;
    const lines = [operation.title, reason, `${kind} ${object.kind} ${object.id}`, `${created} → ${refused}`, id];
    void copyText([...lines, textOf(entry), descriptionOf(entry)].filter(Boolean).join("\n"));
  };
  return (
    <div className={styles.row}>
      <div className={styles.rowHead}>
        <span className={styles.what}>
          <ObjectLink object={entry.object} onLeave={onLeave}>
            {operationWords(t, entry.operation.title)}
          </ObjectLink>
        </span>
        <StateWord state="refused" />
      </div>
      <Reason entry={entry} />
      <span className={styles.when}>{t("sync.refused_when", { when: formatAgo(entry.refused) })}</span>
      <div className={styles.actions}>
        {entry.can_retry !== false && !outcomeOf(entry) && (
          <Button small isPending={retry.isPending} onPress={() => retry.mutate()}>
            {t("action.retry")}
          </Button>
        )}
        {(mayResend(entry) || entry.operation.content) && (
          <Button small isPending={copy.isPending} onPress={() => copy.mutate(location.pathname)}>
            {t(textOf(entry) ? "sync.to_comment" : "sync.to_draft")}
          </Button>
        )}
        <CompareButton entry={entry} />
        <Button small variant="danger" onPress={() => setAsking(true)}>
          {t("action.discard")}
        </Button>
        <Button small variant="quiet" icon={Copy} onPress={copyDetails}>
          {t("sync.copy_details")}
        </Button>
      </div>
      <ConfirmDialog
        title={t("sync.discard_title")}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => discard.mutate()}
        confirmLabel={t("action.discard")}
        isPending={discard.isPending}
        isDangerous
      >
        {t("sync.discard_body")}
      </ConfirmDialog>
    </div>
  );
}

const textOf = ({ operation }: TrayEntry) => htmlWords(operation.body?.payload?.content ?? "");

/** What the user wrote about a file, such as its caption. Programs choose the keys: each has a line. */
const descriptionOf = ({ operation }: TrayEntry): string =>
  Object.entries(operation.metadata ?? {})
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");

/** A comment goes to the editor of its request, which may be gone. */
const mayResend = (entry: TrayEntry): boolean => textOf(entry) !== "" && entry.server?.id !== undefined;

const decided = ["accepted", "declined", "cancelled", "expired"] as const;

/** How the request was decided meanwhile: a decision that came too late stays refused. */
const outcomeOf = ({ kind, server }: TrayEntry) =>
  kind.startsWith("request.") ? decided.find((status) => status === server?.status) : undefined;

/** The reason, the text of the change, and the server's state. */
function Reason({ entry }: { entry: TrayEntry }) {
  const { t } = useTranslation();
  const { reason, server, object, operation } = entry;
  const text = textOf(entry) || descriptionOf(entry);
  const outcome = outcomeOf(entry);
  return (
    <>
      <span className={styles.reason}>
        {outcome ? t(`sync.too_late.${outcome}`) : translateRefusal(reason, (title) => operationWords(t, title))}
      </span>
      {text && (
        <div className={styles.value} dir="auto">
          <b>{t("sync.your_text")}</b>
          {text}
        </div>
      )}
      {operation.left_over?.map((value) => (
        <LeftOver key={value.path} {...value} />
      ))}
      {object.kind === "request" && server?.status && !outcome && (
        <span className={styles.reason}>{t("sync.server_now", { state: t(`request.status.${server.status}`) })}</span>
      )}
      {server === null && <span className={styles.reason}>{t("sync.server_gone")}</span>}
    </>
  );
}

/** A value whose place in the draft is gone. The content of the entry does not have it. */
function LeftOver({ path, mine }: Pick<Conflict, "path" | "mine">) {
  const { t } = useTranslation();
  const { whole } = usePlaceWords()({ path }, undefined);
  return (
    <div className={styles.value} dir="auto">
      <b>{t("sync.left_over", { field: whole })}</b>
      {wordsOfValue(mine)}
    </div>
  );
}

/** Compares the refused content with the server's. */
function CompareButton({ entry }: { entry: TrayEntry }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const sides = sidesOf(entry);
  if (!sides) return null;
  return (
    <>
      <Button small icon={GitCompareArrows} onPress={() => setOpen(true)}>
        {t("sync.compare")}
      </Button>
      <Dialog
        wide
        title={t("sync.compare_title", { title: entry.object.title })}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={<Button onPress={() => setOpen(false)}>{t("action.close")}</Button>}
      >
        <Suspense fallback={<Busy />}>
          <Comparison
            before={{ name: t("sync.side.server"), body: sides.theirs, files: [] }}
            after={{ name: t("sync.side.here"), body: sides.mine, files: [] }}
            head={null}
          />
        </Suspense>
      </Dialog>
    </>
  );
}
