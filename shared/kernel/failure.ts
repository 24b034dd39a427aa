/** A refused field: its dotted path (`metadata.creators.1.person_or_org.name`) and the reasons. */
export interface Problem {
  field: string;
  messages: string[];
}

/** The HTTP status of each kind of refusal (records 1.1, hosts-and-sync 6 and 7). */
export const statusOfKind = {
  invalid: 400,
  /** A search outside the limits of searching. */
  search_limit: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  too_slow: 408,
  conflict: 409,
  gone: 410,
  stale: 412,
  too_large: 413,
  unsupported_type: 415,
  range: 416,
  misdirected: 421,
  unprocessable: 422,
  upgrade_required: 426,
  too_many: 429,
  unavailable: 503,
  disk_full: 507,
  /** The user's storage quota. */
  quota_used_up: 507,
} as const;

export type FailureKind = keyof typeof statusOfKind;

const validationMessage = "A validation error occurred.";
const permissionMessage = "Permission denied.";
const unknownPidMessage = "The persistent identifier does not exist.";

/** Details of a refusal besides its message. */
export interface FailureDetails {
  /** Field errors, the `errors` of the body. */
  problems?: Problem[];
  /** Response headers, such as `WWW-Authenticate` or `Retry-After`. */
  headers?: Record<string, string>;
  /** Further body keys, such as `tombstone` or `error_description`. */
  extra?: Record<string, unknown>;
}

/**
 * An expected refusal. Every mistake of a caller becomes one of these; the error handler sends it as
 * `{status, message, errors?}` (records 1.1). Any other exception is a bug and is answered 500.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly problems: Problem[];
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message);
    this.name = "Failure";
    this.kind = kind;
    this.problems = details.problems ?? [];
    this.headers = details.headers ?? {};
    this.extra = details.extra ?? {};
  }

  get status(): number {
    return statusOfKind[this.kind];
  }

  /** One line for people: the message, and each refused field with its reasons. */
  describe(): string {
    return [this.message, ...this.problems.map(({ field, messages }) => `${field}: ${messages.join(" ")}`)].join(" ");
  }

  /** The body of the answer. */
  toBody(): Record<string, unknown> {
    const errors = this.problems.length > 0 ? { errors: this.problems } : {};
    return { status: this.status, message: this.message, ...errors, ...this.extra };
  }
}

/** 400 with field errors (records 1.1). */
export const invalid = (problems: Problem[]): Failure => new Failure("invalid", validationMessage, { problems });

/** 400 with one field error. */
export const invalidField = (field: string, ...messages: string[]): Failure => invalid([{ field, messages }]);

/** 403 `Permission denied.` */
export const forbidden = (): Failure => new Failure("forbidden", permissionMessage);

/** 404 `Not found.` */
export const notFound = (message = "Not found."): Failure => new Failure("not_found", message);

/** 404 for an id that was never issued (records 1.1). */
export const unknownPid = (): Failure => new Failure("not_found", unknownPidMessage);

/** 410 for a deleted record (records 4.7). */
export const recordDeleted = (tombstone?: unknown): Failure =>
  new Failure("gone", "Record deleted", tombstone === undefined ? {} : { extra: { tombstone } });
