import { has } from "../../api-client/host.ts";
import { queryClient } from "../../api-client/query-client.ts";
import { type DraftBasis, draftQuery, saveDraft } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { randomId } from "../../format/random-id.ts";
import { contentOf, type DraftContent, mergeIncoming } from "./draft-content.ts";

// Where the files are on a server, what is typed is kept in this browser until the server has answered.

/** A change of a draft that the server has not answered. */
interface KeptChange {
  /** User and draft, then the tab: two tabs do not overwrite each other. */
  owner: string;
  tab: string;
  content: DraftContent;
  /** The content that the change is based on, and its revision. */
  saved: DraftContent;
  basis: DraftBasis;
}

const storeName = "changes";
const tabKey = "carrel.tab";

function tabId(): string {
  const known = sessionStorage.getItem(tabKey) ?? randomId();
  sessionStorage.setItem(tabKey, known);
  return known;
}

async function ownerOf(draft: string): Promise<string> {
  const { user } = await queryClient.fetchQuery(syncStatusQuery);
  return `${user?.id ?? ""} ${draft}`;
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

let opened: Promise<IDBDatabase> | undefined;
function database(): Promise<IDBDatabase> {
  const opening = indexedDB.open("carrel", 1);
  opening.addEventListener("upgradeneeded", () =>
    opening.result.createObjectStore(storeName, { keyPath: ["owner", "tab"] }),
  );
  opened ??= settled(opening);
  return opened;
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await database()).transaction(storeName, mode).objectStore(storeName);
}

/** Whether changes are kept here: a replica keeps them itself. */
export const keepsChanges = (): boolean => !has("local_files");

/** Keeps a change until `dropChange`. A browser that refuses to store leaves the warning before the page is closed. */
export async function keepChange(draft: string, { content, saved, basis }: Omit<KeptChange, "owner" | "tab">) {
  if (!keepsChanges()) return;
  const { revision_id, state } = basis;
  const change = { content, saved, basis: state === undefined ? { revision_id } : { revision_id, state } };
  const kept: KeptChange = { ...change, owner: await ownerOf(draft), tab: tabId() };
  await settled((await store("readwrite")).put(kept));
}

async function drop(owner: string, tab: string): Promise<void> {
  await settled((await store("readwrite")).delete([owner, tab]));
}

export async function dropChange(draft: string): Promise<void> {
  if (keepsChanges()) await drop(await ownerOf(draft), tabId());
}

/** Changes of a draft that earlier visits could not send. */
async function listChanges(owner: string): Promise<KeptChange[]> {
  const range = IDBKeyRange.bound([owner, ""], [owner, "\uffff"]);
  return settled((await store("readonly")).getAll(range) as IDBRequest<KeptChange[]>);
}

/** Merges a change with the draft as it is now, when the server no longer knows the revision it is based on. */
async function saveMerged(draft: string, { content, saved }: KeptChange): Promise<void> {
  const now = await queryClient.fetchQuery({ ...draftQuery(draft), staleTime: 0 });
  await saveDraft(draft, mergeIncoming(content, saved, saved, contentOf(now)), now);
}

/**
 * Sends what earlier visits could not, with the state that it was based on: the server merges it with later changes, and
 * keeps a value that both sides changed as a conflict. What the server refuses for good stays kept.
 * @returns how many changes were sent.
 */
async function sendKeptChanges(draft: string): Promise<number> {
  if (!keepsChanges()) return 0;
  let sent = 0;
  for (const change of await listChanges(await ownerOf(draft))) {
    try {
      await saveDraft(draft, change.content, change.basis);
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 412) continue;
      await saveMerged(draft, change);
    }
    await drop(change.owner, change.tab);
    sent += 1;
  }
  return sent;
}

/** Sends the kept changes of a draft once, before its editor opens. Never fails: what cannot be sent stays kept. */
export const keptChangesQuery = (draft: string) => ({
  queryKey: ["kept-changes", draft],
  queryFn: async () => {
    const sent = await sendKeptChanges(draft).catch(() => 0);
    if (sent > 0) await queryClient.invalidateQueries({ queryKey: draftQuery(draft).queryKey, exact: true });
    return sent;
  },
  staleTime: 0,
  gcTime: 0,
});
