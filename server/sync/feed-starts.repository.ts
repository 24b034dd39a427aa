import { z } from "zod";
import type { Db } from "../../shared/database/open.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";

const name = "feed_starts";

/** A start of the server: the position from which it wrote the feed, and its random mark. */
export interface FeedStart {
  seq: number;
  mark: string;
}

const stored = z.array(z.object({ seq: z.number(), mark: z.string() }));

/** Oldest first. */
export async function readFeedStarts(db: Db): Promise<FeedStart[]> {
  const text = await findSetting(db, name);
  return text === undefined ? [] : stored.parse(JSON.parse(text));
}

export const writeFeedStarts = (db: Db, starts: readonly FeedStart[]) => storeSetting(db, name, JSON.stringify(starts));
