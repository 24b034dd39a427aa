import type { z } from "zod";

/**
 * A mutating use case as data: what a route builds, a replica queues and the server executes (architecture, rule 4).
 * `queue`: a replica carries it out at once and sends it later. `ask`: only the server may decide; a replica that
 * cannot reach it checks the call against what it knows and queues it (hosts-and-sync 3). `server`: never queued.
 */
export interface Command<I> {
  name: string;
  version: number;
  delivery: "queue" | "ask" | "server";
  input: z.ZodType<I>;
  /** The draft that it takes away: a replica keeps beside the unsent work on it what the person sees of it. */
  endsDraft?(input: I): string;
}

/** Gives a command its type without repeating it. */
export const command = <I>(definition: Command<I>): Command<I> => definition;
