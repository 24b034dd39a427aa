import type { Db } from "../database/open.ts";
import type { EventFileRow, EventRow } from "../database/schema.ts";
import { findEvent, findNewestComment, listAuthors, listFilesOfEvents } from "./event.repository.ts";

/** The newest live comment of a conversation, replies included, with its files. */
export async function newestComment(
  db: Db,
  requestId: string,
): Promise<{ event: EventRow; files: EventFileRow[] } | undefined> {
  const event = await findNewestComment(db, requestId);
  return event && { event, files: await listFilesOfEvents(db, [event.id]) };
}

/** Ids of the authors of live comments, in the whole conversation or in the thread of one comment. */
export const authorsOf = (db: Db, requestId: string, thread?: string): Promise<string[]> =>
  listAuthors(db, requestId, thread);

export interface CommentReader {
  /** The markup of a live comment. */
  textOf(db: Db, requestId: string, id: string): Promise<string | undefined>;
}

export const commentReader: CommentReader = {
  async textOf(db, requestId, id) {
    const event = await findEvent(db, requestId, id);
    return event?.type === "C" ? event.content : undefined;
  },
};
