import type { Failure } from "../kernel/failure.ts";

/** Counts one upload against its owner's quota. */
export interface UploadMeter {
  /** The body, as long as there is room; it breaks off where the quota ends. */
  count(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Why the body broke off: 507 in words. */
  readonly refusal: Failure | undefined;
  /** Ends the upload. What was not kept counts no more. */
  close(isKept: boolean): void;
}

/**
 * Takes a body under a meter, if there is one.
 * @param isKept whether what has arrived stays when the body breaks off.
 * @throws Failure 507 where the quota ends.
 */
export async function withMeter<T>(
  meter: UploadMeter | undefined,
  isKept: boolean,
  body: AsyncIterable<Uint8Array>,
  work: (body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  let isStored = isKept;
  try {
    const outcome = await work(meter ? meter.count(body) : body);
    isStored = true;
    return outcome;
  } catch (error) {
    throw meter?.refusal ?? error;
  } finally {
    meter?.close(isStored);
  }
}
