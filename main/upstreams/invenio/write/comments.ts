import {
  type CreateComment,
  commentBody,
  type DeleteComment,
  type UpdateComment,
} from "../../../../shared/comments/comment.schema.ts";
import { transaction } from "../../../../shared/database/open.ts";
import { Failure } from "../../../../shared/kernel/failure.ts";
import { parseTime } from "../../../../shared/kernel/timestamps.ts";
import { validateAnswer } from "../../../sync/validate-answer.ts";
import {
  keepRequest,
  lookAtConversation,
  lookAtRequest,
  markRequestWithdrawn,
  newestEvents,
  refreshRequest,
} from "../conversations.ts";
import { type ConversationEvent, type TheirEvent, theirEvent, wasKnown } from "../read/their-request.ts";
import { isSameText } from "../same-text.policy.ts";
import { findShadow, lastSeq } from "../shadow.repository.ts";
import type { Site } from "../site.ts";
import { findLocalId, findMoment, insertId, isSentAgain } from "./journal.repository.ts";
import { type Result, refused, refusedBy, unsure, type Writing, waits } from "./outcome.ts";

/** What is needed to find a comment whose answer was lost. */
interface Known {
  /** Comments of the user that stood there before it was sent. */
  before: string[];
}

const contentOf = (body: unknown): string => commentBody.parse(body ?? {}).payload.content;

/** The user does not see a conversation any more. Their words go to the tray. */
async function conversationGone(site: Site, requestId: string): Promise<Result> {
  await markRequestWithdrawn(site, requestId);
  return refused(404, `${site.options.name} does not show this conversation any more.`);
}

/** Says what is gone after a 404: the conversation, or the comment in it that a call named. */
async function goneThere(site: Site, requestId: string): Promise<Result> {
  if (!(await lookAtRequest(site, requestId))) return conversationGone(site, requestId);
  return refused(404, `The comment is not on ${site.options.name} any more.`);
}

/** Stores the conversation with the effect of an operation. */
async function applied(
  { site, attempts }: Writing,
  operationId: string,
  requestId: string,
  { id, names, made }: { id: string; names?: ReadonlyMap<string, string>; made?: ConversationEvent },
): Promise<Result> {
  const seen = await lookAtConversation(site, requestId);
  if (!seen) return conversationGone(site, requestId);
  const { theirs, events } = seen;
  const done = { result: id, ...(names ? { names } : {}) };
  // The list may not have it yet (upstreams F17).
  if (made && !events.some(({ event }) => event.id === id)) events.push(made);
  const seq = await keepRequest(site, theirs, events, async (tx, at) => {
    const [local] = names?.keys() ?? [];
    const row = { kind: "comment", remote_id: id, operation_id: operationId } as const;
    if (local !== undefined) await insertId(tx, { ...row, local_id: local });
    await attempts.finish(tx, [operationId], "comment", { seq: at, ...done });
  });
  return { outcome: "applied", seq, ...done };
}

/** Comments of the user in a conversation, oldest first; those below one comment, if it is named. */
async function ownComments(site: Site, requestId: string, parentId: string | null): Promise<TheirEvent[]> {
  const events = await newestEvents(site, requestId, parentId);
  return events
    .filter((one) => one.parentId === parentId)
    .map(({ event }) => event)
    .filter(({ type, created_by }) => type === "C" && created_by.user === site.options.user.id)
    .toSorted((a, b) => (parseTime(a.created) ?? 0) - (parseTime(b.created) ?? 0));
}

const isNotShown = (error: unknown): boolean =>
  error instanceof Failure && ["not_found", "forbidden", "gone"].includes(error.kind);

/** The oldest comment that says the same, was not there before the call, and that no other operation has made. */
async function findMade(site: Site, own: readonly TheirEvent[], command: CreateComment, { before }: Known) {
  for (const event of own) {
    const { id, payload } = event;
    if (before.includes(id) || !isSameText(payload?.content ?? "", contentOf(command.body))) continue;
    if ((await findLocalId(site.db, "comment", id)) === undefined) return event;
  }
  return undefined;
}

/**
 * The user's oldest comment with the same words that this replica did not know when they wrote the new one. Either they
 * wrote it on another computer, or this replica had sent it before it was restored from a backup.
 */
async function findUnknownTwin(site: Site, operationId: string, command: CreateComment, own: readonly TheirEvent[]) {
  const { position } = await findMoment(site.db, operationId);
  const shadow = await findShadow(site.db, { kind: "request", id: command.requestId });
  const unknown = own.filter(({ id }) => !wasKnown(shadow, id, position));
  return findMade(site, unknown, command, { before: [] });
}

/**
 * The question that the user must answer before the comment is sent; "wait" until the next poll; undefined to send it.
 * A comment may exist on the server although no list shows it (upstreams F7). The journal keeps the attempt: if the
 * question is not stored, it is asked again.
 */
async function questionOf(
  { site, attempts }: Writing,
  operationId: string,
  command: CreateComment,
  own: readonly TheirEvent[],
): Promise<string | undefined> {
  const { name } = site.options;
  const attempt = await attempts.find(operationId);
  if (!attempt) {
    if (await isSentAgain(site.db, operationId)) return undefined;
    if ((await findUnknownTwin(site, operationId, command, own)) === undefined) return undefined;
    return `You have written these words on ${name} already, and this computer did not know. Send them once more only if you mean both.`;
  }
  if (!(await attempts.lookedInVain(attempt))) return "wait";
  return `${name} did not say whether it took this comment. Look there before you send it again.`;
}

/** Writes a comment. One whose answer was lost is looked for, and not sent again without a question. */
export async function createCommentAt(writing: Writing, operationId: string, command: CreateComment): Promise<Result> {
  const { site, attempts } = writing;
  const { id, requestId, parentId } = command;
  // The author deleted the comment before it was sent.
  if (command.deleted) return nothingToDo(writing, operationId, id);
  const { about, payload } = commentBody.parse(command.body ?? {});
  if (about)
    return refused(422, `${site.options.name} has no comments on a field or file. Write it as a plain comment.`);
  if (payload.files && payload.files.length > 0)
    return refused(422, `${site.options.name} takes no files in a conversation from here.`);
  const attempt = await attempts.find(operationId);
  if (attempt && !attempts.isDue(attempt)) return waits;
  const known: Known | undefined = attempt && JSON.parse(attempt.known);
  const own = await ownComments(site, requestId, parentId).catch((error: unknown) => {
    if (!isNotShown(error)) throw error;
    return undefined;
  });
  if (!own) return goneThere(site, requestId);
  const made = known && (await findMade(site, own, command, known));
  if (made !== undefined) return appliedAs(writing, operationId, command, made);
  const question = await questionOf(writing, operationId, command, own);
  if (question !== undefined) return question === "wait" ? waits : refused(409, question);
  return sendComment(writing, operationId, command, { before: own.map((comment) => comment.id) });
}

/** The operation has made a comment of the server, which gives it its id. */
const appliedAs = (
  writing: Writing,
  operationId: string,
  { id, requestId, parentId }: CreateComment,
  event: TheirEvent,
): Promise<Result> =>
  applied(writing, operationId, requestId, {
    id: event.id,
    names: new Map([[id, event.id]]),
    made: { event, parentId },
  });

async function sendComment(
  writing: Writing,
  operationId: string,
  command: CreateComment,
  known: Known,
): Promise<Result> {
  const { site, attempts } = writing;
  const { requestId, parentId, body } = command;
  const comments = `/api/requests/${requestId}/comments`;
  const json = { payload: { content: contentOf(body), format: "html" } };
  const path = parentId === null ? comments : `${comments}/${parentId}/reply`;
  const written = await attempts.send(operationId, "comment", known, () => site.line.write("POST", path, { json }));
  if (written.certainty === "unknown") return unsure(written);
  if (written.certainty === "refused") {
    await attempts.forget(operationId);
    return written.status === 404 ? goneThere(site, requestId) : refusedBy(site.options.name, written);
  }
  return appliedAs(writing, operationId, command, validateAnswer(theirEvent, written.body));
}

async function nothingToDo({ site, attempts }: Writing, operationId: string, result: string): Promise<Result> {
  const seq = await transaction(site.db, async (tx) => {
    const at = await lastSeq(tx);
    await attempts.finish(tx, [operationId], "comment", { seq: at, result });
    return at;
  });
  return { outcome: "applied", seq, result };
}

/** The revision of a comment that the user saw. */
async function seenRevision(site: Site, { id, requestId, revision }: DeleteComment): Promise<number | undefined> {
  if (revision !== undefined) return revision;
  const shadow = await findShadow(site.db, { kind: "request", id: requestId });
  const row = shadow?.bundle.rows.event?.find((event) => event.id === id);
  return row === undefined ? undefined : Number(row.revision_id);
}

async function lookAtComment(site: Site, { requestId, id }: DeleteComment): Promise<TheirEvent | undefined> {
  const answer = await site.line.read(`/api/requests/${requestId}/comments/${id}`);
  return answer.status === 200 ? validateAnswer(theirEvent, answer.body) : undefined;
}

/** Somebody changed it meanwhile: it is shown as it is now. */
async function changedThere(site: Site, requestId: string): Promise<Result> {
  await refreshRequest(site, requestId);
  return refused(412, `The comment was changed on ${site.options.name} meanwhile. Look at it again.`);
}

/** Changes a comment that is as the user saw it. A second call after a lost answer finds what the first one did. */
export async function updateCommentAt(writing: Writing, operationId: string, command: UpdateComment): Promise<Result> {
  const { site } = writing;
  const { id, requestId } = command;
  const ifMatch = await seenRevision(site, command);
  const content = contentOf(command.body);
  const path = `/api/requests/${requestId}/comments/${id}`;
  const options = { json: { payload: { content, format: "html" } }, ...(ifMatch === undefined ? {} : { ifMatch }) };
  const written = await site.line.write("PUT", path, options);
  if (written.certainty === "unknown") return unsure(written);
  if (written.certainty === "refused" && written.status === 404) return goneThere(site, requestId);
  if (written.certainty === "refused" && written.status !== 412) return refusedBy(site.options.name, written);
  if (written.certainty === "refused") {
    const present = await lookAtComment(site, command);
    if (!isSameText(present?.payload?.content ?? "", content)) return changedThere(site, requestId);
  }
  return applied(writing, operationId, requestId, { id });
}

/** Deletes a comment that is as the user saw it. */
export async function deleteCommentAt(writing: Writing, operationId: string, command: DeleteComment): Promise<Result> {
  const { site } = writing;
  const { id, requestId } = command;
  const ifMatch = await seenRevision(site, command);
  const path = `/api/requests/${requestId}/comments/${id}`;
  const written = await site.line.write("DELETE", path, ifMatch === undefined ? {} : { ifMatch });
  if (written.certainty === "unknown") return unsure(written);
  if (written.certainty === "refused" && written.status !== 404) {
    if ((await lookAtComment(site, command))?.type === "C")
      return written.status === 412 ? changedThere(site, requestId) : refusedBy(site.options.name, written);
  }
  return applied(writing, operationId, requestId, { id });
}
