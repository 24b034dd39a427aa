import { parentPort, workerData } from "node:worker_threads";
import { openForReading } from "../database/open.ts";
import { Failure } from "../kernel/failure.ts";
import { practise } from "./practice.ts";
import { findDocuments } from "./record-finder.ts";
import type { Question, Reply } from "./search-thread.ts";

/** The entry of the thread that searches a large index. */
const db = openForReading(String(workerData));

async function answer({ number, settings, search }: Question): Promise<Reply> {
  try {
    return { number, found: await findDocuments(db, settings, search) };
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
await practise(db, Date.now() * 1000);
