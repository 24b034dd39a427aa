import type { z } from "zod";
import type { Tx } from "../database/open.ts";
import type { EventRow } from "../database/schema.ts";
import { isLonger } from "../kernel/characters.ts";
import { invalid, invalidField, type Problem } from "../kernel/failure.ts";
import { parse } from "../kernel/parse.ts";
import type { CommentAbout, EventAbout } from "./about.schema.ts";
import { actionBody, commentBody, deletedBody, longestContent, type payloadSchema } from "./comment.schema.ts";
import { cleanComment } from "./comment-html.ts";
import {
  deleteFilesExcept,
  findFile,
  insertEvent,
  nextPosition,
  setEventOfFile,
  touchActivity,
} from "./event.repository.ts";

/** A comment's payload in stored form. */
export interface CheckedPayload {
  content: string;
  /** A field or file, of a new comment alone. */
  about?: CommentAbout | undefined;
  /** Absent: the attached files stay. */
  fileIds?: string[];
}

/** Whether markup has neither text nor a picture. */
const isBlank = (content: string): boolean => !/<img\b/.test(content) && content.replace(/<[^>]*>/g, "").trim() === "";

/** The longest comment before cleaning, which may remove markup. */
const longestSent = 3 * longestContent;

function checked(payload: z.infer<typeof payloadSchema>): CheckedPayload {
  const tooLong = () => invalidField("payload.content", `Longer than maximum length ${longestContent}.`);
  if (payload.content.length > longestSent) throw tooLong();
  const content = cleanComment(payload.content);
  if (isBlank(content)) throw invalidField("payload.content", "Shorter than minimum length 1.");
  if (isLonger(content, longestContent)) throw tooLong();
  return { content, ...(payload.files ? { fileIds: payload.files.map((file) => file.file_id) } : {}) };
}

/** The payload of a comment. @throws Failure 400 by field (requests 7). */
export function readComment(body: unknown): CheckedPayload {
  const { payload, about } = parse(commentBody, body ?? {});
  return { ...checked(payload), about };
}

/** The payload of a comment that was deleted before it was sent: only its files. */
export function readWithoutText(body: unknown): CheckedPayload {
  const { payload } = parse(deletedBody, body ?? {});
  return { content: "", ...(payload ? { fileIds: payload.files.map((file) => file.file_id) } : {}) };
}

/** The comment of an action, if any. @throws Failure 400 by field (requests 5). */
export function readActionComment(body: unknown): CheckedPayload | undefined {
  const { payload } = parse(actionBody, body ?? {});
  return payload && checked(payload);
}

/** Whether an action has a comment; does not validate it. */
export const hasPayload = (body: unknown): boolean =>
  body !== null && typeof body === "object" && "payload" in body && body.payload !== undefined;

export interface NewEvent {
  id: string;
  requestId: string;
  parentId: string | null;
  creatorId: string;
  now: number;
}

async function append(tx: Tx, event: NewEvent, what: Pick<EventRow, "type" | "event" | "content" | "about">) {
  await insertEvent(tx, {
    ...{ id: event.id, request_id: event.requestId, parent_id: event.parentId, creator_id: event.creatorId },
    ...what,
    ...{ format: "html", created: event.now, updated: event.now, revision_id: 1 },
    position: await nextPosition(tx, event.requestId),
  });
  await touchActivity(tx, event.requestId);
}

/** Appends a log event. */
export const appendLog = (tx: Tx, event: NewEvent, name: string, about?: EventAbout): Promise<void> =>
  append(tx, event, { type: "L", event: name, content: "", about: about ? JSON.stringify(about) : null });

/** Appends a comment. @throws Failure 400 for a file of another conversation or comment. */
export async function appendComment(tx: Tx, event: NewEvent, payload: CheckedPayload): Promise<void> {
  await append(tx, event, {
    type: "C",
    event: null,
    content: payload.content,
    about: payload.about ? JSON.stringify(payload.about) : null,
  });
  await attachFiles(tx, event.requestId, event.id, payload.fileIds);
}

/** Sets the files of a comment; without a list, nothing changes (requests 9). */
export async function attachFiles(
  tx: Tx,
  requestId: string,
  eventId: string,
  fileIds: readonly string[] | undefined,
): Promise<void> {
  if (!fileIds) return;
  const problems: Problem[] = [];
  for (const [index, id] of fileIds.entries()) {
    const file = await findFile(tx, requestId, "id", id);
    if (file && (file.event_id === null || file.event_id === eventId)) await setEventOfFile(tx, id, eventId);
    else problems.push({ field: `payload.files[${index}]`, messages: ["This file is not attached to the request."] });
  }
  // The rollback detaches the files again.
  if (problems.length > 0) throw invalid(problems);
  await deleteFilesExcept(tx, eventId, fileIds);
}

/** Updates the last activity of a request after a change of the request. */
export async function refreshActivity(tx: Tx, requestId: string): Promise<void> {
  await touchActivity(tx, requestId);
}
