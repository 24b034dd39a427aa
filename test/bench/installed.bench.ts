import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProgram } from "../../main/dev-build.ts";
import { memoryOf } from "../support/bench-server.ts";
import { CarrelProcess } from "../support/process.ts";
import { repository } from "../support/run.ts";
import type { BenchCase } from "./bench-case.ts";

const program = join(repository, "out/main/cli.js");
const rounds = 5;
const restMs = 5000;

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Starts the installed program in a used data folder, several times. */
async function timesOf(host: "server" | "replica", measure: (started: number, one: CarrelProcess) => Promise<number>) {
  await buildProgram(() => {});
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  const args = [host, "--data", join(folder, "data"), ...(host === "server" ? ["--port", "0"] : [])];
  try {
    const taken: number[] = [];
    // The first start creates the data folder and the cache of compiled code.
    for (let round = 0; round <= rounds; round++) {
      const started = performance.now();
      const one = new CarrelProcess(args, {}, program);
      const value = await measure(started, one);
      if (round > 0) taken.push(value);
      await one.stop();
    }
    return median(taken);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const readyAfter = (host: "server" | "replica", boundMs: number): BenchCase => ({
  name: `an installed ${host} is ready`,
  reach: "<= 1",
  async run() {
    const ours = await timesOf(host, async (started, one) => {
      await one.ready();
      return performance.now() - started;
    });
    return { ours, reference: boundMs, unit: "ms", against: `the bound of ${boundMs} ms` };
  },
});

const idleMemory = (host: "server" | "replica", boundMb: number): BenchCase => ({
  name: `memory of an installed ${host} at rest`,
  reach: "<= 1",
  async run() {
    const ours = await timesOf(host, async (_started, one) => {
      const { pid } = await one.ready();
      await new Promise((resolve) => setTimeout(resolve, restMs));
      return memoryOf(pid);
    });
    return { ours, reference: boundMb, unit: "MB", against: `the bound of ${boundMb} MB` };
  },
});

/** What an installed package costs at start and at rest. */
export const bench: BenchCase[] = [
  readyAfter("server", 300),
  readyAfter("replica", 500),
  idleMemory("server", 100),
  idleMemory("replica", 120),
];
