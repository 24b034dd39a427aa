import { findConfirmationOf } from "../../shared/access-requests/access-request.reader.ts";
import type { GuestOrder } from "../../shared/access-requests/guest-order.ts";
import type { GuestQuestions } from "../../shared/access-requests/guest-question.service.ts";
import { linkToken } from "../../shared/accounts/link-secret.ts";
import { commentReader } from "../../shared/comments/event-reader.service.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { inLanguage } from "../../shared/kernel/spoken-language.ts";
import { plainTextOf } from "../../shared/search/language/analysis.ts";
import { mailLanguage } from "../mail/mail-language.ts";
import { mailSite } from "../mail/mail-site.ts";
import type { Mail } from "../mail/mailer.ts";
import { guestMailContent } from "./guest-mail.ts";

interface Parts {
  host: Host;
  questions: Pick<GuestQuestions, "require" | "titleOf">;
  /** The secret of the data folder, from which links in mail are computed. */
  secret: Uint8Array;
}

/** Writes mail to guests who ask for access, from the current state. */
export function guestMailService({ host, questions, secret }: Parts) {
  const { db, baseUrl } = host;
  const site = mailSite(host);

  /** The question and the title of its record; undefined if one of them is gone. */
  async function questionOf(order: GuestOrder) {
    const id = order.guest === "confirm" ? order.confirmationId : (await findConfirmationOf(db, order.requestId))?.id;
    if (id === undefined) return undefined;
    try {
      const question = await questions.require(db, id);
      const { request, confirmation } = question;
      return { ...question, title: request?.title ?? (await questions.titleOf(db, confirmation.record_id)) };
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  /** Undefined if there is nothing to say any more: the link, the record or the comment is gone. */
  return async function compose(id: string, order: GuestOrder): Promise<Mail | undefined> {
    const question = await questionOf(order);
    if (!question || question.isOver) return undefined;
    const { confirmation, request, link, title } = question;
    const commentId = order.guest === "confirm" ? null : order.commentId;
    const markup = commentId === null || !request ? undefined : await commentReader.textOf(db, request.id, commentId);
    if (commentId !== null && markup === undefined) return undefined;
    const record = `${baseUrl}/records/${encodeURIComponent(confirmation.record_id)}`;
    const write = () =>
      guestMailContent({
        about: order.guest,
        title,
        site,
        page: `${baseUrl}/access-requests/${linkToken(secret, confirmation.id)}`,
        ...(link
          ? { access: { address: `${record}?token=${encodeURIComponent(link.token)}`, until: link.expires_at } }
          : {}),
        ...(markup === undefined ? {} : { comment: plainTextOf(markup).trim() }),
      });
    const language = mailLanguage(host.settings, undefined, confirmation.language);
    return { id, to: confirmation.email, language, ...inLanguage(language, write) };
  };
}
