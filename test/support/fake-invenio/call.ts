/** JSON of the interface; handlers look into it as far as they need. */
export type Json = Record<string, unknown>;

/** One call, as it arrived. Header names are lower case. */
export interface Call {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: Record<string, string | undefined>;
  readonly body: Buffer;
  /** True if the connection broke before the whole body was there. */
  readonly isCut?: boolean;
  readonly address?: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** True if the caller never hears it: the connection breaks instead. */
  isLost?: boolean;
}

/** One entry of `errors`, as their validation writes it. */
export interface FieldError {
  field: string;
  messages: string[];
}

/** A refusal as their error handlers write it. */
export class Refusal extends Error {
  readonly status: number;
  readonly rest: Json;

  constructor(status: number, message: string, rest: Json = {}) {
    super(message);
    this.status = status;
    this.rest = rest;
  }
}

export const notFound = (): Refusal => new Refusal(404, "Not found.");
export const noSuchPid = (): Refusal => new Refusal(404, "The persistent identifier does not exist.");
export const denied = (): Refusal => new Refusal(403, "Permission denied.");
export const serverError = (): Refusal =>
  new Refusal(
    500,
    "The server encountered an internal error and was unable to complete your request. Either the server is overloaded or there is an error in the application.",
  );
export const invalid = (errors: FieldError[]): Refusal => new Refusal(400, "A validation error occurred.", { errors });

export const jsonAnswer = (body: unknown, status = 200, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.from(JSON.stringify(body)),
});

export const emptyAnswer = (status = 204): Answer => ({ status, headers: {}, body: Buffer.alloc(0) });

/** @throws Refusal 400 where the body is no JSON object or list. */
export function jsonOf(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new Refusal(400, "Unable to decode JSON data in request body.");
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
