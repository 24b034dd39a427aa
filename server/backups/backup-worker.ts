import { parentPort, workerData } from "node:worker_threads";
import { Failure } from "../../shared/kernel/failure.ts";
import { writeBackup } from "../upkeep/backup.service.ts";
import type { BackupMessage } from "./backup-thread.ts";

/** The thread that writes one backup. */
const { dataDir, file } = workerData as { dataDir: string; file: string };
const tell = (message: BackupMessage): void => parentPort?.postMessage(message);

try {
  tell({ report: await writeBackup(dataDir, file, (written, total) => tell({ written, total })) });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  tell({ failure: { kind: error instanceof Failure ? error.kind : undefined, message } });
}
