import { createTransport } from "nodemailer";
import { type Mailer, Refused } from "./mailer.ts";

/** Shorter than the claim of a mail (`mail.service`), in case the server does not answer. */
const timeouts = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };

/** SMTP commands about a single mail. An error in any other command concerns all mail. */
const aboutOneMail = new Set<unknown>(["RCPT TO", "DATA"]);

const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  "permanent" in error &&
  error.permanent === true &&
  "command" in error &&
  aboutOneMail.has(error.command);

/** Mail by SMTP. @param url `smtp://user:password@host:port` or `smtps://…`. */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({ url, ...timeouts });
  const domain = from.replace(/^.*@|>?\s*$/g, "");
  return {
    async send({ id, to, subject, text, html }) {
      try {
        // As an object it is one address; a text would be read as a list.
        const recipient = { name: "", address: to };
        await transport.sendMail({ from, to: recipient, messageId: `<${id}@${domain}>`, subject, text, html });
      } catch (error) {
        throw isRefusal(error) ? new Refused(error.message, { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}
