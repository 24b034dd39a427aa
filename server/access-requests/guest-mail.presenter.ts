import type { Trigger } from "../../shared/notifications/notification.presenter.ts";
import { quoteInMail, titleInMail } from "../mail/mail-text.presenter.ts";

type Topic = "confirm" | Trigger;

export interface GuestMailFacts {
  about: Topic;
  /** Title of the record. */
  title: string;
  site: string;
  /** The guest's page. */
  page: string;
  /** Opens the record with its files, once the owner accepted. */
  recordAddress?: string;
  /** Text of the comment without markup. */
  comment?: string;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** What the mail says, and the words of its link; the first line is the subject too. */
const sentences: Partial<Record<Topic, (title: string) => [sentence: string, action: string]>> = {
  confirm: (title) => [`Confirm that you ask for access to ${title}`, "Send the request"],
  accepted: (title) => [`You have access to ${title}`, "Open the record"],
  declined: (title) => [`Your request for access to ${title} was declined`, "See your request"],
  cancelled: (title) => [`Your request for access to ${title} was withdrawn`, "See your request"],
  expired: (title) => [`Your request for access to ${title} has expired`, "See your request"],
};

const commented = (title: string): [string, string] => [
  `A comment on your request for access to ${title}`,
  "See your request",
];

/** Subject and both bodies of a mail to a guest. */
export function guestMailContent(facts: GuestMailFacts): { subject: string; text: string; html: string } {
  const { about, site, page, recordAddress = page } = facts;
  const comment = facts.comment === undefined ? undefined : quoteInMail(facts.comment);
  const title = `“${titleInMail(facts.title) || "Untitled"}”`;
  const [sentence, action] = (sentences[about] ?? commented)(title);
  const link = about === "accepted" ? recordAddress : page;
  const note =
    about === "confirm"
      ? `Somebody gave your address to ask for access at ${site}. If it was not you, ignore this mail.`
      : `You asked for it at ${site}.`;
  const quote = comment === undefined ? "" : `\n${comment.replace(/^/gm, "> ")}\n`;
  const html = [
    `<p>${escaped(sentence)}.</p>`,
    ...(comment === undefined ? [] : [`<blockquote>${escaped(comment).replaceAll("\n", "<br>")}</blockquote>`]),
    `<p>${escaped(note)}</p>`,
    `<p><a href="${escaped(link)}">${action}</a></p>`,
  ].join("\n");
  return { subject: sentence, text: `${sentence}.\n${quote}\n${note}\n\n${action}: ${link}\n`, html };
}
