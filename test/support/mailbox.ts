import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";
import { until } from "./until.ts";

/** A mail as it arrived, its bodies decoded. */
export interface ArrivedMail {
  to: string;
  subject: string;
  messageId: string;
  text: string;
  html: string;
}

export interface MailboxOptions {
  /** Addresses that the server does not take mail for. */
  refused?: string[];
  /** The code of that refusal; 550: for good. */
  code?: number;
  /** Called with each mail before it is acknowledged; throw to refuse it. */
  onMail?(mail: ArrivedMail): Promise<void> | void;
}

function decoded(body: string, head: string): string {
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString();
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

function headerOf(head: string, name: string): string {
  const folded = new RegExp(`^${name}: ([^\\r\\n]*(?:\\r?\\n[ \\t][^\\r\\n]*)*)`, "im").exec(head)?.[1] ?? "";
  return folded
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(text, "base64").toString()
        : decoded(text.replaceAll("_", " "), "quoted-printable"),
    );
}

function read(raw: string): ArrivedMail {
  const [head = "", ...rest] = raw.split(/\r?\n\r?\n/);
  const boundary = /boundary="?([^";\r\n]+)/.exec(head)?.[1] ?? "";
  const parts = rest.join("\n\n").split(`--${boundary}`);
  const bodyOf = (type: string): string => {
    const part = parts.find((text) => text.includes(`Content-Type: ${type}`)) ?? "";
    const [partHead = "", ...body] = part.trim().split(/\r?\n\r?\n/);
    return decoded(body.join("\n\n"), partHead).replaceAll("\r\n", "\n");
  };
  const [to, subject, messageId] = ["To", "Subject", "Message-ID"].map((name) => headerOf(head, name));
  return {
    to: to ?? "",
    subject: subject ?? "",
    messageId: messageId ?? "",
    text: bodyOf("text/plain"),
    html: bodyOf("text/html"),
  };
}

/** False while a port that is wanted again is the near end of a connection of somebody else, by chance. */
const listens = (server: SMTPServer, port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    server.removeAllListeners("error");
    server.on("error", (error) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error)));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });

/** A real SMTP server on the loopback address that keeps what it is given. @param port to come up again on. */
export async function openMailbox({ refused = [], code = 550, onMail }: MailboxOptions = {}, port = 0) {
  const mails: ArrivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo({ address }, _session, done) {
      done(refused.includes(address) ? Object.assign(new Error("no such mailbox"), { responseCode: code }) : null);
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const mail = read(Buffer.concat(chunks).toString());
        try {
          await onMail?.(mail);
          mails.push(mail);
          done();
        } catch (error) {
          done(error instanceof Error ? error : new Error("refused"));
        }
      });
    },
  });
  await until(() => listens(server, port), "the mailbox has its port");
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  const at = server.server.address() as AddressInfo;
  return {
    smtp: { url: `smtp://127.0.0.1:${at.port}`, from: "carrel@example.org" },
    port: at.port,
    mails,
    close,
    /** The mails once there are so many. */
    async first(count: number): Promise<ArrivedMail[]> {
      await until(() => mails.length >= count, `${count} mails came`);
      return mails.slice(0, count);
    },
  };
}
