import { ApiFailure } from "./request.ts";

/** A failure that ends by itself: no answer, or a host that cannot answer now. */
const isPassing = (error: Error): boolean =>
  error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 500);

/**
 * Why a query cannot be shown; null if it can. What was read before stays on the screen while it cannot be read again, as on
 * a bad line. A refusal, such as of a right that was withdrawn, takes its place.
 */
export const blockingError = ({ data, error }: { data: unknown; error: Error | null }): Error | null =>
  error && data !== undefined && isPassing(error) ? null : error;
