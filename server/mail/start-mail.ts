import type { Logger } from "pino";
import type { Services } from "../../shared/api.ts";
import { commentReader } from "../../shared/comments/event-reader.service.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type MailServiceParts, mailService } from "./mail.service.ts";
import { smtpMailer } from "./smtp-mailer.ts";

interface StartMailOptions {
  host: Host;
  services: Services;
  smtp: { url: string; from: string };
  log: Logger;
  accountMail: MailServiceParts["accountMail"];
  guestMail: MailServiceParts["guestMail"];
}

/** Starts sending mail, also mail pending since the last stop. @returns how to stop. */
export function startMail({
  host,
  services,
  smtp,
  log,
  accountMail,
  guestMail,
}: StartMailOptions): () => Promise<void> {
  const { users, requests, notifications } = services;
  const mail = mailService({
    ...{ host, users, requests, notifications, log, accountMail, guestMail },
    ...{ comments: commentReader, mailer: smtpMailer(smtp) },
  });
  void mail.sendDue();
  return mail.stop;
}
