import { useQuery } from "@tanstack/react-query";
import { Check, ChevronDown, ChevronUp, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Transfer } from "../../../shared/sync-protocol/sync-status.schema.ts";
import { syncStatusQuery, withdrawOperation } from "../../api-client/sync.ts";
import type { Done, Operation } from "../../api-client/sync-types.ts";
import { Button } from "../../components/button.tsx";
import { ProgressBar } from "../../components/progress.tsx";
import { StateWord, type WorkState } from "../../components/state-word.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatBytes, formatSpeed } from "../../format/amounts.ts";
import { formatAgo, formatLeft, formatSince } from "../../format/times.ts";
import { translateRefusal } from "../../locales/refusals.ts";
import { ObjectLink } from "./object-link.tsx";
import { mayTakeBack } from "./operation-groups.ts";
import { operationWords } from "./operation-words.ts";
import styles from "./sync.module.css";

const states: Record<string, WorkState> = { sending: "sending", rejected: "refused", conflict: "needs" };

/** One unsent change: what, since when, attempts, last error. */
function OperationRow({ operation, onLeave }: { operation: Operation; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { attempts, next_attempt, bytes } = operation;
  const withdraw = useChange(() => withdrawOperation(operation.id));
  const { data: status } = useQuery(syncStatusQuery);
  // Withdrawing would not stop a publication that was sent. A second one could follow it.
  const isUnsure = status?.upstream?.unsure.some(({ id }) => id === operation.object.id) ?? false;
  const details = [
    bytes ? formatBytes(bytes) : "",
    attempts > 0 ? t("sync.attempts", { count: attempts }) : "",
    next_attempt && attempts > 0 ? t("sync.next_attempt", { when: formatAgo(next_attempt) }) : "",
  ].filter(Boolean);
  return (
    <div className={styles.row}>
      <div className={styles.rowHead}>
        <span className={styles.what}>
          <ObjectLink object={operation.object} onLeave={onLeave}>
            {operationWords(t, operation.title)}
          </ObjectLink>
        </span>
        <span className={styles.when}>{formatAgo(operation.created)}</span>
      </div>
      <div className={styles.rowHead}>
        <StateWord state={states[operation.state] ?? "waiting"} />
        <span className={styles.when}>{details.join(" · ")}</span>
      </div>
      {operation.reason && (
        <span className={styles.reason}>{translateRefusal(operation.reason, (title) => operationWords(t, title))}</span>
      )}
      {mayTakeBack(operation) && !isUnsure && (
        <div className={styles.actions}>
          <Button small icon={Undo2} isPending={withdraw.isPending} onPress={() => withdraw.mutate()}>
            {t("request.take_back")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Unsent changes of one kind on one object: the newest one's title and how many they are; each on request. */
export function OperationGroup({
  operations,
  onLeave,
}: {
  operations: Operation[];
  onLeave: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [first, newest] = [operations[0], operations.at(-1)];
  if (!first || !newest) return null;
  if (operations.length === 1) return <OperationRow operation={first} onLeave={onLeave} />;
  const bytes = operations.reduce((sum, operation) => sum + (operation.bytes ?? 0), 0);
  return (
    <>
      <div className={styles.row}>
        <div className={styles.rowHead}>
          <span className={styles.what}>
            <ObjectLink object={newest.object} onLeave={onLeave}>
              {operationWords(t, newest.title)}
            </ObjectLink>
          </span>
          <span className={styles.when}>{formatAgo(newest.created)}</span>
        </div>
        <div className={styles.rowHead}>
          <StateWord state={states[newest.state] ?? "waiting"} />
          <span className={styles.when}>{bytes > 0 && formatBytes(bytes)}</span>
          <Button
            small
            variant="quiet"
            icon={isOpen ? ChevronUp : ChevronDown}
            aria-expanded={isOpen}
            onPress={() => setOpen(!isOpen)}
          >
            {t("sync.times", { count: operations.length })}
          </Button>
        </div>
      </div>
      {isOpen && (
        <div className={styles.ofGroup}>
          {operations.map((operation) => (
            <OperationRow key={operation.id} operation={operation} onLeave={onLeave} />
          ))}
        </div>
      )}
    </>
  );
}

/** A delivered change and its time. */
export function DoneRow({ done, onLeave }: { done: Done; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { object, title, times, delivered } = done;
  return (
    <div className={`${styles.row} ${styles.doneRow}`}>
      <span className={styles.arrived}>
        <Check size={13} strokeWidth={2} aria-hidden="true" />
        <ObjectLink object={object} onLeave={onLeave}>
          {operationWords(t, title)}
        </ObjectLink>
      </span>
      <span className={styles.when}>
        {times > 1 && `${t("sync.times", { count: times })} · `}
        {formatSince(delivered)}
      </span>
    </div>
  );
}

/** Speed of a transfer since its row appeared, in bytes a second; 0 while unknown. */
function useSpeed(bytes: number): number {
  const [begin] = useState(() => ({ bytes, at: performance.now() }));
  const seconds = (performance.now() - begin.at) / 1000;
  return seconds > 1 ? Math.max(0, (bytes - begin.bytes) / seconds) : 0;
}

/** A transfer in either direction. */
export function TransferRow({ transfer }: { transfer: Transfer }) {
  const { t } = useTranslation();
  const { key, bytes, size, direction } = transfer;
  const speed = useSpeed(bytes);
  const pace = speed > 0 ? [formatSpeed(speed), t("files.left", { time: formatLeft((size - bytes) / speed) })] : [];
  return (
    <div className={styles.row}>
      <ProgressBar
        label={`${key} ${t(direction === "down" ? "sync.down" : "sync.up")}`}
        value={size > 0 ? bytes / size : 0}
        text={[`${formatBytes(bytes)} / ${formatBytes(size)}`, ...pace].join(" · ")}
      />
    </div>
  );
}
