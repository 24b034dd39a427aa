import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { storageUsage } from "../../shared/openapi/answers/people.schema.ts";
import type { SyncStatus } from "../../shared/sync-protocol/sync-status.schema.ts";
import { has, hostAddress } from "./host.ts";
import { queryClient } from "./query-client.ts";
import type { Envelope } from "./record-types.ts";
import { ApiFailure, call, get } from "./request.ts";
import type { Conflict, Done, Notification, Operation, StorageFigures, TrayEntry } from "./sync-types.ts";

/** The status where there is nothing to synchronise: every change is on the server once it is answered. */
async function readSignedIn(): Promise<SyncStatus> {
  const { id, username } = await get<{ id: string; username: string }>("/api/me");
  return {
    ...{ state: "up_to_date", online: true, paused: false, server: hostAddress(), user: { id, username } },
    ...{ pending: 0, sending: 0, rejected: 0, conflicts: 0, transfers: [], last_success: null, last_error: null },
  };
}

const readStatus = () => (has("sync") ? get<SyncStatus>("/api/sync/status") : readSignedIn());

export const syncStatusQuery = queryOptions({ queryKey: ["sync", "status"], queryFn: readStatus });

/** For queries of what only a replica has. */
const onReplica = { enabled: () => has("sync") };
/** Why nothing can be sent now: no server is connected, sync is paused, or the server cannot be reached. */
export function whyAway(status: SyncStatus | undefined): "local" | "paused" | "offline" | undefined {
  if (status === undefined || (status.online && status.state !== "paused")) return undefined;
  return status.state === "local" || status.state === "paused" ? status.state : "offline";
}

/** Why a page that needs the server shows nothing now. The names are those of its words. */
export const whyNoAnswer = (status: SyncStatus | undefined) =>
  status?.state === "sign_in" ? "sign_in" : (whyAway(status) ?? "offline");

/** The API's answer to this window: 200, 401 without a session, 503 while the database is damaged. */
export const reachQuery = queryOptions({
  queryKey: ["reach"],
  queryFn: async () => {
    try {
      queryClient.setQueryData(syncStatusQuery.queryKey, await readStatus());
      return 200;
    } catch (error) {
      if (error instanceof ApiFailure && error.status > 0) return error.status;
      throw error;
    }
  },
});
export const operationsQuery = queryOptions({
  ...onReplica,
  queryKey: ["sync", "operations"],
  queryFn: () => get<Envelope<Operation>>("/api/sync/operations?size=200"),
});
export const trayQuery = queryOptions({
  ...onReplica,
  queryKey: ["sync", "tray"],
  queryFn: () => get<Envelope<TrayEntry>>("/api/sync/tray?size=200"),
});
export const conflictsQuery = queryOptions({
  queryKey: ["sync", "conflicts"],
  queryFn: () => get<Envelope<Conflict>>("/api/sync/conflicts?size=200"),
});
export const doneQuery = queryOptions({
  ...onReplica,
  queryKey: ["sync", "done"],
  queryFn: async () => (await get<{ done: Done[] }>("/api/sync/done")).done,
});
export const notificationsQuery = queryOptions({
  queryKey: ["sync", "notifications"],
  queryFn: () => get<Envelope<Notification> & { unread: number }>("/api/sync/notifications?size=100"),
});
const openingEveryMs = 250;

export const storageQuery = queryOptions({
  queryKey: ["sync", "storage"],
  queryFn: () => get<StorageFigures>("/api/sync/storage"),
});

/** Opens another library of this computer, and waits until it answers at the same address. */
export async function openLibrary(folder: string): Promise<void> {
  const { body } = await call<{ location: string }>("POST", "/api/sync/library", { body: { folder } });
  const isOpen = async () => {
    try {
      return (await get<StorageFigures>("/api/sync/storage")).location === body.location;
    } catch (error) {
      // Between the two libraries nothing answers.
      if (error instanceof ApiFailure && (error.status === 0 || error.status === 503)) return false;
      throw error;
    }
  };
  while (!(await isOpen())) await new Promise((resolve) => setTimeout(resolve, openingEveryMs));
}

async function steer(method: string, path: string, body?: unknown): Promise<SyncStatus> {
  const { queryKey } = syncStatusQuery;
  const before = queryClient.getQueryData(queryKey);
  const answer = await call<SyncStatus>(method, path, body === undefined ? {} : { body });
  // The event stream may have set a newer status meanwhile.
  if (queryClient.getQueryData(queryKey) !== before) await queryClient.invalidateQueries({ queryKey, exact: true });
  else if (answer.status === 200) queryClient.setQueryData(queryKey, answer.body);
  return answer.body;
}

export const pauseSync = () => steer("POST", "/api/sync/pause");
export const resumeSync = () => steer("POST", "/api/sync/resume");
export const runSync = () => call("POST", "/api/sync/run");
/** A token, or a user name (or e-mail address) and password. The password is not stored. */
export type Credential = ({ token: string } | { account: string; password: string; code?: string }) & {
  /** The user confirmed an address that is not encrypted. */
  allow_insecure?: boolean;
};

/** Connects to a server, or signs in again. 400 says what is wrong; 409: the folder belongs to another user. */
export const connect = (server: string, credential: Credential) =>
  steer("POST", "/api/sync/connect", { server, ...credential });
export const disconnect = (remove: boolean, force: boolean) =>
  steer("DELETE", `/api/sync/connect?data=${remove ? "remove" : "keep"}${force ? "&force=true" : ""}`);

/** Bytes that the user stores on the server, and how many they may. 503 while it cannot be reached. */
export const serverStorageQuery = queryOptions({
  queryKey: ["sync", "server-storage"],
  queryFn: () => get<z.infer<typeof storageUsage>>("/api/user/storage"),
  retry: false,
});

const refreshSync = () => queryClient.invalidateQueries({ queryKey: ["sync"] });

export async function retryRefused(id: string) {
  await call("POST", `/api/sync/tray/${id}/retry`);
  await refreshSync();
}
/** What a refused change was copied to: a new draft, or an unsent comment. */
export type CopiedWork = { kind: "comment"; request: string } | { kind?: undefined; id: string };

export async function copyRefused(id: string): Promise<CopiedWork> {
  const { body } = await call<CopiedWork>("POST", `/api/sync/tray/${id}/copy`);
  await queryClient.invalidateQueries();
  return body;
}
export async function discardRefused(id: string) {
  await call("DELETE", `/api/sync/tray/${id}`);
  await queryClient.invalidateQueries();
}
/** Withdraws an unsent operation. @throws ApiFailure 404 if it was sent meanwhile, 409 while it is being sent. */
export async function withdrawOperation(id: string) {
  await call("DELETE", `/api/sync/operations/${id}`);
  await queryClient.invalidateQueries();
}
export async function chooseConflict(id: string, choose: "mine" | "theirs") {
  await call("POST", `/api/sync/conflicts/${id}`, { body: { choose } });
  await queryClient.invalidateQueries();
}
export async function markRead(ids: string[] | "all") {
  await call("POST", "/api/sync/notifications/read", { body: ids === "all" ? { all: true } : { ids } });
  await queryClient.invalidateQueries({ queryKey: ["sync", "notifications"] });
}
export async function freeStorage() {
  const { body } = await call<StorageFigures>("POST", "/api/sync/storage/free");
  queryClient.setQueryData(storageQuery.queryKey, body);
  await queryClient.invalidateQueries({ queryKey: ["sync", "storage", "records"] });
}
