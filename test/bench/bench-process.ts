import { type BenchCase, judge } from "./bench-case.ts";

/** The cases of one file, named on the command line, in a process of their own: a line of JSON for each verdict. */
const { bench }: { bench: BenchCase | BenchCase[] } = await import(
  new URL(process.argv[2] ?? "", import.meta.url).href
);
for (const one of [bench].flat()) process.stdout.write(`${JSON.stringify(judge(one, await one.run()))}\n`);
