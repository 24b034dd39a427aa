import type { z } from "zod";

/**
 * The least a caller must be, whatever the object. The service judges rights on the object afterwards, in the contract's
 * order (404 before 403). `anybody`: also without an account, such as who shows an access link. `host`: no person.
 */
export type Sender = "anybody" | "person" | "manager" | "host";

/**
 * How a command arrives. `route`: a call of `/api`, or a socket of a live document. `push`: an operation that a replica
 * sends, and its replay there. `console`: the operator's command line and the server's own jobs, which no wire reaches.
 */
export type Door = "route" | "push" | "console";

interface CommandParts<I> {
  name: string;
  version: number;
  /** Bounds everything by itself: a pushed payload meets no other check of its shape. */
  input: z.ZodType<I>;
}

/**
 * Reaches the server by push. `queue`: a replica carries it out at once and sends it later. `ask`: only the server may
 * decide; a replica that cannot reach it checks the call against what it knows and queues it (hosts-and-sync 3).
 */
export interface PushedCommand<I> extends CommandParts<I> {
  delivery: "queue" | "ask";
  doors: { route: "anybody" | "person"; push: "person" };
  /** The draft that it takes away: a replica keeps beside the unsent work on it what the person sees of it. */
  endsDraft?(input: I): string;
}

/** Has no push door, so it is never queued: a replica passes the call to the server. */
export interface ServerCommand<I> extends CommandParts<I> {
  doors: { route: "anybody" | "person" | "manager" } | { console: "host" };
}

/**
 * A mutating use case as data: what a route builds, a replica queues and the server executes (architecture, rule 4). It
 * says which doors it may come through and who may send it there; a door that is not named is closed.
 */
export type Command<I> = PushedCommand<I> | ServerCommand<I>;

export const isPushed = <I>(command: Command<I>): command is PushedCommand<I> => "push" in command.doors;

const byName = new Map<string, Command<unknown>>();

/** Defines a command. Each name is defined once. */
export function command<const C extends Command<unknown>>(definition: C): C {
  if (byName.has(definition.name)) throw new Error(`the command ${definition.name} is defined twice`);
  byName.set(definition.name, definition);
  return definition;
}

/** Every command of the modules that are loaded, by name. */
export const definedCommands: ReadonlyMap<string, Command<unknown>> = byName;
