import type { MarkdownText } from "./markdown.ts";

/** After this the text is shown unrendered. */
const limitMs = 10_000;

/** Parses Markdown in a worker, loaded on demand. @throws Error if it takes too long. */
export function readMarkdown(text: string, signal: AbortSignal): Promise<MarkdownText> {
  const worker = new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" });
  const read = new Promise<MarkdownText>((resolve, reject) => {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    ended.addEventListener("abort", () => reject(ended.reason));
    worker.addEventListener("message", ({ data }: MessageEvent<MarkdownText>) => resolve(data));
    worker.addEventListener("error", () => reject(new Error("The text could not be read.")));
    worker.postMessage(text);
  });
  return read.finally(() => worker.terminate());
}
