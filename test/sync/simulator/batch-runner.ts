import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { addResult, type Batch, type BatchResult, emptyResult } from "./batch.ts";

/** How many seeds one process runs. Its start costs as much as ten seeds. */
const maxInPart = 500;

const execute = promisify(execFile);
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function inProcess(script: string, parameters: readonly string[], bugs: readonly string[]) {
  const { CARREL_PLANTED_BUG: _none, ...env } = process.env;
  const planted = bugs.length === 0 ? env : { ...env, CARREL_PLANTED_BUG: bugs.join("\n") };
  const { stdout } = await execute(
    process.execPath,
    ["--import", pathOf("./patch-sources.ts"), pathOf(script), ...parameters],
    { env: planted, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout);
}

/** Runs a batch in a child process that counts branches, or has a bug planted. */
export const runInProcess = (batch: Batch, bug?: string): Promise<BatchResult> =>
  inProcess("./batch-process.ts", [JSON.stringify(batch)], bug === undefined ? [] : [bug]);

/** Plays kept runs in a child process with these bugs planted. @returns what each run breaks. */
export const playInProcess = (files: readonly string[], bugs: readonly string[]): Promise<(string | null)[]> =>
  inProcess("./kept-process.ts", files, bugs);

/** Runs a batch in parts, several in parallel. @param onPart called after each part with the total so far. */
export async function runParallel(
  batch: Batch,
  workers: number,
  onPart: (total: BatchResult) => void = () => {},
): Promise<BatchResult> {
  const total = emptyResult();
  // Equal parts, so that all workers end at about the same time.
  const rounds = Math.ceil(batch.seeds / workers / maxInPart);
  const size = Math.max(1, Math.ceil(batch.seeds / workers / rounds));
  const end = batch.first + batch.seeds;
  let next = batch.first;
  async function work(): Promise<void> {
    while (next < end && (batch.until === null || Date.now() < batch.until)) {
      const first = next;
      next += size;
      addResult(total, await runInProcess({ ...batch, first, seeds: Math.min(size, end - first) }));
      onPart(total);
    }
  }
  await Promise.all(Array.from({ length: workers }, work));
  return total;
}
