import type { Trigger } from "../../shared/notifications/notification.presenter.ts";
import { nameInMail, quoteInMail, titleInMail } from "./mail-text.presenter.ts";

export interface MailFacts {
  trigger: Trigger;
  /** Name of the user who acted. */
  actor: string;
  /** Title of the request. */
  title: string;
  /** Link to the event. */
  link: string;
  /** Text of the comment without markup. */
  comment?: string;
}

/** What happened; follows the user's name. */
const actions: Record<Trigger, string> = {
  submitted: "asks for your review of",
  access_asked: "asks for access to the files of",
  accepted: "accepted",
  declined: "declined",
  cancelled: "cancelled the request",
  commented: "commented on",
  replied: "replied to a comment on",
  changes_requested: "requests changes to",
  review_requested: "asks you to look again at",
  mentioned: "mentioned you in a comment on",
  expired: "",
};

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Subject and both bodies of a mail (requests 13). */
export function mailContent(facts: MailFacts): { subject: string; text: string; html: string } {
  const { trigger, link } = facts;
  const actor = nameInMail(facts.actor);
  const comment = facts.comment === undefined ? undefined : quoteInMail(facts.comment);
  const title = `“${titleInMail(facts.title) || "Untitled"}”`;
  const sentence = trigger === "expired" ? `The request ${title} has expired` : `${actor} ${actions[trigger]} ${title}`;
  const quote = comment === undefined ? "" : `\n${comment.replace(/^/gm, "> ")}\n`;
  const html = [
    `<p>${escaped(sentence)}.</p>`,
    ...(comment === undefined ? [] : [`<blockquote>${escaped(comment).replaceAll("\n", "<br>")}</blockquote>`]),
    `<p><a href="${escaped(link)}">Open the request</a></p>`,
  ].join("\n");
  return { subject: sentence, text: `${sentence}.\n${quote}\nOpen the request: ${link}\n`, html };
}
