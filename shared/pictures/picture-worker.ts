import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { drawPicture, type PictureOutcome, type PictureTask } from "./picture-work.ts";

/** Runs as a process of its own, or as a thread where there can be none. */
const send = (outcome: PictureOutcome): unknown =>
  parentPort ? parentPort.postMessage(outcome) : process.send?.(outcome);

async function work(task: PictureTask): Promise<void> {
  try {
    send({ bytes: await drawPicture(task) });
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : String(error) });
  }
}

if (!parentPort) setPriority(10);
(parentPort ?? process).on("message", (task: PictureTask) => void work(task));
send("ready");
