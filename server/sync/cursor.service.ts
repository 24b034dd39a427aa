import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { highestSeq, type PushOutcome } from "../../shared/sync-protocol/push.schema.ts";
import { firstEpoch, readEpoch } from "./epoch.repository.ts";
import { leavesOutLostUsers } from "./epoch.service.ts";
import { readHead } from "./feed.repository.ts";
import { readFeedStarts } from "./feed-starts.repository.ts";
import { hasWritten, markAt } from "./feed-starts.service.ts";

/** The content of a cursor: positions in the feed and in the usage counts, in one epoch. */
export interface Position {
  epoch: string;
  seq: number;
  counted: number;
  /** The mark of the server start that wrote this position of the feed. */
  mark: string;
}

/** Short, because every poll carries it. Defaults are left out. */
const encode = ({ epoch, seq, counted, mark }: Position): string =>
  [epoch === firstEpoch ? "" : epoch, seq, counted === 0 ? "" : counted, mark].join(".").replace(/\.{1,2}$/, "");

function decode(cursor: string): Position {
  // Cursors from before protocol 2 are encoded in base64.
  const text = cursor.includes(".") ? cursor : Buffer.from(cursor, "base64url").toString().replaceAll(" ", ".");
  const [named = "", seq = "", counted = "", mark = ""] = text.split(".");
  const epoch = named === "" ? firstEpoch : named;
  if (!/^\d+$/.test(seq) || !/^\d*$/.test(counted)) {
    throw new Failure("invalid", "The cursor is not from this server.");
  }
  return { epoch, seq: Number(seq), counted: Number(counted), mark };
}

/** Feed position of a cursor. */
export const seqOf = (cursor: string): number => decode(cursor).seq;

/** The cursor of a position that a reader of this database sees. */
export const cursorAt = async (db: Db, at: Omit<Position, "mark">): Promise<string> =>
  encode({ ...at, mark: markAt(await readFeedStarts(db), at.seq) });

export interface CursorService {
  beginning(): Promise<Position>;
  /** @throws Failure 410 if the cursor is from another epoch, or from a part of the feed that was lost. */
  read(cursor: string): Promise<Position>;
  /** @throws Failure 410 as `read`, for one of them. */
  assertOwn(...cursors: (string | undefined)[]): Promise<void>;
  /** The cursor of the highest position of these outcomes; undefined if none took effect. */
  positionOf(outcomes: readonly PushOutcome[]): Promise<string | undefined>;
}

/** Reads and makes cursors. Recognises those from before the server was restored. */
export function cursorService(host: Host): CursorService {
  const leaveOutLostUsers = leavesOutLostUsers(host);

  async function isOfThisFeed(from: Position): Promise<boolean> {
    if (from.epoch !== (await readEpoch(host.db))) return false;
    // Old files that were put back by hand keep their epoch.
    const isKnown = from.seq <= (await readHead(host.db)) && hasWritten(await readFeedStarts(host.db), from);
    if (!isKnown) await leaveOutLostUsers();
    return isKnown;
  }

  async function read(cursor: string): Promise<Position> {
    const from = decode(cursor);
    if (!(await isOfThisFeed(from))) {
      throw new Failure(
        "gone",
        "The server was restored from a backup, so this cursor is no longer valid. Start again without a cursor.",
      );
    }
    return from;
  }

  return {
    beginning: async () => ({ epoch: await readEpoch(host.db), seq: 0, counted: 0, mark: "" }),
    read,
    async assertOwn(...cursors) {
      for (const cursor of cursors) if (cursor !== undefined) await read(cursor);
    },
    async positionOf(outcomes) {
      const seq = highestSeq(outcomes);
      if (seq === 0) return undefined;
      return cursorAt(host.db, { epoch: await readEpoch(host.db), seq, counted: 0 });
    },
  };
}
