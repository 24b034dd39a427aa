import { type BenchCase, judge } from "./bench-case.ts";

/** Runs the cases of the file named on the command line in this process. Prints a line of JSON for each verdict. */
const { bench }: { bench: BenchCase | BenchCase[] } = await import(
  new URL(process.argv[2] ?? "", import.meta.url).href
);
for (const one of [bench].flat()) process.stdout.write(`${JSON.stringify(judge(one, await one.run()))}\n`);
