import { createTransport } from "nodemailer";
import type { Mailer } from "./mailer.ts";

/** Mail by SMTP. @param url `smtp://user:password@host:port` or `smtps://…`. */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(url);
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail });
    },
    close: () => transport.close(),
  };
}
