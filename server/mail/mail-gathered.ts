import { countInWords } from "../pages/words.ts";
import { mailWords } from "./mail-words.ts";
import type { Mail } from "./mailer.ts";

/** So many notifications one mail shows. */
export const maxInMail = 20;

/**
 * One mail of several, in the spoken language.
 * @param mails the latest first. @param more how many it does not show.
 */
export function gatheredMail(latest: Mail, mails: readonly Mail[], more: number): Mail {
  const count = countInWords(mails.length + more);
  const end = more === 0 ? [] : [mailWords.more(countInWords(more))];
  const inHtml = (sentences: string[]) => sentences.map((sentence) => `<p>${sentence}</p>`);
  return {
    ...latest,
    subject: mailWords.many(count, latest.subject),
    text: [mailWords.gathered(count), ...mails.map(({ text }) => text.trimEnd()), ...end]
      .join("\n\n---\n\n")
      .concat("\n"),
    html: [...inHtml([mailWords.gathered(count)]), ...mails.map(({ html }) => html), ...inHtml(end)].join("\n<hr>\n"),
  };
}
