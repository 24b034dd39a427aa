import type { RecordBody } from "../../api-client/record-types.ts";
import { DraftSession } from "./draft-session.ts";

const most = 5;
const sessions = new Map<string, DraftSession>();

/** The session of a draft: the one that the user left, with its history, or a new one. */
export function sessionOf(body: RecordBody): DraftSession {
  const session = sessions.get(body.id) ?? new DraftSession(body);
  sessions.delete(body.id);
  sessions.set(body.id, session);
  for (const [id, { isUnsaved }] of sessions) if (sessions.size > most && !isUnsaved) sessions.delete(id);
  return session;
}

/** Whether this tab has an editor of the draft, which sends its changes by itself. */
export const hasSession = (id: string): boolean => sessions.has(id);

/** The draft is published or discarded: an edit of the record begins without this history. */
export const forgetSession = (id: string) => sessions.delete(id);
