import { Failure } from "../kernel/failure.ts";

/**
 * A change of what is not here yet: a restored server lost it, and its author has not sent it again. The replica sends
 * the change once more when the draft changes. Applied now, it would be forgotten.
 */
export const awaitsOthers = (): Failure =>
  new Failure("conflict", "What this changes is not here.", { extra: { awaits: true } });
