import { cleanComment } from "../../shared/comments/comment-html.ts";
import type { BenchCase } from "./bench-case.ts";
import { threadMs } from "./processor-time.ts";

/** The most expensive input for a cleaner: unclosed elements, incomplete tags, references, addresses. */
const kinds = [
  "<b>",
  "<",
  "</",
  "<!--",
  "<?",
  "&",
  "&lt;",
  '<a href="',
  '<a href="https://example.org">',
  "<p>",
  "<li>",
];

const sizes = { whole: 2 ** 20, part: 2 ** 16 };

/** Milliseconds per MiB for the slowest kind of markup, in a text of this length. */
function slowestMs(length: number): number {
  const times: number[] = [];
  for (const kind of kinds) {
    const text = kind.repeat(length / kind.length);
    const started = threadMs();
    for (let done = 0; done < sizes.whole; done += length) cleanComment(text);
    times.push(threadMs() - started);
  }
  return Math.max(...times);
}

export const bench: BenchCase = {
  name: "cleaning the worst HTML, in one text of 1 MiB",
  reach: "<= 2",
  async run() {
    slowestMs(sizes.part);
    const reference = slowestMs(sizes.part);
    return { ours: slowestMs(sizes.whole), reference, unit: "ms", against: "the same in 16 texts of 64 KiB" };
  },
};
