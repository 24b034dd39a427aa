import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";
import type {
  Envelope,
  FileEntry,
  FileName,
  FilesCollection,
  PublicationDoi,
  RecordBody,
  RemovedFiles,
  Tombstone,
} from "./record-types.ts";
import { type Answer, call, encodePath, get } from "./request.ts";

export type LibraryView = "mine" | "published";

export interface LibrarySearch {
  view: LibraryView;
  q: string;
  sort: string;
  /** Chosen values by facet name. */
  facets: Record<string, string[]>;
  /** Searches the server instead of this computer. */
  isRemote: boolean;
}

const pageSize = 50;

function searchPath({ view, q, sort, facets, isRemote }: LibrarySearch, page: number, size = pageSize) {
  const params = new URLSearchParams({ size: String(size), page: String(page) });
  if (q) params.set("q", q);
  if (sort) params.set("sort", sort);
  if (isRemote) params.set("scope", "server");
  for (const [name, values] of Object.entries(facets)) for (const value of values) params.append(name, value);
  return `${view === "mine" ? "/api/user/records" : "/api/records"}?${params}`;
}

/** The library: the user's drafts and records, or all published records held here, page by page. */
export const libraryQuery = (search: LibrarySearch) =>
  infiniteQueryOptions({
    queryKey: ["library", search],
    queryFn: ({ pageParam, signal }) => get<Envelope<RecordBody>>(searchPath(search, pageParam), { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.hits.total > pages.length * pageSize ? pages.length + 1 : undefined),
    placeholderData: (previous) => previous,
  });

/** Number of results. */
export const countQuery = (search: LibrarySearch) =>
  queryOptions({
    queryKey: ["library", "count", search],
    queryFn: async ({ signal }) => (await get<Envelope<RecordBody>>(searchPath(search, 1, 1), { signal })).hits.total,
    retry: false,
  });

/** Whether the user may edit a record or draft. Covers all versions, not only the newest. */
export const isEditableQuery = (id: string) =>
  queryOptions({
    queryKey: ["library", "editable", id],
    queryFn: async ({ signal }) => {
      const params = new URLSearchParams({ size: "1", allversions: "true", q: `id:"${id}"` });
      return (await get<Envelope<RecordBody>>(`/api/user/records?${params}`, { signal })).hits.total > 0;
    },
    retry: false,
  });

/** First results for a text being typed, whose last word is a prefix. */
export const quickFindQuery = (text: string) =>
  queryOptions({
    queryKey: ["library", "quick", text],
    queryFn: async ({ signal }) => {
      const params = new URLSearchParams({ size: "6", q: /[\p{L}\p{N}]$/u.test(text) ? `${text}*` : text });
      const answers = await Promise.all(
        ["/api/user/records", "/api/records"].map((path) => get<Envelope<RecordBody>>(`${path}?${params}`, { signal })),
      );
      const hits = answers.flatMap((answer) => answer.hits.hits);
      return hits.filter(({ id }, index) => hits.findIndex((hit) => hit.id === id) === index).slice(0, 8);
    },
    enabled: text.length > 1,
    retry: false,
    placeholderData: (previous) => previous,
  });

export const recordQuery = (id: string) =>
  queryOptions({ queryKey: ["record", id], queryFn: () => get<RecordBody>(`/api/records/${id}`) });
export const latestQuery = (id: string) =>
  queryOptions({
    queryKey: ["record", id, "latest"],
    queryFn: () => get<RecordBody>(`/api/records/${id}/versions/latest`),
  });
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["record", id, "versions"],
    queryFn: () => get<Envelope<RecordBody>>(`/api/records/${id}/versions?size=100`),
  });
export const recordFilesQuery = (id: string) =>
  queryOptions({ queryKey: ["record", id, "files"], queryFn: () => get<FilesCollection>(`/api/records/${id}/files`) });
/** A draft with its `state`. */
function withState({ body, headers }: Answer<RecordBody>): RecordBody {
  const state = headers.get("Draft-State");
  return state === null ? body : { ...body, state };
}

export const readDraft = async (id: string) => withState(await call<RecordBody>("GET", `/api/records/${id}/draft`));
export const draftQuery = (id: string) => queryOptions({ queryKey: ["draft", id], queryFn: () => readDraft(id) });
export const draftFilesQuery = (id: string) =>
  queryOptions({
    queryKey: ["draft", id, "files"],
    queryFn: () => get<FilesCollection>(`/api/records/${id}/draft/files`),
  });

const refreshLists = () => queryClient.invalidateQueries({ queryKey: ["library"] });
/** Reads a record again, with the lists that show it. */
export const refresh = async (id: string) => {
  await Promise.all([
    refreshLists(),
    queryClient.invalidateQueries({ queryKey: ["record", id] }),
    queryClient.invalidateQueries({ queryKey: ["draft", id] }),
  ]);
};

const emptyDraft = { access: { record: "public", files: "public" }, files: { enabled: true }, custom_fields: {} };

export async function createDraft(content: Partial<DraftContent> = {}): Promise<RecordBody> {
  const body = { ...emptyDraft, metadata: {}, ...content };
  const made = await call<RecordBody>("POST", "/api/records", { body });
  await refreshLists();
  return made.body;
}

/** Fields that a copy does not take over. */
const ownFields = ["publication_date", "version", "identifiers", "dates"];

/** What a copy of a work begins with: its metadata without what is its own, and no files. */
export const copiedContent = ({ metadata, custom_fields }: Pick<RecordBody, "metadata" | "custom_fields">) => ({
  metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => !ownFields.includes(key))),
  custom_fields,
});

/** The content of a save. Metadata is never refused; the answer's `errors` list its problems (records 3.3). */
export type DraftContent = Pick<RecordBody, "metadata" | "custom_fields" | "access" | "pids" | "files">;

/** Identifies the draft as it was shown. */
export type DraftBasis = Pick<RecordBody, "revision_id" | "state">;

/** What a save is based on, and the open editor that saves. */
export interface SavedBy {
  basis: DraftBasis;
  editor?: string;
}

/**
 * Saves a draft based on `basis`. Later changes of others stay; `merged` names their fields.
 * @throws ApiFailure 412 if the basis is no longer known, or lacks an earlier save of the editor: read the draft again
 * and merge.
 */
export async function saveDraft(id: string, content: DraftContent, { basis, editor }: SavedBy): Promise<RecordBody> {
  const { enabled, default_preview, order } = content.files;
  const { record, files, embargo } = content.access;
  const answer = await call<RecordBody>("PUT", `/api/records/${id}/draft`, {
    body: { ...content, access: { record, files, embargo }, files: { enabled, default_preview, order } },
    ifMatch: basis.revision_id,
    prefersMerge: true,
    headers: {
      ...(basis.state === undefined ? {} : { "Draft-State": basis.state }),
      ...(editor === undefined ? {} : { "Draft-Editor": editor }),
    },
  });
  return withState(answer);
}

/** Publishes a draft. Offline the answer is a draft whose `sync.state` is pending. */
export async function publishDraft(id: string): Promise<RecordBody> {
  const { body } = await call<RecordBody>("POST", `/api/records/${id}/draft/actions/publish`);
  await refresh(id);
  return body;
}
async function discardUnseen(id: string) {
  await call("DELETE", `/api/records/${id}/draft`);
  queryClient.removeQueries({ queryKey: ["draft", id] });
}
export async function discardDraft(id: string) {
  await discardUnseen(id);
  await refreshLists();
}
/**
 * Discards drafts one at a time; a refusal does not stop the others. The lists are read once, at the end.
 * @returns the refusals, by id.
 */
export async function discardDrafts(ids: string[], onDiscarded: (id: string) => void): Promise<Map<string, unknown>> {
  const refused = new Map<string, unknown>();
  for (const id of ids)
    await discardUnseen(id).then(
      () => onDiscarded(id),
      (error: unknown) => refused.set(id, error),
    );
  await refreshLists();
  return refused;
}
export async function editRecord(id: string): Promise<RecordBody> {
  const { body } = await call<RecordBody>("POST", `/api/records/${id}/draft`);
  // The cache may say that there is no draft.
  await Promise.all([refreshLists(), queryClient.resetQueries({ queryKey: ["draft", id] })]);
  return body;
}
export async function newVersion(id: string): Promise<RecordBody> {
  const { body } = await call<RecordBody>("POST", `/api/records/${id}/versions`);
  await refreshLists();
  return body;
}
/** The reason and note of a deletion by a superuser, shown to everybody at the record's address. */
export type Removal = Partial<Pick<Tombstone, "removal_reason" | "note" | "citation_text">>;

/** @throws ApiFailure 403 for others, 400 if somebody else deleted it already, 503 without the server. */
export async function removeRecord(id: string, removal: Removal) {
  await call("DELETE", `/api/records/${id}/delete`, { body: removal });
  await refresh(id);
}
/** Restores a deleted record. @throws ApiFailure as above, 400 if somebody else restored it already. */
export async function restoreRecord(id: string) {
  try {
    await call("POST", `/api/records/${id}/restore`, { body: {} });
  } finally {
    await Promise.all([refresh(id), queryClient.invalidateQueries({ queryKey: ["administration"] })]);
  }
}
export async function reserveDoi(id: string): Promise<Answer<RecordBody>> {
  return call<RecordBody>("POST", `/api/records/${id}/draft/pids/doi`);
}
export async function releaseDoi(id: string) {
  await call("DELETE", `/api/records/${id}/draft/pids/doi`);
}

/** The DOI that a draft has once it is published. Read anew each time it is shown. */
export const publicationDoiQuery = (id: string) =>
  queryOptions({
    queryKey: ["draft", id, "publication-doi"],
    queryFn: () => get<PublicationDoi>(`/api/records/${id}/draft/publication-doi`),
    gcTime: 0,
  });

const draftFile = (id: string, key: string) => `/api/records/${id}/draft/files/${encodePath(key)}`;

export async function initFiles(id: string, keys: string[]): Promise<FilesCollection> {
  const { body } = await call<FilesCollection>("POST", `/api/records/${id}/draft/files`, {
    body: keys.map((key) => ({ key })),
  });
  return body;
}
export const commitFile = async (id: string, key: string) =>
  (await call<FileEntry>("POST", `${draftFile(id, key)}/commit`)).body;
async function deleteFile(id: string, key: string) {
  await call("DELETE", draftFile(id, key));
  await queryClient.invalidateQueries({ queryKey: ["draft", id] });
}
/** Removes files in one step. */
export async function deleteFiles(id: string, keys: readonly string[]) {
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return deleteFile(id, only);
  await call("POST", `/api/records/${id}/draft/actions/files-remove`, { body: keys.map((key) => ({ key })) });
  await queryClient.invalidateQueries({ queryKey: ["draft", id] });
}
/** Renames files in one step. @throws ApiFailure 400 for a name that is taken or not valid. */
export async function renameFiles(id: string, names: readonly FileName[]) {
  const path = `/api/records/${id}/draft/actions/files-rename`;
  const { body } = await call<FilesCollection>("POST", path, { body: names });
  queryClient.setQueryData(draftFilesQuery(id).queryKey, body);
  await queryClient.invalidateQueries({ queryKey: ["draft", id] });
}
/** Files removed from a draft within a day, the last removed first. */
export const removedFilesQuery = (id: string) =>
  queryOptions({
    queryKey: ["draft", id, "removed-files"],
    queryFn: () => get<RemovedFiles>(`/api/records/${id}/draft/removed-files`),
  });
/**
 * Restores removed files, under other names if theirs were taken meanwhile. @returns their names.
 * @throws ApiFailure 404 if one is no longer kept.
 */
export async function restoreFiles(id: string, versionIds: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  try {
    for (const version of versionIds) {
      const { body } = await call<FileEntry>("POST", `/api/records/${id}/draft/removed-files/${version}/restore`);
      keys.push(body.key);
    }
  } finally {
    await queryClient.invalidateQueries({ queryKey: ["draft", id] });
  }
  return keys;
}
export async function importFiles(id: string) {
  await call("POST", `/api/records/${id}/draft/actions/files-import`);
  await queryClient.invalidateQueries({ queryKey: ["draft", id] });
}
/** Address of a ZIP of a draft's files, or of those of a folder, whose path ends with a slash. */
export const draftArchive = (id: string, folder: string) =>
  `/api/records/${id}/draft/files-archive?folder=${encodeURIComponent(folder)}`;
export const draftFileContent = (id: string, key: string) => `${draftFile(id, key)}/content`;
