import { parentPort, workerData } from "node:worker_threads";
import type { Verdict } from "./soundness.ts";
import { openReadOnly } from "./sqlite-driver.ts";

/** The thread that checks a large file for damage, table by table with indexes. */
const { file, stopping } = workerData as { file: string; stopping: Int32Array };
const connection = openReadOnly(file);

/** Leaves out full-text tables: checking the tables in which they store everything is enough and much faster. */
const tables = connection
  .prepare("select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow') order by name")
  .pluck()
  .all() as string[];

function lookThrough(): Verdict {
  for (const table of tables) {
    if (Atomics.load(stopping, 0) === 1) return undefined;
    const [first] = connection.pragma(`quick_check('${table.replaceAll("'", "''")}')`) as { quick_check: string }[];
    if (first?.quick_check !== "ok") return first?.quick_check;
  }
  return undefined;
}

function verdict(): Verdict {
  try {
    return lookThrough();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

parentPort?.postMessage(verdict());
connection.close();
