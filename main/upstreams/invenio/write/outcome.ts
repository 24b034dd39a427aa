import type { PushedOperation } from "../../../../shared/sync-protocol/push.schema.ts";
import type { UpstreamOutcome } from "../../../sync/upstream.ts";
import type { Written } from "../rest-line.ts";
import type { Site } from "../site.ts";
import type { Attempts, Done } from "./attempts.ts";

/** The outcome of one operation; `waits`: its effect is not known yet, for the reason `why`, or it waits for bytes. */
export type Result =
  | ({ outcome: "applied" } & Done)
  | { outcome: "rejected"; status: number; message: string; errors?: unknown }
  | { outcome: "waits"; blobs?: string[]; why?: string };

/** What commands are carried out with. */
export interface Writing {
  site: Site;
  attempts: Attempts;
  /** Whether the user confirmed this operation just now and waits for it. */
  isPressed(operationId: string): boolean;
}

/** A refusal that is the adapter's own. */
export const refused = (status: number, message: string): Result => ({ outcome: "rejected", status, message });

export const waits: Result = { outcome: "waits" };

/** The answer to its call does not say whether the operation took effect. */
export const unsure = ({ why }: Extract<Written, { certainty: "unknown" }>): Result => ({ outcome: "waits", why });

type Refused = Extract<Written, { certainty: "refused" }>;

/** The server's refusal, in its own words. */
export function refusedBy(name: string, { status, message, errors }: Refused): Result {
  const problems = Array.isArray(errors) && errors.length > 0 ? { errors } : {};
  return { outcome: "rejected", status, message: `${name} did not take this: ${message}`, ...problems };
}

/** The draft does not exist on the server. */
export const noSuchDraft = {
  outcome: "rejected",
  status: 404,
  message: "The persistent identifier does not exist.",
} satisfies Result;

export function outcomeOf({ id }: Pick<PushedOperation, "id">, result: Result): UpstreamOutcome {
  if (result.outcome === "waits") return { id, outcome: "blocked", blobs: result.blobs ?? [] };
  if (result.outcome === "rejected") {
    const { outcome: _, ...refusal } = result;
    return { id, outcome: "rejected", refusal };
  }
  return { id, ...result };
}
