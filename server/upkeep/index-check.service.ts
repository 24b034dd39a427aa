import { type Db, transaction } from "../../shared/database/open.ts";
import { reindexFamily } from "../../shared/search/record-index.ts";
import type { Finding } from "./finding.ts";
import {
  clearFamily,
  countTokens,
  dumpFamily,
  isTextSound,
  listIndexedFamilies,
  rebuildText,
} from "./index-check.repository.ts";

/** Thrown to take back an index that was built only to compare. */
class OnlyCompared extends Error {
  readonly isSame: boolean;
  constructor(isSame: boolean) {
    super("rolled back on purpose");
    this.isSame = isSame;
  }
}

/** Indexes a family from nothing; what comes out stays only when it differs and is to be repaired. */
async function isFamilyRight(db: Db, parentId: string, repair: boolean): Promise<boolean> {
  try {
    return await transaction(db, async (tx) => {
      const [before, tokens] = [await dumpFamily(tx, parentId), await countTokens(tx)];
      await clearFamily(tx, parentId);
      await reindexFamily(tx, parentId);
      const isSame = before === (await dumpFamily(tx, parentId)) && tokens === (await countTokens(tx));
      if (isSame || !repair) throw new OnlyCompared(isSame);
      return false;
    });
  } catch (error) {
    if (error instanceof OnlyCompared) return error.isSame;
    throw error;
  }
}

/** The search index against one built anew (search 12). */
export async function* checkIndex(db: Db, repair: boolean): AsyncGenerator<Finding> {
  if (!(await isTextSound(db))) {
    const what = "The full text of the search index is damaged.";
    if (repair) await rebuildText(db);
    yield repair ? { what, repaired: `${what} It was built anew.` } : { what };
  }
  for (const id of await listIndexedFamilies(db)) {
    if (await isFamilyRight(db, id, repair)) continue;
    const what = `The search index of record family ${id} is not what its rows say.`;
    yield repair ? { what, repaired: `${what} It was built anew.` } : { what };
  }
}
