import { type Batch, runBatch } from "./batch.ts";

/** A child process that runs a batch: takes JSON on the command line, prints one line of JSON. */
const batch: Batch = JSON.parse(process.argv[2] ?? "");
process.stdout.write(`${JSON.stringify(await runBatch(batch))}\n`);
