import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { BackupSchedule } from "../../shared/administration/administration.schema.ts";
import type {
  backups,
  doiQueue,
  mailQueue,
  overview,
  removedRecords,
} from "../../shared/openapi/answers/administration.schema.ts";
import type { invitation, person, sentReset } from "../../shared/openapi/answers/people.schema.ts";
import { queryClient } from "./query-client.ts";
import type { Envelope } from "./record-types.ts";
import { call, get, orGone } from "./request.ts";

export type Overview = z.infer<typeof overview>;
export type AdministeredPerson = z.infer<typeof person>;
export type Backups = z.infer<typeof backups>;
export type MailQueue = z.infer<typeof mailQueue>;
export type DoiQueue = z.infer<typeof doiQueue>;
export type RemovedRecord = z.infer<typeof removedRecords>["hits"]["hits"][number];
export type SentReset = z.infer<typeof sentReset>;
export type Invitation = z.infer<typeof invitation>;

const base = "/api/administration";
const own = (...key: unknown[]) => ["administration", ...key];
const minuteMs = 60_000;
/**
 * All of it comes from the server: 403 for others, 503 offline. No event announces changes by other administrators and by
 * the server, so pages read again when they are shown, and each minute.
 */
const common = { retry: false, staleTime: 0, refetchInterval: minuteMs } as const;
/** What waits in a queue is tried soon. */
const soonMs = 3000;
const untilTried = ({ state }: { state: { data?: { counts: { waiting: number } } | undefined } }) =>
  state.data?.counts.waiting ? soonMs : minuteMs;

/** What needs attention, also for the badge of the navigation. */
export const overviewQuery = queryOptions({
  ...common,
  queryKey: own("overview"),
  queryFn: () => get<Overview>(`${base}/overview`),
  // The end of a backup may clear the notice of a failed one.
  refetchInterval: ({ state }) => (state.data?.backups.is_running ? soonMs : minuteMs),
});

/** How much needs an administrator soon. */
export const urgentIn = (given: Overview | undefined): number =>
  given?.attention.filter((one) => !one.is_quiet).length ?? 0;

export interface PeopleFilter {
  q: string;
  state: string;
  role: string;
  sort: string;
  page: number;
}

export const peoplePageSize = 25;

export const administeredPeopleQuery = ({ q, state, role, sort, page }: PeopleFilter) =>
  queryOptions({
    ...common,
    queryKey: own("people", q, state, role, sort, page),
    queryFn: () => {
      const parameters = new URLSearchParams({ size: String(peoplePageSize), page: String(page), sort });
      if (q.trim() !== "") parameters.set("q", q.trim());
      if (state !== "") parameters.set("state", state);
      if (role !== "") parameters.set("role", role);
      return get<Envelope<AdministeredPerson>>(`${base}/people?${parameters}`);
    },
    placeholderData: (before) => before,
  });

export const administeredPersonQuery = (id: string) =>
  queryOptions({
    ...common,
    queryKey: own("person", id),
    queryFn: () => get<AdministeredPerson>(`${base}/people/${id}`),
  });

export const invitationsQuery = queryOptions({
  ...common,
  queryKey: own("invitations"),
  queryFn: () => get<{ hits: { hits: Invitation[] } }>("/api/invitations"),
});

export const mailQuery = queryOptions({
  ...common,
  queryKey: own("mail"),
  queryFn: () => get<MailQueue>(`${base}/mail`),
  refetchInterval: untilTried,
});

export const doisQuery = queryOptions({
  ...common,
  queryKey: own("dois"),
  queryFn: () => get<DoiQueue>(`${base}/dois`),
  refetchInterval: untilTried,
});

/** Read again each second while a backup is written. */
export const backupsQuery = queryOptions({
  ...common,
  queryKey: own("backups"),
  queryFn: () => get<Backups>(`${base}/backups`),
  refetchInterval: ({ state }) =>
    state.data?.running || state.data?.hits.hits.some((run) => run.state === "running") ? 1000 : minuteMs,
});

export const removedRecordsQuery = (page: number) =>
  queryOptions({
    ...common,
    queryKey: own("removed", page),
    queryFn: () => get<Envelope<RemovedRecord>>(`${base}/removed-records?page=${page}`),
    placeholderData: (before) => before,
  });

async function change<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
  try {
    return (await call<T>(method, path, body === undefined ? {} : { body })).body;
  } catch (error) {
    throw orGone(error);
  } finally {
    await queryClient.invalidateQueries({ queryKey: own() });
  }
}

export const endAccess = (id: string) => change("POST", `${base}/people/${id}/actions/deactivate`);
export const giveAccess = (id: string) => change("POST", `${base}/people/${id}/actions/activate`);
export const offerPassword = (id: string) => change<SentReset>("POST", `${base}/people/${id}/actions/reset-password`);
export const resetSecondFactor = (id: string) => change("POST", `${base}/people/${id}/actions/reset-second-factor`);
/** @param bytes null: the quota of the settings. */
export const setQuota = (id: string, bytes: number | null) =>
  change("PUT", `${base}/people/${id}/quota`, { quota_bytes: bytes });

/** @throws ApiFailure 400 by field. */
export const invite = (email: string, roles: string[]) =>
  change<Invitation>("POST", "/api/invitations", { email, roles });
export const resendInvitation = (id: string) => change<Invitation>("POST", `/api/invitations/${id}/actions/resend`);
export const withdrawInvitation = (id: string) => change("DELETE", `/api/invitations/${id}`);

/** Tries one again, or all. */
export const retryQueue = (queue: "mail" | "dois", id?: string) =>
  change<{ retried: number }>("POST", `${base}/${queue}${id === undefined ? "" : `/${id}`}/actions/retry`);
export const discardMail = (id: string) => change("DELETE", `${base}/mail/${id}`);

export const beginBackup = () => change("POST", `${base}/backups`);
export const setSchedule = (schedule: BackupSchedule) => change("PUT", `${base}/backups/schedule`, schedule);
