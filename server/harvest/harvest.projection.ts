import { accessStatus } from "../../shared/access/embargo.lifecycle.ts";
import type { StoredAccess } from "../../shared/access/stored-access.schema.ts";
import type { Tx } from "../../shared/database/open.ts";
import type { HarvestItemRow } from "../../shared/database/schema.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { findShippedEntry } from "../../shared/vocabularies/shipped-entries.ts";
import { project } from "../../shared/wiring/projection.ts";
import { type CollectionSets, isCollectionSet } from "./collection-sets.ts";
import {
  filesOfRecord,
  type HarvestCandidate,
  listCandidates,
  type OpenFiles,
  storeItem,
} from "./harvest-item.repository.ts";

/** Names of sets have no other characters (OAI-PMH 2.6). */
const isSpecPart = (text: string): boolean => /^[\w\-.!~*'()]+$/.test(text);

function typeSets(id: string | null): string[] {
  if (id === null) return [];
  const general = findShippedEntry("resourcetypes", id)?.props?.type ?? id.split("-")[0] ?? id;
  return [...new Set([general, id])].filter(isSpecPart).map((type) => `type:${type}`);
}

/** What items are made with. */
export interface HarvestRules {
  /** Microseconds UTC. */
  now(): number;
  /** Absent in commands, which do not know the settings: there an item keeps its collections. */
  collections?: CollectionSets;
}

const collectionsIn = (sets = ""): string[] => sets.split(" ").filter(isCollectionSet);

function setsOf(row: HarvestCandidate, access: StoredAccess, collections: readonly string[]): string {
  const isOpen = accessStatus(access, row.files_enabled === 1) === "open";
  const sets = [...(row.is_latest === 1 ? ["latest"] : []), ...(isOpen ? ["access:open"] : [])];
  return [...sets, ...typeSets(row.resource_type), ...collections].sort().join(" ");
}

type Item = Omit<HarvestItemRow, "changed" | keyof OpenFiles>;

/** The item of a version as it should be, without time and files; undefined for a version that was never public. */
function itemOf(row: HarvestCandidate, collections: readonly string[]): Item | undefined {
  const access: StoredAccess = JSON.parse(row.access);
  const common = { record_id: row.id, revision: row.revision_id, is_latest: row.is_latest };
  if (row.is_deleted === 0 && access.record === "public")
    return { ...common, state: "live", sets: setsOf(row, access, collections) };
  if (!row.known) return undefined;
  const { sets, state, revision } = row.known;
  return { ...common, state: "deleted", sets, revision: state === "deleted" ? revision : row.revision_id };
}

/** The files that count for the home page: those of the latest version, if everyone may download them. */
async function openFilesOf(tx: Tx, parentId: string, { record_id, state, sets }: Item): Promise<OpenFiles> {
  const names = sets.split(" ");
  const isCounted = state === "live" && names.includes("latest") && names.includes("access:open");
  return isCounted ? filesOfRecord(tx, parentId, record_id) : { files: 0, bytes: 0 };
}

/**
 * Updates the items of a family in the transaction that changed it (web 8). The clock is read inside the transaction, and
 * each change is later than the last one: so no list gains an item at a place that a harvester has passed.
 */
export async function projectHarvest(tx: Tx, parentId: string, rules: HarvestRules): Promise<void> {
  const rows = await listCandidates(tx, parentId);
  if (rows.length === 0) return;
  const { collections } = rules;
  const found = await collections?.ofFamily(tx, parentId);
  let changed = Math.max(rules.now(), (rows[0]?.last_changed ?? 0) + 1);
  for (const row of rows) {
    const kept = collections ? [] : collectionsIn(row.known?.sets);
    const item = itemOf(row, found?.get(row.id) ?? kept);
    const { known } = row;
    if (!item) continue;
    const files = await openFilesOf(tx, parentId, item);
    const isSame = known?.state === item.state && known.revision === item.revision && known.sets === item.sets;
    if (isSame && known.files === files.files && known.bytes === files.bytes) continue;
    // Harvesters do not see files: for them the item is as it was.
    await storeItem(tx, { ...item, ...files, changed: isSame ? known.changed : changed }, known);
    if (!isSame) changed += 1;
  }
}

/** Brings search index and harvest items up to date, in the transaction of a write. */
export const serverProjection =
  (rules: HarvestRules) =>
  async (tx: Tx, touched: ObjectRef[]): Promise<void> => {
    await project(tx, touched);
    const published = touched.filter(({ kind, isDraftOnly }) => kind === "family" && !isDraftOnly);
    for (const id of new Set(published.map(({ id }) => id))) await projectHarvest(tx, id, rules);
  };
