import { parentPort, workerData } from "node:worker_threads";
import { openForReading } from "../../database/open.ts";
import { Failure } from "../../kernel/failure.ts";
import { findDocuments } from "./record-finder.ts";
import { recordValues } from "./record-values.ts";
import type { Question, Reply, ThreadOptions } from "./search-thread.ts";
import { textSearchOf } from "./text-search.ts";
import { vocabularyOf } from "./vocabulary.ts";

/** The entry of the thread that searches a large index. */
const { databaseFile, isAccelerated }: ThreadOptions = workerData;
const db = openForReading(databaseFile);

async function answer({ number, settings, search, granted }: Question): Promise<Reply> {
  try {
    return { number, found: await findDocuments(db, settings, search, granted) };
  } catch (error) {
    if (error instanceof Failure) {
      const { kind, message, headers } = error;
      return { number, refused: { kind, message, headers } };
    }
    return { number, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const reply = (message: Reply): void => parentPort?.postMessage(message);

parentPort?.on("message", async (question: Question) => reply(await answer(question)));
reply("ready");
const values = await recordValues(db);
await vocabularyOf(db);
if (isAccelerated) await textSearchOf(db, values).proximity.load();
