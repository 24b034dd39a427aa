import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { branches, markOf } from "./branches.ts";
import { plantedInvenioBugs } from "./invenio/planted-invenio-bugs.ts";
import { plantedBugs } from "./planted-bugs.ts";
import { type Patch, patched } from "./source-patches.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Loaded before the simulator (`--import`). Counts the branches of sync, and plants the bugs that the environment names, one a line.
 * Changes the sources only in this process, so the product contains neither.
 */
const names = process.env.CARREL_PLANTED_BUG?.split("\n") ?? [];
const bugs = names.flatMap((name) => {
  const patches = { ...plantedBugs, ...plantedInvenioBugs }[name];
  if (!patches) throw new Error(`there is no planted bug '${name}'`);
  return patches;
});

/** How often each branch was reached in this process. */
const reached: Record<string, number> = Object.fromEntries(branches.map((branch) => [branch.name, 0]));
const reachedBranch = (branch: string): boolean => {
  reached[branch] = (reached[branch] ?? 0) + 1;
  return true;
};
Object.assign(globalThis, { reachedBranch, reachedBranches: reached });

const patches = new Map<string, Patch[]>();
// The bug first, since it may remove a counted branch.
for (const patch of [...bugs, ...(names.length === 0 ? branches.map(markOf) : [])]) {
  patches.set(patch.file, [...(patches.get(patch.file) ?? []), patch]);
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const own = url.startsWith("file:") ? patches.get(fileURLToPath(url).slice(root.length)) : undefined;
    if (!own || loaded.source === undefined || loaded.source === null) return loaded;
    const text =
      typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
    return { ...loaded, source: patched(text, own) };
  },
});
