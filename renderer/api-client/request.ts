import type { Problem, Tombstone } from "./record-types.ts";
import { sessionHeaders } from "./session.ts";

interface RefusalBody {
  message?: string;
  errors?: Problem[];
  tombstone?: Tombstone;
}

/** A refusal of the API, or no answer at all (`status` 0). `message` is fit to be shown. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly problems: Problem[];
  /** The field of a search whose value cannot be meant, and the kind of value it takes (`number`, `time` …). */
  readonly queryProblem: { field: string; expected: string | undefined } | undefined;
  /** What is left of a record that was deleted (410). */
  readonly tombstone: Tombstone | undefined;
  constructor(status: number, message: string, body: RefusalBody = {}, queryProblem?: string | null) {
    super(message);
    this.name = "ApiFailure";
    this.status = status;
    this.problems = body.errors ?? [];
    this.tombstone = body.tombstone;
    const [field = "", expected] = queryProblem?.split(";expected=") ?? [];
    this.queryProblem = field ? { field: decodeURI(field), expected } : undefined;
  }
}

export interface Answer<T> {
  status: number;
  body: T;
  headers: Headers;
}

export interface CallOptions {
  body?: unknown;
  accept?: string;
  signal?: AbortSignal;
  /** The call goes out though the window is being closed; its body has 64 KiB at most. */
  keepalive?: boolean;
  /** The revision that is changed; 412 when it is no longer the present one. */
  ifMatch?: number;
  headers?: Record<string, string>;
  /** Then rather merged than refused, where the host knows the earlier revision. */
  prefersMerge?: boolean;
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as RefusalBody;
    const queryProblem = response.headers.get("Query-Problem");
    return new ApiFailure(response.status, body.message ?? response.statusText, body, queryProblem);
  } catch {
    return new ApiFailure(response.status, text.slice(0, 200) || response.statusText);
  }
}

async function send(
  method: string,
  path: string,
  { body, accept = "application/json", signal, keepalive = false, ifMatch, prefersMerge, headers: more }: CallOptions,
) {
  const headers: Record<string, string> = { Accept: accept, ...sessionHeaders(method), ...more };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (ifMatch !== undefined) headers["If-Match"] = `"${ifMatch}"`;
  if (prefersMerge) headers.Prefer = "handling=merge";
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  try {
    // An ETag names the revision of an object, not the state of its sending: what the browser kept would be out of date.
    const response = await fetch(path, {
      method,
      headers,
      keepalive,
      cache: "no-store",
      ...sent,
      ...(signal ? { signal } : {}),
    });
    if (!response.ok) throw await failureOf(response);
    return response;
  } catch (error) {
    if (error instanceof ApiFailure || (error instanceof DOMException && error.name === "AbortError")) throw error;
    throw new ApiFailure(0, "Carrel does not answer. It may have been closed; your work up to the last save is kept.");
  }
}

/** Calls the local API and gives status, body and headers; throws ApiFailure on anything but 2xx. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const response = await send(method, path, options);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as T };
}

/** The body of a GET. */
export const get = async <T>(path: string, options: CallOptions = {}): Promise<T> =>
  (await call<T>("GET", path, options)).body;

/** A search answered by the server when it can be reached, else by what is known on this computer. */
export async function searchWide<T>(path: string): Promise<{ body: T; isLocal: boolean }> {
  try {
    return { body: await get<T>(`${path}&scope=server`), isLocal: false };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 503) return { body: await get<T>(path), isLocal: true };
    throw error;
  }
}

/** The body of a GET as text, for citations and previews. */
export const getText = async (path: string, accept: string, signal?: AbortSignal): Promise<string> =>
  (await send("GET", path, { accept, ...(signal ? { signal } : {}) })).text();

/** The bytes of a GET. */
export const getBlob = async (path: string): Promise<Blob> => (await send("GET", path, { accept: "*/*" })).blob();

/**
 * Tells whether the bytes behind an address can be had now, without fetching them.
 * @throws ApiFailure why not: 503 when they are on the server only, which cannot be reached.
 */
export async function reachBytes(path: string): Promise<void> {
  try {
    await send("HEAD", path, { accept: "*/*" });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status === 0) throw error;
    // A refusal of HEAD has no words; GET is refused in words.
    await (await send("GET", path, { accept: "*/*" })).body?.cancel();
  }
}

/** Encodes a file name or an archive path for an address; slashes stay. */
export const encodePath = (path: string) => path.split("/").map(encodeURIComponent).join("/");
