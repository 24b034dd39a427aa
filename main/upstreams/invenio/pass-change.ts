import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import { assertCoding, streamBody } from "../../../shared/kernel/body.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { Unreachable } from "../../sync/transport.ts";
import type { ShownDraft } from "../../sync/upstream.ts";
import { acceptOf } from "./accept.policy.ts";
import { certaintyOf } from "./certainty.policy.ts";
import type { Change } from "./passed-changes.ts";
import { LostAnswer } from "./rest-line.ts";
import type { Site } from "./site.ts";

/** Largest body of a change. */
const maxBytes = 1024 * 1024;

async function bodyOf(req: Request): Promise<Buffer> {
  assertCoding(req, false);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of streamBody(req)) {
    size += chunk.length;
    if (size > maxBytes) throw new Failure("too_large", "The request body is larger than 1 MiB.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether an answer says what became of the change. A portal's page of HTML does not, nor does a way to its sign-in. */
function isClear({ statusCode = 0, headers }: IncomingMessage): boolean {
  const isJson = (headers["content-type"] ?? "").includes("json");
  return certaintyOf({ status: statusCode, isJson, isRefusal: isJson }) !== "unknown";
}

/** Sends the change. @returns the server's own answer; undefined if there is none */
async function send(site: Site, { method, path }: Change, body: Buffer): Promise<IncomingMessage | undefined> {
  try {
    const answer = await site.line.open(path, { accept: acceptOf(path) }, { method, body });
    if (isClear(answer)) return answer;
    answer.destroy();
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error;
  }
  return undefined;
}

/** Looks what is there now. @returns why it cannot be said @throws Failure 409 if it is not what the user saw */
async function look(site: Site, change: Change, shown: ShownDraft | undefined): Promise<Error | undefined> {
  try {
    await change.refresh(site, shown);
    return undefined;
  } catch (error) {
    const isUnanswered = error instanceof Unreachable || (error instanceof Failure && error.kind !== "conflict");
    if (!isUnanswered) throw error;
    return error;
  }
}

async function makeChange(site: Site, change: Change, sent: Buffer, shown: ShownDraft | undefined) {
  const { name } = site.options;
  await change.before?.(site, shown);
  const body = (await change.bodyFor?.(site, sent)) ?? sent;
  const answer = await send(site, change, body);
  if (answer?.statusCode === 401 || answer?.statusCode === 403) await site.line.assertToken();
  const unknown = await look(site, change, shown);
  // If the look failed, a poll shows what the change did.
  if (answer) return answer;
  throw new Failure(
    "unavailable",
    unknown
      ? `${name} did not say whether it did this, and cannot be asked now. Look there before you do it again.`
      : `${name} did not say whether it did this. Carrel has looked: what you see is what is there now.`,
  );
}

/**
 * Makes a change at once and once, while nothing else is written to its objects. Its effect is stored before the answer is
 * passed on.
 * @throws Failure 409 if the user saw another state; 503 if no answer came, which says what to do.
 */
export async function passChange(
  site: Site,
  req: Request,
  change: Change,
  shown: ShownDraft | undefined,
): Promise<IncomingMessage> {
  const sent = await bodyOf(req);
  const draft = (await change.draft?.(site)) ?? change.object;
  const make = () => makeChange(site, change, sent, shown);
  return site.writes.run(change.object, () => (draft === change.object ? make() : site.writes.run(draft, make)));
}
