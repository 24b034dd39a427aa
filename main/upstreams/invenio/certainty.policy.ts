import { isUntrusted } from "../../sync/certificate.policy.ts";

/** What an answer says about the effect of a call. */
export type Certainty = "done" | "refused" | "unknown";

/** An answer, as far as the effect of the call shows in it. */
export interface Answered {
  status: number;
  isJson: boolean;
  /** The body has the form of a refusal: `{status, message}`. */
  isRefusal: boolean;
}

/** Network errors after which nothing can have arrived. */
const beforeSending = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

/** Whether a network error came before the call was sent. */
export const isNeverSent = (code: string): boolean => beforeSending.test(code) || isUntrusted(code);

/**
 * The effect of a call that writes. A 5xx, a time-out or a page of HTML says nothing: the server tells its index and its
 * queue after the commit, so a call may have taken effect and still end in an error.
 */
export function certaintyOf({ status, isJson, isRefusal }: Answered): Certainty {
  if (status === 204) return "done";
  if (status >= 200 && status < 300) return isJson ? "done" : "unknown";
  if (status === 408) return "unknown";
  // Whoever answers 413 has refused the call for its size, also a proxy.
  if (status === 429 || status === 413) return "refused";
  if (status >= 400 && status < 500 && isRefusal) return "refused";
  return "unknown";
}
