import { z } from "zod";
import { cleanText } from "../kernel/characters.ts";
import { command } from "../kernel/command.ts";
import { idText, newId } from "../kernel/id-text.schema.ts";
import { parseTime } from "../kernel/timestamps.ts";

/** The only request type (requests 3). */
export const requestType = "default-request";

const title = z.string().overwrite(cleanText).max(250);
const description = z.string().max(65_536).nullable();

/** Parses to microseconds UTC or null. The write checks that the time lies in the future. */
const expiresAt = z
  .string()
  .transform((text, context) => {
    const micros = parseTime(text);
    if (micros !== undefined) return micros;
    context.addIssue({ code: "custom", message: "Not a valid datetime." });
    return z.NEVER;
  })
  .nullable();

/** Body of `PUT …/draft/review` and `POST …/requests`. The service checks the receiver (requests 4.1). */
export const reviewBody = z.object({
  receiver: z.unknown().optional(),
  /** Further reviewers: users and groups. */
  reviewers: z.unknown().optional(),
  type: z.unknown().optional(),
  title: title.optional(),
  description: description.optional(),
  expires_at: expiresAt.optional(),
});

/** Keys of a GET that may be sent back. Only four of them are read (requests 3.2). */
const shown = [
  ..."id number type status created_by reviewers changes_requested topic is_closed is_open is_expired is_locked files revision_id".split(
    " ",
  ),
  ..."created updated links last_reply last_activity_at expanded payload sync".split(" "),
];
export const requestBody = z.strictObject({
  ...Object.fromEntries(shown.map((name) => [name, z.unknown().optional()])),
  title: title.optional(),
  description: description.optional(),
  receiver: z.unknown().optional(),
  expires_at: z.unknown().optional(),
});

/** Parses only `expires_at`, for a request in `draft`. */
export const expiryBody = z.object({ expires_at: expiresAt.optional() });

const body = z.unknown().optional();
const id = z.uuid();
/** The revision of an `If-Match`; absent without one. */
const revision = z.number().int().optional();

export const updateRequest = command({
  name: "request.update",
  version: 1,
  senders: { route: "anybody" },
  input: z.object({ id, revision, body }),
});
export type UpdateRequest = z.infer<typeof updateRequest.input>;

export const deleteRequest = command({
  name: "request.delete",
  version: 1,
  senders: { route: "anybody" },
  input: z.object({ id, revision }),
});
export type DeleteRequest = z.infer<typeof deleteRequest.input>;

const lockInput = z.object({ id, eventId: z.uuid() });
export type LockRequest = z.infer<typeof lockInput>;
export const lockRequest = command({
  name: "request.lock",
  version: 1,
  senders: { route: "anybody" },
  input: lockInput,
});
export const unlockRequest = command({
  name: "request.unlock",
  version: 1,
  senders: { route: "anybody" },
  input: lockInput,
});

/** The ids of log event and comment are part of the input, so that they are the same on all hosts. */
const actionInput = z.object({
  id,
  logId: newId,
  commentId: newId,
  revision,
  /** The status that the user saw when deciding; the action is refused if it has changed (hosts-and-sync 4). */
  seen: z.string().max(20).optional(),
  /** The hash of the draft that the user saw; accepting publishes only this content (hosts-and-sync 4). */
  expected: z.string().max(100).optional(),
  body,
});
export type ActOnRequest = z.infer<typeof actionInput>;

const action = (name: string) =>
  command({ name, version: 1, delivery: "ask", senders: { route: "anybody", push: "person" }, input: actionInput });
export const actionCommands = {
  submit: action("request.submit"),
  accept: action("request.accept"),
  decline: action("request.decline"),
  cancel: action("request.cancel"),
  "request-changes": action("request.request-changes"),
  "request-review": action("request.request-review"),
} as const;

export const expireRequest = command({
  name: "request.expire",
  version: 1,
  senders: { console: "host" },
  input: z.object({ id, logId: z.uuid() }),
});

/** A review of a draft; `id` is the new request's. */
export const putReview = command({
  name: "review.put",
  version: 1,
  delivery: "ask",
  senders: { route: "anybody", push: "person" },
  input: z.object({ draftId: idText, id: newId, body }),
});
export type PutReview = z.infer<typeof putReview.input>;

export const deleteReview = command({
  name: "review.delete",
  version: 1,
  delivery: "ask",
  senders: { route: "anybody", push: "person" },
  input: z.object({ draftId: idText }),
});

export const submitReview = command({
  name: "review.submit",
  version: 1,
  delivery: "ask",
  senders: { route: "anybody", push: "person" },
  input: z.object({ draftId: idText, commentId: newId, seen: z.string().max(20).optional(), body }),
});
export type SubmitReview = z.infer<typeof submitReview.input>;

/** A review of a published record (requests 4.2). */
export const createRecordRequest = command({
  name: "request.create",
  version: 1,
  senders: { route: "anybody" },
  input: z.object({ recordId: idText, id: newId, body }),
});
export type CreateRecordRequest = z.infer<typeof createRecordRequest.input>;
