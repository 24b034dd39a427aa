import { createTransport } from "nodemailer";
import type { Mailer } from "./mailer.ts";

/** A server that does not answer must not hold an order longer than it is claimed (`mail.service`). */
const timeouts = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };

/** Mail by SMTP. @param url `smtp://user:password@host:port` or `smtps://…`. */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({ url, ...timeouts });
  const domain = from.replace(/^.*@|>?\s*$/g, "");
  return {
    async send({ id, ...mail }) {
      await transport.sendMail({ from, messageId: `<${id}@${domain}>`, ...mail });
    },
    close: () => transport.close(),
  };
}
