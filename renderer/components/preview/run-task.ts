import { useEffect, useState } from "react";
import type { GeoMap } from "../../../shared/previews/geojson.ts";
import type { MarkdownText } from "../../../shared/previews/markdown.ts";
import type { ColouredNotebook } from "./code-notebook.ts";
import type { CodeToken } from "./highlight.ts";

export type Task =
  | { kind: "markdown" | "notebook" | "map"; text: string }
  | { kind: "code"; text: string; language: string };

interface Answers {
  markdown: MarkdownText;
  notebook: ColouredNotebook;
  map: GeoMap;
  code: CodeToken[];
}

/** After this the text is shown as it is. */
const limitMs = 10_000;

/** Parses a text in a worker, loaded on demand. @throws Error if it takes too long or the text is not of that kind. */
function runTask<Done extends Task>(task: Done, signal: AbortSignal): Promise<Answers[Done["kind"]]> {
  const worker = new Worker(new URL("./preview-worker.ts", import.meta.url), { type: "module" });
  const read = new Promise<Answers[Done["kind"]]>((resolve, reject) => {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    ended.addEventListener("abort", () => reject(ended.reason));
    worker.addEventListener("message", ({ data }: MessageEvent<{ answer?: Answers[Done["kind"]] }>) =>
      data.answer === undefined ? reject(new Error("The text could not be read.")) : resolve(data.answer),
    );
    worker.addEventListener("error", () => reject(new Error("The text could not be read.")));
    worker.postMessage(task);
  });
  return read.finally(() => worker.terminate());
}

/** The parsed text; undefined while it is parsed. */
export function useTask<Kind extends "markdown" | "notebook" | "map">(
  kind: Kind,
  text: string,
): Answers[Kind] | "failed" | undefined {
  const [read, setRead] = useState<Answers[Kind] | "failed">();
  useEffect(() => {
    const left = new AbortController();
    setRead(undefined);
    runTask({ kind, text }, left.signal).then(
      (answer) => setRead(answer as Answers[Kind]),
      () => left.signal.aborted || setRead("failed"),
    );
    return () => left.abort();
  }, [kind, text]);
  return read;
}

/** Coloured parts of code; none until they are known, or if that takes too long. */
export function useCodeTokens(text: string, language: string | undefined): CodeToken[] {
  const [tokens, setTokens] = useState<CodeToken[]>([]);
  useEffect(() => {
    setTokens([]);
    if (language === undefined) return;
    const left = new AbortController();
    runTask({ kind: "code", text, language }, left.signal).then(setTokens, () => undefined);
    return () => left.abort();
  }, [text, language]);
  return tokens;
}
