import type { RecordBody } from "../../api-client/record-types.ts";
import { discardDraft } from "../../api-client/records.ts";
import { DraftSession } from "./draft-session.ts";
import { dropChange, type KeptChange } from "./kept-changes.ts";

const maxSessions = 5;
const sessions = new Map<string, DraftSession>();

/** What an earlier visit could not save. */
export interface Earlier {
  refused: KeptChange | undefined;
  /** Whether the draft can be read. */
  isThere: boolean;
}

function begin(body: RecordBody, earlier: Earlier | undefined): DraftSession {
  const session = new DraftSession(body);
  if (earlier?.refused) void session.restore(earlier.refused, earlier.isThere);
  return session;
}

/** The session of a draft: the one that the user left, with its history, or a new one. */
export function sessionOf(body: RecordBody, earlier?: Earlier): DraftSession {
  const session = sessions.get(body.id) ?? begin(body, earlier);
  sessions.delete(body.id);
  sessions.set(body.id, session);
  for (const [id, { isUnsaved }] of sessions) if (sessions.size > maxSessions && !isUnsaved) sessions.delete(id);
  return session;
}

/** Whether this tab has an editor of the draft, which sends its changes by itself. */
export const hasSession = (id: string): boolean => sessions.has(id);

export const openSession = (id: string): DraftSession | undefined => sessions.get(id);

/** The draft is published or discarded: an edit of the record begins without this history. */
export const forgetSession = (id: string) => sessions.delete(id);

/** Ends an editor for good, with what this browser keeps of its draft. @throws if the browser cannot delete that. */
export async function endSession(session: DraftSession): Promise<void> {
  session.isEnding = true;
  forgetSession(session.id);
  await dropChange(session.id);
}

/** Discards an open draft, with what this browser keeps of it. @throws ApiFailure as the API. */
export async function discardOpen(session: DraftSession): Promise<void> {
  session.isEnding = true;
  try {
    await discardDraft(session.id);
  } catch (error) {
    session.isEnding = false;
    throw error;
  }
  await endSession(session).catch(() => undefined);
}
