import i18next from "i18next";
import { language } from "../locales/language.ts";
import { translateRefusal } from "../locales/refusals.ts";
import { has } from "./host.ts";
import type { Problem, Tombstone } from "./record-types.ts";
import { noteRefusal, sessionHeaders } from "./session.ts";

interface RefusalBody {
  message?: string;
  errors?: Problem[];
  tombstone?: Tombstone;
  /** How many files a record may have, where more were added. */
  max_files?: number;
}

const messageOf = (message: string, { max_files: most }: RefusalBody): string =>
  most === undefined ? translateRefusal(message) : i18next.t("files.too_many", { most });

/** A refusal of the API, or no answer (`status` 0). `message` is in the user's language and may be shown. */
export class ApiFailure extends Error {
  readonly status: number;
  /** The host's message in English, for code that distinguishes refusals by their message. */
  readonly original: string;
  readonly problems: Problem[];
  /** The search field with an invalid value, and its type (`number`, `time` …). */
  readonly queryProblem: { field: string; expected: string | undefined } | undefined;
  /** The tombstone of a deleted record (410). */
  readonly tombstone: Tombstone | undefined;
  constructor(status: number, message: string, body: RefusalBody = {}, queryProblem?: string | null) {
    super(messageOf(message, body));
    this.name = "ApiFailure";
    this.original = message;
    this.status = status;
    this.problems = body.errors ?? [];
    this.tombstone = body.tombstone;
    const [field = "", expected] = queryProblem?.split(";expected=") ?? [];
    this.queryProblem = field ? { field: decodeURI(field), expected } : undefined;
  }
}

/** A failure to change an entry of a list: there was one, so somebody else was faster. */
export const orGone = (error: unknown): unknown =>
  error instanceof ApiFailure && error.status === 404 ? new ApiFailure(404, i18next.t("administration.gone")) : error;

/** The first thing that a host says of a field, in the user's language. */
export const wordsOf = (problem: Problem | undefined): string | undefined =>
  problem?.messages[0] === undefined ? undefined : translateRefusal(problem.messages[0]);

export interface Answer<T> {
  status: number;
  body: T;
  headers: Headers;
}

export interface CallOptions {
  body?: unknown;
  accept?: string;
  signal?: AbortSignal;
  /** Completes even if the window closes; body up to 64 KiB. */
  keepalive?: boolean;
  /** The revision to change; 412 if it is no longer current. */
  ifMatch?: number;
  headers?: Record<string, string>;
  /** Asks the host to merge instead of refusing, if it knows the earlier revision. */
  prefersMerge?: boolean;
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const text = await answered(response.text());
  try {
    const body = JSON.parse(text) as RefusalBody;
    const queryProblem = response.headers.get("Query-Problem");
    return new ApiFailure(response.status, body.message ?? response.statusText, body, queryProblem);
  } catch {
    return new ApiFailure(response.status, text.slice(0, 200) || response.statusText);
  }
}

/**
 * Waits for an answer, or for the rest of one.
 * @throws ApiFailure 0 if there is none, with what the browser reported as its cause; an abort as it is.
 */
async function answered<T>(waiting: Promise<T>): Promise<T> {
  try {
    return await waiting;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    const failure = new ApiFailure(0, i18next.t(has("public_pages") ? "failure.server_away" : "failure.host_away"));
    failure.cause = error;
    throw failure;
  }
}

async function send(
  method: string,
  path: string,
  { body, accept = "application/json", signal, keepalive = false, ifMatch, prefersMerge, headers: more }: CallOptions,
) {
  const common = { Accept: accept, "Accept-Language": language() };
  const headers: Record<string, string> = { ...common, ...sessionHeaders(method), ...more };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (ifMatch !== undefined) headers["If-Match"] = `"${ifMatch}"`;
  if (prefersMerge) headers.Prefer = "handling=merge";
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  // An ETag covers the revision, not the sync state, so the browser must not cache.
  const options: RequestInit = {
    method,
    headers,
    keepalive,
    cache: "no-store",
    ...sent,
    ...(signal ? { signal } : {}),
  };
  const response = await answered(fetch(path, options));
  if (response.ok) return response;
  noteRefusal(response.status);
  throw await failureOf(response);
}

/** Calls the local API. @returns status, body and headers. @throws ApiFailure for anything but 2xx. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const response = await send(method, path, options);
  const text = await answered(response.text());
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as T };
}

/** The body of a GET. */
export const get = async <T>(path: string, options: CallOptions = {}): Promise<T> =>
  (await call<T>("GET", path, options)).body;

/** Searches on the server if it can be reached, otherwise on this computer. */
export async function searchWide<T>(path: string): Promise<{ body: T; isLocal: boolean }> {
  try {
    return { body: await get<T>(`${path}&scope=server`), isLocal: false };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 503) return { body: await get<T>(path), isLocal: true };
    throw error;
  }
}

export const getText = async (path: string, accept: string, signal?: AbortSignal): Promise<string> =>
  answered((await send("GET", path, { accept, ...(signal ? { signal } : {}) })).text());

export const getBlob = async (path: string): Promise<Blob> =>
  answered((await send("GET", path, { accept: "*/*" })).blob());

/**
 * Checks whether bytes are available, without fetching them.
 * @throws ApiFailure with the reason: 503 if they are only on the server and it cannot be reached.
 */
export async function reachBytes(path: string): Promise<void> {
  try {
    await send("HEAD", path, { accept: "*/*" });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status === 0) throw error;
    // An answer to HEAD has no message, so ask again with GET.
    await (await send("GET", path, { accept: "*/*" })).body?.cancel();
  }
}

/** Encodes a file name or archive path for a URL, keeping slashes. */
export const encodePath = (path: string) => path.split("/").map(encodeURIComponent).join("/");
