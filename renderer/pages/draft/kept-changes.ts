import { has } from "../../api-client/host.ts";
import { queryClient } from "../../api-client/query-client.ts";
import { type DraftBasis, draftQuery, saveDraft } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { arrivedContent } from "./arrived-content.ts";
import { contentOf, type DraftContent, isSame, mergeIncoming } from "./draft-content.ts";
import { lives, ownTab } from "./living-tabs.ts";

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
  /** What earlier saves sent without an answer. */
  unanswered: DraftContent[];
  editor: string;
}

const storeName = "changes";

let signedIn: Promise<string> | undefined;
/** The user of this page. Read once, because a closing page cannot wait for an answer. */
function userHere(): Promise<string> {
  signedIn ??= queryClient.fetchQuery(syncStatusQuery).then(
    ({ user }) => user?.id ?? "",
    (error: unknown) => {
      signedIn = undefined;
      throw error;
    },
  );
  return signedIn;
}

const ownerOf = async (draft: string): Promise<string> => `${await userHere()} ${draft}`;

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
export async function keepChange(draft: string, { basis, ...contents }: Omit<KeptChange, "owner" | "tab">) {
  if (!keepsChanges()) return;
  const { revision_id, state } = basis;
  const change = { ...contents, basis: state === undefined ? { revision_id } : { revision_id, state } };
  const kept: KeptChange = { ...change, owner: await ownerOf(draft), tab: await ownTab() };
  const changes = await store("readwrite");
  const putting = changes.put(kept);
  // Otherwise the browser commits after its answer has reached the page, which may be closed by then.
  changes.transaction.commit();
  await settled(putting);
}

async function drop(owner: string, tab: string): Promise<void> {
  await settled((await store("readwrite")).delete([owner, tab]));
}

export async function dropChange(draft: string): Promise<void> {
  if (keepsChanges()) await drop(await ownerOf(draft), await ownTab());
}

/** Changes of a draft that earlier visits could not send. */
async function listChanges(owner: string): Promise<KeptChange[]> {
  const range = IDBKeyRange.bound([owner, ""], [owner, "\uffff"]);
  return settled((await store("readonly")).getAll(range) as IDBRequest<KeptChange[]>);
}

/**
 * Sends a change with the state that it was based on, so that the server merges it with later changes and keeps a value
 * that both sides changed as a conflict. If a part of it arrived already, or the server no longer knows that state, it
 * is merged here.
 */
async function sendChange(draft: string, change: KeptChange): Promise<void> {
  const { content, saved, unanswered, basis, editor } = change;
  const now = await queryClient.fetchQuery({ ...draftQuery(draft), staleTime: 0 });
  const incoming = contentOf(now);
  const arrived = arrivedContent(saved, [...unanswered, content], incoming);
  const mergeHere = () => saveDraft(draft, mergeIncoming(content, arrived, arrived, incoming), { basis: now, editor });
  if (!isSame(arrived, saved)) return void (await mergeHere());
  try {
    await saveDraft(draft, content, { basis, editor });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 412) throw error;
    await mergeHere();
  }
}

/**
 * Sends what earlier visits could not. An open editor, here or in another tab, sends its change itself: two at once
 * would store it twice. What the server refuses for good stays kept.
 * @param isOpen whether this tab has an editor of the draft
 * @returns how many changes were sent.
 */
async function sendKeptChanges(draft: string, isOpen: boolean): Promise<number> {
  if (!keepsChanges()) return 0;
  const own = await ownTab();
  let sent = 0;
  for (const change of await listChanges(await ownerOf(draft))) {
    if (change.tab === own ? isOpen : await lives(change.tab)) continue;
    try {
      await sendChange(draft, change);
    } catch (error) {
      if (error instanceof ApiFailure) continue;
      throw error;
    }
    await drop(change.owner, change.tab);
    sent += 1;
  }
  return sent;
}

/**
 * Sends the kept changes of a draft once, before its editor opens, and not when all is read again after a gap of the
 * events. Never fails: what cannot be sent stays kept.
 * @param isOpen whether this tab has an editor of the draft
 */
export const keptChangesQuery = (draft: string, isOpen: (draft: string) => boolean) => ({
  queryKey: ["kept-changes", draft],
  queryFn: async () => {
    const sent = await sendKeptChanges(draft, isOpen(draft)).catch(() => 0);
    if (sent > 0) await queryClient.invalidateQueries({ queryKey: draftQuery(draft).queryKey, exact: true });
    return sent;
  },
  staleTime: "static" as const,
  gcTime: 0,
});
