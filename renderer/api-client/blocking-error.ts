import { ApiFailure } from "./request.ts";

/** A failure that ends by itself: no answer, or a host that cannot answer now. */
const isPassing = (error: Error): boolean =>
  error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 500);

/**
 * The error to show in place of a query's data, or null. Data read before stays on the screen during a temporary
 * failure, such as a lost connection. A refusal, such as of a withdrawn right, takes its place.
 */
export const blockingError = ({ data, error }: { data: unknown; error: Error | null }): Error | null =>
  error && data !== undefined && isPassing(error) ? null : error;
