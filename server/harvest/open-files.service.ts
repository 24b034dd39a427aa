import type { Host } from "../../shared/kernel/host.ts";
import { findChanges, type OpenFiles, sumFiles } from "./harvest-item.repository.ts";

export type { OpenFiles };

/** The job that fills the table moves no time of an item. So sums are made again after this time. */
const longestMicros = 60_000_000;

interface KeptSums {
  /** The last change of any harvest item. */
  changed: number;
  /** Microseconds UTC. */
  made: number;
  sums: OpenFiles;
}

/**
 * The files that everyone may download, counted in the latest version of each public record. The sums are kept until an
 * item changes.
 */
export function openFiles({ db, now }: Pick<Host, "db" | "now">): () => Promise<OpenFiles> {
  let kept: KeptSums | undefined;
  let underWay: Promise<OpenFiles> | undefined;

  async function sum(changed: number, made: number): Promise<OpenFiles> {
    try {
      const sums = await sumFiles(db);
      kept = { changed, made, sums };
      return sums;
    } finally {
      underWay = undefined;
    }
  }

  return async () => {
    const changed = (await findChanges(db))?.last ?? 0;
    if (kept?.changed === changed && Math.abs(now() - kept.made) < longestMicros) return kept.sums;
    underWay ??= sum(changed, now());
    return underWay;
  };
}
