import { type Batch, runBatch } from "./batch.ts";

/** A process of its own for a batch: told as JSON on the command line, answered as one line of JSON. */
const batch: Batch = JSON.parse(process.argv[2] ?? "");
process.stdout.write(`${JSON.stringify(await runBatch(batch))}\n`);
