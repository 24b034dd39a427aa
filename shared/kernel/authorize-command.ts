import { type Call, isDelayed } from "./call.ts";
import { type Caller, isManager, isSuperuser } from "./caller.ts";
import type { Channel, Command, Sender } from "./command.ts";
import { forbidden } from "./failure.ts";

const isSender: Record<Sender, (caller: Caller) => boolean> = {
  anybody: ({ via }) => via !== "system",
  person: ({ via, userId }) => via !== "system" && userId !== null,
  manager: (caller) => caller.via !== "system" && (isManager(caller) || isSuperuser(caller)),
  administrator: (caller) => caller.via !== "system" && isSuperuser(caller),
  host: ({ via }) => via === "system",
};

function channelOf(call: Call): Channel {
  if (isDelayed(call)) return "push";
  return call.via === "system" ? "console" : "route";
}

/**
 * Checks that the caller may send the command through the channel by which it arrives. Both hosts call this first. Only the
 * process itself makes a caller `via: "system"`; credentials never do.
 * @returns for a repeated call, the result of the earlier execution.
 * @throws Failure 403
 */
export function authorizeCommand(call: Call, command: Command<unknown>): { result: unknown } | undefined {
  const senders: Partial<Record<Channel, Sender>> = command.senders;
  const sender = senders[channelOf(call)];
  if (sender === undefined || !isSender[sender](call)) throw forbidden();
  const { origin } = call;
  if (origin?.kind !== "idempotent" || origin.next >= origin.results.length) return undefined;
  return { result: origin.results[origin.next++] };
}

/** Stores the result of a command of an idempotent call, to return it when the call is repeated. */
export function noteResult({ origin }: Call, result: unknown): void {
  if (origin?.kind !== "idempotent") return;
  origin.results.push(result);
  origin.next = origin.results.length;
}
