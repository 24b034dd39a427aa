import { Worker } from "node:worker_threads";
import { Failure, type FailureKind } from "../../shared/kernel/failure.ts";
import type { BackupReport } from "../upkeep/backup.service.ts";

/** What the thread reports. */
export type BackupMessage =
  | { written: number; total: number }
  | { report: BackupReport }
  | { failure: { kind: FailureKind | undefined; message: string } };

export interface BackupUnderWay {
  done: Promise<BackupReport>;
  /** Ends the thread; `done` rejects. */
  stop(): Promise<void>;
}

/** Why a backup under way ended with the server. */
export const interrupted = "The server stopped before the backup was complete.";

/** In the bundle, the worker lies beside this program as `.js`. */
const entry = new URL(`./backup-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** Writes a backup in a thread: checking the copy of a large database would keep the server from answering. */
export function writeBackupBeside(
  dataDir: string,
  file: string,
  onProgress: (written: number, total: number) => void,
): BackupUnderWay {
  const worker = new Worker(entry, { workerData: { dataDir, file } });
  const done = new Promise<BackupReport>((resolve, reject) => {
    worker.on("message", (message: BackupMessage) => {
      if ("report" in message) resolve(message.report);
      else if ("written" in message) onProgress(message.written, message.total);
      else reject(failureFrom(message.failure));
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error(interrupted)));
  });
  done.catch(() => undefined);
  return {
    done,
    async stop() {
      await worker.terminate();
    },
  };
}

const failureFrom = ({ kind, message }: { kind: FailureKind | undefined; message: string }): Error =>
  kind === undefined ? new Error(message) : new Failure(kind, message);
