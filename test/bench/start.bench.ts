import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../shared/database/open.ts";
import { CarrelProcess } from "../support/process.ts";
import type { BenchCase } from "./bench-case.ts";
import { fillWithRecords } from "./record-generator.ts";

const records = 10_000;
const boundMs = 1500;

/** From the start of `carrel replica` to its ready line, with 10,000 records in the data folder. */
export const bench: BenchCase = {
  name: "start-up of carrel replica with 10,000 records",
  reach: "<= 1",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
    try {
      const first = new CarrelProcess(["replica", "--data", folder]);
      await first.ready();
      await first.stop();
      const database = openDatabase(join(folder, "carrel.sqlite"));
      await fillWithRecords(database.db, records);
      await database.close();
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const started = performance.now();
        const replica = new CarrelProcess(["replica", "--data", folder]);
        await replica.ready();
        times.push(performance.now() - started);
        await replica.stop();
      }
      const median = times.sort((a, b) => a - b)[2] ?? Number.NaN;
      return { ours: median, reference: boundMs, unit: "ms", against: "the bound of 1.5 s" };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
