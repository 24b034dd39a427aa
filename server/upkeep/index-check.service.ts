import { type Db, transaction } from "../../shared/database/open.ts";
import { reindexFamily } from "../../shared/search/sqlite/record-index.ts";
import type { Finding } from "./finding.ts";
import {
  clearFamily,
  countTokens,
  dumpFamily,
  isTextSound,
  listIndexedFamilies,
  rebuildText,
} from "./index-check.repository.ts";

/** Thrown to roll back an index that was built only for comparison. */
class DryRun extends Error {
  readonly isSame: boolean;
  constructor(isSame: boolean) {
    super("rolled back on purpose");
    this.isSame = isSame;
  }
}

/** Rebuilds the index of a family. Keeps the result only if it differs and is to be repaired. */
async function isFamilyCorrect(db: Db, parentId: string, repair: boolean): Promise<boolean> {
  try {
    return await transaction(db, async (tx) => {
      const [before, tokens] = [await dumpFamily(tx, parentId), await countTokens(tx)];
      await clearFamily(tx, parentId);
      await reindexFamily(tx, parentId);
      const isSame = before === (await dumpFamily(tx, parentId)) && tokens === (await countTokens(tx));
      if (isSame || !repair) throw new DryRun(isSame);
      return false;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.isSame;
    throw error;
  }
}

/** Compares the search index with a rebuilt one (search 12). */
export async function* checkIndex(db: Db, repair: boolean): AsyncGenerator<Finding> {
  if (!(await isTextSound(db))) {
    const what = "The full text of the search index is damaged.";
    if (repair) await rebuildText(db);
    yield repair ? { what, repaired: `${what} It was rebuilt.` } : { what };
  }
  for (const id of await listIndexedFamilies(db)) {
    if (await isFamilyCorrect(db, id, repair)) continue;
    const what = `The search index of record family ${id} does not match its rows.`;
    yield repair ? { what, repaired: `${what} It was rebuilt.` } : { what };
  }
}
