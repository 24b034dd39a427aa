import { z } from "zod";
import { command } from "../kernel/command.ts";
import { newId } from "../kernel/id-text.schema.ts";

export const outcomes = ["pending", "changes_requested", "accepted", "declined"] as const;

/** Most reviewers of a request. */
export const maxReviewers = 30;

const reviewer = z
  .object({
    user: z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .optional(),
    /** Every member of the group may decide; the first decision counts for the group. */
    group: z.string().min(1).max(200).optional(),
    outcome: z.enum(outcomes),
    /** When, in microseconds UTC; null while pending. */
    decided: z.number().int().nullable(),
    /** The user's account was deactivated, so nothing is to be expected of them. */
    deactivated: z.literal(true).optional(),
  })
  .refine(
    ({ user, group }) => (user === undefined) !== (group === undefined),
    "Exactly one user or group is expected.",
  );

/** A reviewer of a request, a user or a group, and what they decided. */
export type Reviewer = z.infer<typeof reviewer>;

/** A user or a group, as a body names them. */
export type Named = Pick<Reviewer, "user" | "group">;

/** The reviewers as the row of a request stores them. */
export const storedReviewers = z.array(reviewer).max(100);

/** Body of `POST …/reviewers`: a user or a group. The service reads it. */
export const reviewerBody = z.union([z.strictObject({ user: z.string() }), z.strictObject({ group: z.string() })]);

/** The event's id is part of the input, so that it is the same on all hosts. */
const id = z.uuid();
export const addReviewer = command({
  name: "request.add-reviewer",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ id, eventId: newId, body: z.unknown().optional() }),
});
export type AddReviewer = z.infer<typeof addReviewer.input>;

export const removeReviewer = command({
  name: "request.remove-reviewer",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  /** `who`: `user:<id>` or `group:<name>`, as in the filters of lists. */
  input: z.object({ id, eventId: newId, who: z.string().max(300) }),
});
export type RemoveReviewer = z.infer<typeof removeReviewer.input>;
