import { publishDraft } from "../../../../shared/drafts/draft.schema.ts";
import type { Upstream } from "../../../sync/upstream.ts";
import type { Site } from "../site.ts";
import { dueOf } from "./attempt.policy.ts";
import type { Attempts } from "./attempts.ts";
import { listUntriedOf } from "./journal.repository.ts";
import { isDraftOver } from "./publish.ts";

type WhenToSend = Pick<Upstream, "mayGo" | "press" | "hurry" | "listUnconfirmed" | "sendAgainInMs">;

/**
 * Which operations may go now.
 * @param pressed those that the user waits for
 */
export function whenToSend(site: Site, attempts: Attempts, pressed: Set<string>): WhenToSend {
  const hurries = new Set<symbol>();
  return {
    mayGo: ({ wire_id, kind, created, lastOnObject: last }) => {
      const now = site.options.now();
      const due = dueOf({ kind, created, last }, now);
      // A press must not wait for a pause, nor be sent before what the user did earlier.
      if (due > now && hurries.size > 0) return true;
      if (due > now) attempts.holdBack(wire_id, due);
      return attempts.mayGo(wire_id);
    },
    press(operationId) {
      pressed.add(operationId);
      return () => void pressed.delete(operationId);
    },
    hurry() {
      const hurry = Symbol();
      hurries.add(hurry);
      return () => void hurries.delete(hurry);
    },
    async listUnconfirmed() {
      const unconfirmed = new Set<string>();
      for (const { wire_id, object_id } of await listUntriedOf(site.db, publishDraft.name))
        if (!pressed.has(wire_id) && !(await isDraftOver(site, object_id))) unconfirmed.add(wire_id);
      return unconfirmed;
    },
    sendAgainInMs: () => attempts.dueInMs() ?? Number.POSITIVE_INFINITY,
  };
}
