import { useNavigate } from "@tanstack/react-router";
import { externalProvider } from "../../../shared/identifiers/pids.schema.ts";
import { createDraft } from "../../api-client/records.ts";
import { useChange } from "../../components/use-change.ts";
import type { DraftSession } from "./draft-session.ts";
import type { DraftView } from "./draft-view.ts";
import { endSession, sessionOf } from "./open-sessions.ts";

/** What a new draft takes over from one that is gone or closed: all that was typed. A published DOI stays with its record. */
function wordsOf({ body, content: { metadata, custom_fields, access, pids } }: DraftView) {
  const { record, files, embargo } = access;
  const isOwnDoi = pids.doi?.provider === externalProvider && !body.is_published;
  return { metadata, custom_fields, access: { record, files, embargo }, ...(isOwnDoi ? { pids } : {}) };
}

/**
 * Makes a new draft with the words of one that can no longer be saved, and opens it. Used by a component that stays
 * mounted while the draft is saved, lost and found again: the press must not be forgotten.
 */
export function useRemake(session: DraftSession) {
  const navigate = useNavigate();
  return useChange(
    async () => {
      const view = session.current();
      return { view, made: await createDraft(wordsOf(view)) };
    },
    {
      onSuccess: async ({ view, made }) => {
        const fresh = sessionOf(made);
        const latest = session.current();
        // Adds the text that the user typed while the draft was being made.
        if (latest.content !== view.content) fresh.change({ ...fresh.current().content, ...wordsOf(latest) });
        await endSession(session).catch(() => undefined);
      },
      onDone: ({ made }) => navigate({ to: "/uploads/$id", params: { id: made.id } }),
    },
  );
}

export type Remake = ReturnType<typeof useRemake>;
