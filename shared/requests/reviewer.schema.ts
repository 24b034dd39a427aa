import { z } from "zod";

export const outcomes = ["pending", "changes_requested", "accepted", "declined"] as const;

const reviewer = z.object({
  user: z.string().regex(/^[\w-]{1,100}$/),
  outcome: z.enum(outcomes),
  /** When, in microseconds UTC; null while pending. */
  decided: z.number().int().nullable(),
});

/** A reviewer of a request, and what they decided. */
export type Reviewer = z.infer<typeof reviewer>;

/** The reviewers as the row of a request stores them. */
export const storedReviewers = z.array(reviewer).max(100);
