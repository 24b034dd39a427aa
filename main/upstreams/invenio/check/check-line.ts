import { version } from "../../../../shared/version.ts";
import { describeNetworkError } from "../../../sync/transport.ts";
import { acceptOf } from "../accept.policy.ts";

/** An answer as it came. */
export interface Seen {
  status: number;
  headers: Headers;
  /** The JSON of the body; undefined for anything else. */
  body: Record<string, unknown> | undefined;
  bytes: Buffer;
}

export interface Sent {
  json?: unknown;
  bytes?: string;
  headers?: Record<string, string>;
  /** Another token than the user's. */
  token?: string;
}

export type Call = (method: string, path: string, sent?: Sent) => Promise<Seen>;

function bodyIn(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(bytes.toString());
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const maxMs = 60_000;

/** Calls one server as they are written, so that also what it refuses can be sent. @throws Error without an answer */
export function checkLine(server: string, token: string): Call {
  return async (method, path, { json, bytes, headers = {}, token: other } = {}) => {
    const type = json === undefined ? "application/octet-stream" : "application/json";
    const body = json === undefined ? bytes : JSON.stringify(json);
    try {
      const answer = await fetch(server + path, {
        method,
        // The token goes to this server only.
        redirect: "manual",
        headers: {
          authorization: `Bearer ${other ?? token}`,
          accept: acceptOf(path),
          "user-agent": `Carrel/${version}`,
          ...(body === undefined ? {} : { "content-type": type }),
          ...headers,
        },
        signal: AbortSignal.timeout(maxMs),
        ...(body === undefined ? {} : { body }),
      });
      const content = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: answer.headers, body: bodyIn(content), bytes: content };
    } catch (error) {
      throw new Error(describeNetworkError(error));
    }
  };
}
