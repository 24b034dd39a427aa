import { Failure } from "../../shared/kernel/failure.ts";

/** The fields of an error of the client that matter here. */
interface StoreError {
  name?: unknown;
  code?: unknown;
  $fault?: unknown;
  $metadata?: { httpStatusCode?: unknown };
}

const retryAfter = { "Retry-After": "10" };

const isFull = (code: string, status: unknown): boolean =>
  status === 507 || /^(QuotaExceeded|InsufficientStorage|XMinioStorageFull|EntityQuotaExceeded)/.test(code);

const isAboutKeys = (code: string, status: unknown): boolean =>
  status === 401 ||
  status === 403 ||
  /^(CredentialsProviderError|InvalidAccessKeyId|SignatureDoesNotMatch|XAdminUserNotFound)$/.test(code);

/** The name that the store, the client or the system gives an error; the words stay short, whatever was sent. */
function codeOf({ name, code }: StoreError): string {
  const text = [code, name].find((one) => typeof one === "string" && one !== "" && one !== "Error") ?? "unknown error";
  return String(text)
    .replace(/[^\w. -]/g, "")
    .slice(0, 60);
}

/** Whether the store answered that there is no such object or upload. Stores answer 404 for other reasons, too. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && /^(NoSuchKey|NoSuchUpload|NotFound)$/.test(error.name);

/** An answer that no S3 store gives. */
export class StrangeAnswer extends Error {
  override name = "StrangeAnswer";
}

/**
 * The refusal that a caller gets when a call to the store failed. Their bytes are kept where they were, and they may try again.
 * Anything that neither the store nor the network caused is a fault of this program, and is returned unchanged.
 */
export function asFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const known = error as StoreError;
  const isOfStore =
    known.$fault !== undefined ||
    known.$metadata !== undefined ||
    typeof known.code === "string" ||
    error instanceof StrangeAnswer ||
    /^(TimeoutError|CredentialsProviderError|AbortError)$/.test(error.name);
  if (!isOfStore) return error;
  const [code, status] = [codeOf(known), known.$metadata?.httpStatusCode];
  if (isFull(code, status)) {
    return new Failure("disk_full", "The store of the files is full. Nothing of this was kept; try again later.");
  }
  const why = isAboutKeys(code, status)
    ? `The store of the files refuses the keys of this server (${code}).`
    : code === "NoSuchBucket"
      ? "The bucket of the files does not exist."
      : `The store of the files cannot be used at present (${code}).`;
  return new Failure("unavailable", `${why} Nothing was lost; try again later.`, { headers: retryAfter });
}

/** The bytes are gone, or were never there. */
export const notInBucket = (): Failure =>
  new Failure("unavailable", "The bytes of this file are not in the store of the files.");

/** For what a sweep finds later, too. Faults of this program are thrown. */
export function ignoreStore(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}
