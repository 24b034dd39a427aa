import type { RecordBody } from "../../api-client/record-types.ts";
import { DraftSession } from "./draft-session.ts";

const most = 5;
const sessions = new Map<string, DraftSession>();

/** The session of a draft: the one that the user left, with its history, or a new one. */
export function sessionOf(body: RecordBody): DraftSession {
  const session = sessions.get(body.id) ?? new DraftSession(body);
  sessions.delete(body.id);
  sessions.set(body.id, session);
  for (const id of sessions.keys()) if (sessions.size > most) sessions.delete(id);
  return session;
}

/** The draft is published or discarded: an edit of the record begins without this history. */
export const forgetSession = (id: string) => sessions.delete(id);
