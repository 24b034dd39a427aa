import { quoteInMail, titleInMail } from "../mail/mail-text.presenter.ts";
import { mailWords } from "../mail/mail-words.ts";
import { dayInWords } from "../pages/words.ts";
import { type Topic, guestMailWords as words } from "./guest-mail.words.ts";

export interface GuestMailFacts {
  about: Topic;
  /** Title of the record. */
  title: string;
  site: string;
  /** The guest's page. */
  page: string;
  /** What the guest got once the owner accepted: an address that opens the record with its files, and its last day. */
  access?: { address: string; until: string | null };
  /** Text of the comment without markup. */
  comment?: string;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Subject and both bodies of a mail to a guest, in the spoken language. */
export function guestMailContent(facts: GuestMailFacts): { subject: string; text: string; html: string } {
  const { about, site, page, access } = facts;
  const comment = facts.comment === undefined ? undefined : quoteInMail(facts.comment);
  const title = mailWords.quoted(titleInMail(facts.title) || mailWords.untitled);
  const [sentence, action] = (words.sentences[about] ?? words.commented)(title);
  const accepted = about === "accepted" ? access : undefined;
  const link = accepted?.address ?? page;
  const reason = about === "confirm" ? words.toConfirm(site) : words.reason(site);
  const note = accepted && accepted.until !== null ? `${words.until(dayInWords(accepted.until))} ${reason}` : reason;
  const quote = comment === undefined ? "" : `\n${comment.replace(/^/gm, "> ")}\n`;
  const html = [
    `<p>${escaped(sentence)}.</p>`,
    ...(comment === undefined ? [] : [`<blockquote>${escaped(comment).replaceAll("\n", "<br>")}</blockquote>`]),
    `<p>${escaped(note)}</p>`,
    `<p><a href="${escaped(link)}">${action}</a></p>`,
  ].join("\n");
  return { subject: sentence, text: `${sentence}.\n${quote}\n${note}\n\n${action}: ${link}\n`, html };
}
