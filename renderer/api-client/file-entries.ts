import { initFiles } from "./records.ts";
import { ApiFailure, wordsOf } from "./request.ts";

/** A file that was not added, and why. */
export interface RefusedFile {
  key: string;
  reason: string;
}

const keysOf = (files: readonly { key: string }[]): string[] => files.map(({ key }) => key);

/** The files whose names the host refuses. It names each by its place in the list that was sent. */
function refusedIn(error: unknown, files: readonly { key: string }[]): RefusedFile[] {
  const problems = error instanceof ApiFailure ? error.problems : [];
  return problems.flatMap((problem) => {
    const key = files[Number(/^(\d+)\.key$/.exec(problem.field)?.[1])]?.key;
    return key === undefined ? [] : [{ key, reason: wordsOf(problem) ?? "" }];
  });
}

/**
 * Creates the pending entries of files in a draft. A name that the host refuses holds up no other file.
 * @returns the files that have an entry, and those that do not
 * @throws ApiFailure if the host refuses all for another reason, such as a name that is taken
 */
export async function createEntries<T extends { key: string }>(
  draftId: string,
  files: T[],
): Promise<{ files: T[]; refused: RefusedFile[] }> {
  try {
    await initFiles(draftId, keysOf(files));
    return { files, refused: [] };
  } catch (error) {
    const refused = refusedIn(error, files);
    if (refused.length === 0) throw error;
    const bad = new Set(keysOf(refused));
    const others = files.filter(({ key }) => !bad.has(key));
    if (others.length > 0) await initFiles(draftId, keysOf(others));
    return { files: others, refused };
  }
}
