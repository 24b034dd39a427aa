/** A problem, described for the operator. */
export interface Finding {
  what: string;
  /** Left by a killed process and harmless; the check passes anyway. */
  isHarmless?: boolean;
  /** Why the data could not be checked at all. */
  isUnchecked?: boolean;
  /** Shown instead of `what` after a repair. */
  repaired?: string;
}
