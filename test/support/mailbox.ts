import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

/** A real SMTP server on the loopback address that keeps what it is given. */
export async function openMailbox() {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return {
    smtp: { url: `smtp://127.0.0.1:${port}`, from: "carrel@example.org" },
    mails,
    /** The mails once there are so many; fails after five seconds. */
    async first(count: number): Promise<string[]> {
      const until = Date.now() + 5_000;
      while (mails.length < count && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
      if (mails.length < count) throw new Error(`only ${mails.length} of ${count} mails came`);
      return mails.slice(0, count);
    },
  };
}
