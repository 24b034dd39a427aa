import type { Db } from "../../../shared/database/open.ts";
import { highestSeq, type PushOutcome } from "../../../shared/sync-protocol/push.schema.ts";
import { forget, recall, remember } from "../../sync/person.repository.ts";

export interface SentPosition {
  position: string;
  /** Whether the feed has come so far. */
  isPassed: boolean;
}

/** The local epoch, to be read before a push. */
export const readLives = async (db: Db): Promise<number> => (await recall(db, "lives")) ?? 0;

/** Keeps the position of a push that the server took. @param lives the local epoch before the push */
export async function keepSentPosition(
  db: Db,
  lives: number,
  { outcomes, position }: { outcomes: readonly PushOutcome[]; position?: string | undefined },
): Promise<void> {
  if (position === undefined) return;
  await remember(db, "sent", { position, seq: highestSeq(outcomes), lives });
}

/**
 * The position of the last operations that the server took, until a page after it was asked for with it. A server whose
 * earlier files were put back by hand recognises by it that it lost them.
 */
export async function sentPosition(db: Db): Promise<SentPosition | undefined> {
  const sent = await recall(db, "sent");
  if (sent === undefined || sent.lives !== (await readLives(db))) return undefined;
  return { position: sent.position, isPassed: sent.seq <= ((await recall(db, "seq")) ?? 0) };
}

/** The server knows the position. Once the feed has passed it, its cursors say as much. */
export async function confirmSentPosition(db: Db, { position, isPassed }: SentPosition): Promise<void> {
  if (isPassed && (await recall(db, "sent"))?.position === position) await forget(db, ["sent"]);
}
