import { firstRevision, keepLastRevision } from "../database/last-revision.ts";
import type { Db, Tx } from "../database/open.ts";
import type { CollectionRow } from "../database/schema.ts";
import type { GroupService } from "../groups/group.service.ts";
import type { Call } from "../kernel/call.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { Failure, forbidden, invalidField, notFound } from "../kernel/failure.ts";
import type { Host, WriteResult } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import {
  allCollections,
  type Collection,
  mayEditCollection,
  mayManageCollections,
  ofRow,
} from "./collection.policy.ts";
import {
  deleteCollectionRow,
  findCollectionRow,
  insertCollection,
  listCollectionRows,
  updateCollectionRow,
} from "./collection.repository.ts";
import {
  collectionChange,
  createCollection,
  deleteCollection,
  newCollection,
  updateCollection,
} from "./collection.schema.ts";
import { listCollections } from "./collection-list.ts";
import { catalogueOf, readQuery } from "./collection-query.ts";

const maxCollections = 1000;

export interface CollectionService {
  /** All collections, those of the settings first. */
  list(db: Db): Promise<Collection[]>;
  /** @throws Failure 404. */
  require(db: Db, slug: string): Promise<Collection>;
  /** @returns the slug. @throws Failure 403, then 400 with the field. */
  create(caller: Call, input: { body?: unknown }): Promise<string>;
  /**
   * Changes title, query and text; of an administrator also the group.
   * @param ifMatch the revision that must be the current one.
   * @throws Failure 404, 403, 412, then 400 with the field.
   */
  update(caller: Call, input: { slug: string; body?: unknown }, ifMatch?: number): Promise<string>;
  /** @throws Failure 404, 403, 412. */
  remove(caller: Call, input: { slug: string }, ifMatch?: number): Promise<void>;
  /** Calls the listener after each change, so that records are judged by the new queries. */
  onChanged(listener: () => void): void;
}

/** The user stands for the object, since a collection is in nobody's feed. */
function outcome<R>(caller: Call, result: R, title: string): WriteResult<R> {
  const object = { kind: "user" as const, id: caller.userId ?? "" };
  return { result, object, touched: [object], title };
}

interface CollectionParts {
  host: Pick<Host, "settings" | "now" | "write">;
  groups: Pick<GroupService, "find">;
}

/** What a change needs: an editable row, a group that exists, a query that can be searched. */
function collectionRules({ host: { settings, now }, groups }: CollectionParts) {
  const isFixed = (slug: string): boolean => settings.collections.some((one) => one.slug === slug);
  return {
    isFixed,
    async assertGroup(tx: Tx, name: string): Promise<void> {
      if (!(await groups.find(tx, name))) throw invalidField("group", "There is no such group.");
    },
    assertSearchable(query: string): void {
      const read = readQuery(query, catalogueOf(settings), now());
      if (!("problem" in read)) return;
      const { problem, headers } = read;
      const { message, problems } = invalidField("query", problem);
      throw new Failure("invalid", message, { problems, headers });
    },
    /** @throws Failure 404, 403, 412. */
    async requireEditable(tx: Tx, caller: Call, slug: string, ifMatch: number | undefined): Promise<CollectionRow> {
      const row = await findCollectionRow(tx, slug);
      if (!row && !isFixed(slug)) throw notFound();
      if (!row || isFixed(slug) || !mayEditCollection(caller, ofRow(row))) throw forbidden();
      assertRevision(ifMatch, row.revision_id);
      return row;
    },
  };
}

/** Collections that groups keep, beside those of the settings (design, web 15). */
export function collectionService(parts: CollectionParts): CollectionService {
  const { host } = parts;
  const { settings } = host;
  const listeners: (() => void)[] = [];
  const { isFixed, assertGroup, assertSearchable, requireEditable } = collectionRules(parts);

  const changed = <R>(result: R): R => {
    for (const listener of listeners) listener();
    return result;
  };

  return {
    list: (db) => listCollections(db, settings),
    async require(db, slug) {
      const row = await findCollectionRow(db, slug);
      const [found] = allCollections(
        { collections: settings.collections.filter((one) => one.slug === slug) },
        row ? [row] : [],
      );
      if (!found) throw notFound();
      return found;
    },
    create: (caller, input) =>
      host
        .write(caller, createCollection, input, async (tx, { now }) => {
          if (!mayManageCollections(caller)) throw forbidden();
          const { group, ...made } = parse(newCollection, input.body ?? {});
          if (isFixed(made.slug) || (await findCollectionRow(tx, made.slug)))
            throw invalidField("slug", "Another collection has this address.");
          await assertGroup(tx, group);
          assertSearchable(made.query);
          if ((await listCollectionRows(tx)).length >= maxCollections)
            throw new Failure("invalid", `There can be ${maxCollections} collections at most.`);
          const revision_id = await firstRevision(tx, "collection", made.slug);
          const times = { created: now, updated: now, revision_id };
          await insertCollection(tx, { ...made, group_name: group, ...times });
          return outcome(caller, made.slug, `Create “${made.title}”`);
        })
        .then(changed),
    update: (caller, input, ifMatch) =>
      host
        .write(caller, updateCollection, input, async (tx, { now }) => {
          const row = await requireEditable(tx, caller, input.slug, ifMatch);
          const { group, ...change } = parse(collectionChange, input.body ?? {});
          const next: Partial<CollectionRow> = change;
          if (group !== undefined && group !== row.group_name) {
            if (!mayManageCollections(caller)) throw forbidden();
            await assertGroup(tx, group);
            next.group_name = group;
          }
          assertSearchable(change.query);
          await updateCollectionRow(tx, row.slug, { ...next, updated: now, revision_id: row.revision_id + 1 });
          return outcome(caller, row.slug, `Edit “${change.title}”`);
        })
        .then(changed),
    remove: (caller, input, ifMatch) =>
      host
        .write(caller, deleteCollection, input, async (tx) => {
          // One that the settings hide by their own of the same slug can be deleted too.
          const row = await findCollectionRow(tx, input.slug);
          if (!row && !isFixed(input.slug)) throw notFound();
          if (!row || !mayManageCollections(caller)) throw forbidden();
          assertRevision(ifMatch, row.revision_id);
          await deleteCollectionRow(tx, row.slug);
          await keepLastRevision(tx, "collection", row.slug, row.revision_id);
          return outcome(caller, undefined, `Delete “${row.title}”`);
        })
        .then(changed),
    onChanged: (listener) => void listeners.push(listener),
  };
}
