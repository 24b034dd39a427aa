import { markupCleaner } from "../kernel/markup-cleaner.ts";
import type { Slices } from "../kernel/time-slice.ts";

const cleaner = markupCleaner({
  tags: new Set([
    ..."a abbr acronym b blockquote br caption code div em h1 h2 h3 h4 h5 i li ol p pre span strike strong".split(" "),
    ..."sub sup table tbody td th thead tr u ul".split(" "),
  ]),
  attributes: { a: ["href", "title", "name", "target", "rel"] },
  schemes: { href: ["http", "https", "mailto"] },
  withoutText: ["script", "style"],
});

/** Keeps the tags, attributes and URL schemes of the allow-list (records 8, type H). Removes scripts and styles. */
export const cleanHtml = cleaner.clean;

/** As `cleanHtml`, for many or long texts; yields to the event loop. @returns the cleaned text of each text. */
export async function cleanManyHtml(texts: Iterable<string>, slices: Slices): Promise<ReadonlyMap<string, string>> {
  const cleaned = new Map<string, string>();
  for (const html of texts) {
    const steps = cleaner.cleanInSteps(html);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) cleaned.set(html, step.value);
      if (step.done) break;
      await slices.next();
    }
  }
  return cleaned;
}
