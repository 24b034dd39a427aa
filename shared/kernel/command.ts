import type { z } from "zod";

/**
 * Who may send a command, whatever the object. The service checks rights on the object afterwards, in the contract's
 * order (404 before 403). `anybody`: also guests, such as those with an access link. `manager`: who may manage groups.
 * `administrator`: superusers only. `host`: only the program itself.
 */
export type Sender = "anybody" | "person" | "manager" | "administrator" | "host";

/**
 * How a command arrives. `route`: a call of `/api`, or a socket of a live document. `push`: an operation that a replica
 * sends, and its replay there. `console`: the operator's command line and the server's own jobs, never the network.
 */
export type Channel = "route" | "push" | "console";

interface CommandParts<I> {
  name: string;
  version: number;
  /** Must limit every size: nothing else checks the shape of a pushed payload. */
  input: z.ZodType<I>;
}

/**
 * A command that replicas can push. `queue`: a replica executes it at once and sends it later. `ask`: only the server may
 * decide. A replica that is offline checks the call against its own data and queues it (hosts-and-sync 3).
 */
export interface PushedCommand<I> extends CommandParts<I> {
  delivery: "queue" | "ask";
  senders: { route: "anybody" | "person"; push: "person" };
  /** Id of the draft that the command removes. A replica then stores a snapshot for the unsent work on it. */
  endsDraft?(input: I): string;
}

/** A command that cannot be pushed, so it is never queued: a replica forwards the call to the server. */
export interface ServerCommand<I> extends CommandParts<I> {
  senders: { route: Exclude<Sender, "host">; console?: "host" } | { console: "host" };
}

/**
 * A write use case as data: a route builds it, a replica queues it, the server executes it (architecture, rule 4). It
 * names the channels it may come through and who may send it there. A channel that is not named is closed.
 */
export type Command<I> = PushedCommand<I> | ServerCommand<I>;

export const isPushed = <I>(command: Command<I>): command is PushedCommand<I> => "push" in command.senders;

const byName = new Map<string, Command<unknown>>();

/** Defines a command. Each name is defined once. */
export function command<const C extends Command<unknown>>(definition: C): C {
  if (byName.has(definition.name)) throw new Error(`the command ${definition.name} is defined twice`);
  byName.set(definition.name, definition);
  return definition;
}

/** All commands of the loaded modules, by name. */
export const definedCommands: ReadonlyMap<string, Command<unknown>> = byName;
