import type { z } from "zod";
import { ServerError } from "./transport.ts";

const maxDetailLength = 200;

/** The server's answer does not match the protocol. The replica stores nothing of it. */
export class InvalidAnswer extends ServerError {
  constructor(what: string) {
    super(
      `The server sent something that this app cannot use (${what.slice(0, maxDetailLength)}). Nothing of it was taken.`,
    );
  }
}

/** Validates a message of the server. Every message passes through here. @throws InvalidAnswer. */
export function validateAnswer<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new InvalidAnswer(`${issue?.path.join(".") || "answer"}: ${issue?.message ?? "unreadable"}`);
}

/**
 * Guards against a list that has more pages but does not advance: fetching it would never end.
 * @throws InvalidAnswer.
 */
export function assertAdvances(page: { cursor: string; more: boolean }, from: string | undefined): void {
  if (page.more && page.cursor === from) throw new InvalidAnswer("cursor: it stays where it is");
}
