import type { IncomingMessage } from "node:http";

/** The body of a call as far as it came. A client that hangs up cuts it, with or without an error of the stream. */
export async function receivedBody(req: IncomingMessage): Promise<{ body: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of req) chunks.push(chunk);
  } catch {
    return { body: Buffer.concat(chunks), isCut: true };
  }
  return { body: Buffer.concat(chunks), isCut: !req.readableEnded };
}
