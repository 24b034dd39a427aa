/** Something that is not as it should be, in words. */
export interface Finding {
  what: string;
  /** Litter of a killed process: it harms nobody, and the check passes with it. */
  isHarmless?: boolean;
  /** Said instead of `what` when it has been put right. */
  repaired?: string;
}
