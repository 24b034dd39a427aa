import type { Trigger } from "../../shared/notifications/notification.presenter.ts";
import { nameInMail, quoteInMail, titleInMail } from "./mail-text.presenter.ts";
import { mailWords } from "./mail-words.ts";

export interface MailFacts {
  trigger: Trigger;
  /** Name of the user who acted. */
  actor: string;
  /** Title of the request or the deleted record. */
  title: string;
  /** Link to the event; undefined for a record that was deleted and has no page any more. */
  link: string | undefined;
  /** Text of the comment without markup. */
  comment?: string;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Subject and both bodies of a mail in the spoken language (requests 13). */
export function mailContent(facts: MailFacts): { subject: string; text: string; html: string } {
  const { trigger, link } = facts;
  const actor = nameInMail(facts.actor);
  const comment = facts.comment === undefined ? undefined : quoteInMail(facts.comment);
  const title = mailWords.quoted(titleInMail(facts.title) || mailWords.untitled);
  const sentence = mailWords.sentences[trigger](actor, title);
  const open = trigger === "record_deleted" ? mailWords.openRecord : mailWords.open;
  const place = link === undefined ? `\n${mailWords.noPage}\n` : `\n${open}: ${link}\n`;
  const quote = comment === undefined ? "" : `\n${comment.replace(/^/gm, "> ")}\n`;
  const html = [
    `<p>${escaped(sentence)}.</p>`,
    ...(comment === undefined ? [] : [`<blockquote>${escaped(comment).replaceAll("\n", "<br>")}</blockquote>`]),
    link === undefined ? `<p>${mailWords.noPage}</p>` : `<p><a href="${escaped(link)}">${open}</a></p>`,
  ].join("\n");
  return { subject: sentence, text: `${sentence}.\n${quote}${place}`, html };
}
