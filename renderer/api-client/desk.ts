import { queryOptions } from "@tanstack/react-query";
import { randomId } from "../format/random-id.ts";
import { queryClient } from "./query-client.ts";
import type { FileEntry, RecordBody } from "./record-types.ts";
import { draftFilesQuery, draftQuery } from "./records.ts";
import { ApiFailure, call, get } from "./request.ts";

/** A small note that the app stores on this computer for the user. */
interface Note<Value> {
  key: string;
  value: Value;
}

/** A saved search; `search` is the query string of its address. */
export type SavedSearch = Note<{ name: string; search: string }>;

export const savedSearchesQuery = queryOptions({
  queryKey: ["desk", "searches"],
  queryFn: async () => (await get<{ notes: SavedSearch[] }>("/api/sync/desk/searches")).notes,
});

const refresh = () => queryClient.invalidateQueries({ queryKey: ["desk"] });

export async function saveSearch(value: SavedSearch["value"]) {
  const key = `${Date.now().toString(36)}-${randomId().slice(0, 8)}`;
  await call("PUT", `/api/sync/desk/searches/${key}`, { body: { value } });
  await refresh();
}
export async function dropSearch(key: string) {
  await call("DELETE", `/api/sync/desk/searches/${key}`);
  await refresh();
}

/** Time up to which the user has seen the activity; null: never dismissed. */
export const lookQuery = queryOptions({
  queryKey: ["desk", "looks"],
  queryFn: async () => {
    const { notes } = await get<{ notes: Note<{ until: string }>[] }>("/api/sync/desk/looks");
    return notes.find(({ key }) => key === "activity")?.value.until ?? null;
  },
});
export async function keepLook(until: string) {
  await call("PUT", "/api/sync/desk/looks/activity", { body: { value: { until } } });
  await refresh();
}

/** Requests that the user muted. */
export const mutedQuery = queryOptions({
  queryKey: ["desk", "mutes"],
  queryFn: async () => (await get<{ notes: Note<object>[] }>("/api/sync/desk/mutes")).notes.map(({ key }) => key),
});
export async function setMuted(request: string, isMuted: boolean) {
  const path = `/api/sync/desk/mutes/${request}`;
  await (isMuted ? call("PUT", path, { body: { value: {} } }) : call("DELETE", path));
  await refresh();
}

/** A draft as the user last reviewed it: metadata and file checksums, no bytes. */
export interface ReviewedDraft {
  body: RecordBody;
  files: Pick<FileEntry, "key" | "checksum" | "size">[];
  when: string;
}

export const reviewedQuery = (draftId: string) =>
  queryOptions({
    queryKey: ["desk", "reviews", draftId],
    queryFn: async () => {
      try {
        return (await get<Note<ReviewedDraft>>(`/api/sync/desk/reviews/${draftId}`)).value;
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null;
        throw error;
      }
    },
  });

/**
 * Notes the draft as the user sees it now. What comes in while their comment is sent, they have not reviewed.
 * @returns stores the note, to show later what changed. Skips a draft that cannot be read.
 */
export function noteReviewed(draftId: string): () => Promise<void> {
  const when = new Date().toISOString();
  const reading = Promise.allSettled([seenDraft(draftId)]);
  return async () => {
    const [seen] = await reading;
    if (seen.status === "rejected") {
      if (seen.reason instanceof ApiFailure) return;
      throw seen.reason;
    }
    const { body, files } = seen.value;
    const entries = (files?.entries ?? []).map(({ key, checksum, size }) => ({ key, checksum, size }));
    await call("PUT", `/api/sync/desk/reviews/${draftId}`, { body: { value: { body, files: entries, when } } });
    await refresh();
  };
}

/** The draft that is on the screen; read if there is none yet. */
async function seenDraft(draftId: string) {
  const body = await queryClient.ensureQueryData(draftQuery(draftId));
  return { body, files: body.files.enabled ? await queryClient.ensureQueryData(draftFilesQuery(draftId)) : undefined };
}

/** Removes the note after the review ended. */
export async function dropReviewed(draftId: string) {
  await call("DELETE", `/api/sync/desk/reviews/${draftId}`);
  await refresh();
}
