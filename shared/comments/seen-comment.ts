import { createHash } from "node:crypto";
import type { Db } from "../database/open.ts";
import type { EventRow } from "../database/schema.ts";
import { type Call, isDelayed } from "../kernel/call.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { DeleteComment } from "./comment.schema.ts";
import { findEvent } from "./event.repository.ts";

/** The digest of the text of a comment. Equal on the server and on every replica. */
const hashOf = ({ content }: EventRow): string => createHash("sha256").update(content).digest("hex");

/** A change of a comment with the text that the user sees on this replica. */
export async function withSeenText<C extends DeleteComment>(host: Host, call: Call, command: C): Promise<C> {
  if (host.abilities.decides || isDelayed(call)) return command;
  const event = await findEvent(host.db, command.requestId, command.id.toLowerCase());
  return event ? { ...command, expected: hashOf(event) } : command;
}

/** A change of a comment that the user repeats: it is meant for the comment as it is now. */
export async function renewSeenText<C extends DeleteComment>(db: Db, command: C): Promise<C> {
  const event = await findEvent(db, command.requestId, command.id.toLowerCase());
  if (!event) return command;
  const revision = command.revision === undefined ? {} : { revision: event.revision_id };
  return { ...command, ...revision, expected: hashOf(event) };
}

/**
 * Checks that the user saw this text (hosts-and-sync 4). A replica shows the change until the server has decided.
 * @param newText the text after the change; the same change made elsewhere is no conflict.
 * @throws Failure 409 for a change from a replica; 412 for a direct call with another revision.
 */
export function assertSeenText(
  host: Host,
  call: Call,
  {
    event,
    expected,
    revision,
    newText,
  }: Pick<DeleteComment, "expected" | "revision"> & {
    event: EventRow;
    newText?: () => string;
  },
): void {
  if (!isDelayed(call) || expected === undefined) assertRevision(revision, event.revision_id);
  else if (host.abilities.decides && expected !== hashOf(event) && event.content !== newText?.())
    throw new Failure("conflict", "The comment was changed elsewhere meanwhile: look at it again.");
}
