import { has } from "../../api-client/host.ts";
import { queryClient } from "../../api-client/query-client.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { type DraftBasis, draftQuery, saveDraft } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { arrivedContent } from "./arrived-content.ts";
import { contentOf, type DraftContent, isSame, mergeIncoming } from "./draft-content.ts";
import { lives, ownTab } from "./living-tabs.ts";

// Where the files are on a server, what is typed is kept in this browser until the server has answered. On every host,
// the words of a draft that this user can no longer save are kept here.

/** A change of a draft that the host has not answered, or refused. */
export interface KeptChange {
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
  /** The draft without its content, to show the change after the draft is gone. Earlier versions did not keep it. */
  shell?: Omit<RecordBody, keyof DraftContent>;
}

/** The draft as the change left it; undefined if an earlier version kept the change. */
export const bodyOf = ({ shell, content }: KeptChange): RecordBody | undefined =>
  shell && ({ ...shell, ...content } as RecordBody);

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

/** Whether a refusal says that the draft is gone or closed to this user. */
export const isFinal = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && [403, 404, 410].includes(error.status);

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

/** Whether changes are kept here until they are answered: a replica answers at once, and keeps them itself. */
export const keepsChanges = (): boolean => !has("local_files");

/** Drafts whose changes a replica refused in this tab. */
const refused = new Set<string>();

/**
 * Keeps a change until `dropChange`. A browser that refuses to store leaves the warning before the page is closed.
 * @param isRefused whether the host refused the change for good: a replica keeps only such ones here
 */
export async function keepChange(
  draft: string,
  { basis, body, ...contents }: Omit<KeptChange, "owner" | "tab" | "shell"> & { body: RecordBody },
  isRefused: boolean,
) {
  if (isRefused) refused.add(draft);
  else if (!keepsChanges()) return;
  const { revision_id, state } = basis;
  const { metadata, custom_fields, access, pids, files, ...shell } = body;
  const change = { ...contents, shell, basis: state === undefined ? { revision_id } : { revision_id, state } };
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
  if (!keepsChanges() && !refused.has(draft)) return;
  await drop(await ownerOf(draft), await ownTab());
  refused.delete(draft);
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

interface EarlierChanges {
  /** How many changes were sent. */
  sent: number;
  /** A change that the host refuses for good, such as one of a draft that is gone. */
  refused?: KeptChange;
}

/**
 * Sends what earlier visits could not. An open editor, here or in another tab, sends its change itself: two at once
 * would store it twice. What the server refuses for good stays kept.
 * @param isOpen whether this tab has an editor of the draft
 */
async function sendKeptChanges(draft: string, isOpen: boolean): Promise<EarlierChanges> {
  const own = await ownTab();
  const earlier: EarlierChanges = { sent: 0 };
  for (const change of await listChanges(await ownerOf(draft))) {
    if (change.tab === own ? isOpen : await lives(change.tab)) continue;
    try {
      await sendChange(draft, change);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      // Shows the refused change of this tab first, the others at later visits.
      if (isFinal(error) && (change.tab === own || !earlier.refused)) earlier.refused = change;
      continue;
    }
    await drop(change.owner, change.tab);
    earlier.sent += 1;
  }
  return earlier;
}

/** The open editor has taken over a change of an earlier visit, and keeps it under its own tab. */
export async function dropTakenOver({ owner, tab }: KeptChange): Promise<void> {
  if (tab !== (await ownTab())) await drop(owner, tab);
}

/**
 * Sends the kept changes of a draft once, before its editor opens, and not when all is read again after a gap of the
 * events. Never fails: what cannot be sent stays kept.
 * @param isOpen whether this tab has an editor of the draft
 */
export const keptChangesQuery = (draft: string, isOpen: (draft: string) => boolean) => ({
  queryKey: ["kept-changes", draft],
  queryFn: async (): Promise<EarlierChanges> => {
    const earlier = await sendKeptChanges(draft, isOpen(draft)).catch((): EarlierChanges => ({ sent: 0 }));
    if (earlier.sent > 0) await queryClient.invalidateQueries({ queryKey: draftQuery(draft).queryKey, exact: true });
    return earlier;
  },
  staleTime: "static" as const,
  gcTime: 0,
});
