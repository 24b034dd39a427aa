import type { Tx } from "../database/open.ts";
import type { Failure } from "../kernel/failure.ts";

/** Counts one upload against its owner's quota. */
export interface UploadMeter {
  /** The body up to the end of the quota, where it breaks off. */
  count(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** The 507 failure if the quota ended the body. */
  readonly refusal: Failure | undefined;
  /** Called in the transaction that stores the complete upload, whose row counts from then on. */
  onStored?(tx: Tx): Promise<unknown>;
  /** Ends the upload. Bytes that were not kept no longer count. */
  close(isKept: boolean): Promise<void>;
}

/**
 * Runs `take` on the body, counted by the meter if there is one.
 * @param isKept whether bytes stay when the body breaks off.
 * @throws Failure 507 at the end of the quota.
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
    await meter?.close(isStored);
  }
}
