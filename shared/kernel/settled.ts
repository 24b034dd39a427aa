import { Failure } from "./failure.ts";

/**
 * The refusal of pushed work whose effect is there already: another computer of the user did the same. Its replica ends
 * the work, since there is nothing to decide.
 */
export const settled = ({ kind, message }: Failure): Failure =>
  new Failure(kind, message, { extra: { settled: true } });
