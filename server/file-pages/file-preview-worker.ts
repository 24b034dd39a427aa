import { parentPort } from "node:worker_threads";
import type { PreviewOutcome } from "./preview-thread.ts";
import { drawPreview, type PreviewTask } from "./preview-work.ts";

/** Draws previews in a thread; a text that cannot be drawn is answered with nothing. */
parentPort?.on("message", (task: PreviewTask) => {
  drawPreview(task).then(
    (html) => parentPort?.postMessage({ html } satisfies PreviewOutcome),
    () => parentPort?.postMessage({ html: undefined } satisfies PreviewOutcome),
  );
});
