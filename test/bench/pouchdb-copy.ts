import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PouchDB from "pouchdb";
import { Random } from "../support/random.ts";
import { rowsOf, Words } from "./record-generator.ts";

const batch = 500;

/** Replicates the records of `giveRecords` with PouchDB into an empty store. @returns documents a second. */
export async function pouchdbCopyRate(count: number, seed = 7): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  const [from, to] = [new PouchDB(join(folder, "from")), new PouchDB(join(folder, "to"))];
  try {
    const random = new Random(seed);
    const words = new Words(random);
    for (let at = 0; at < count; at += batch) {
      const rows = Array.from({ length: Math.min(batch, count - at) }, (_, index) => rowsOf(random, words, at + index));
      await from.bulkDocs(rows.map((row) => ({ _id: row.record.id, ...row })));
    }
    const started = performance.now();
    await PouchDB.replicate(from, to, { batch_size: batch });
    const seconds = (performance.now() - started) / 1000;
    const { doc_count } = await to.info();
    if (doc_count !== count) throw new Error(`${doc_count} documents arrived of ${count}`);
    return count / seconds;
  } finally {
    await Promise.all([from.close(), to.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}
