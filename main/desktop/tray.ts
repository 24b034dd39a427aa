import { z } from "zod";
import type { Item } from "./menu.ts";

/** The fields of `GET /api/sync/status` that the tray uses (hosts-and-sync 8). */
export const trayStatus = z.object({
  state: z.enum(["local", "paused", "sign_in", "offline", "syncing", "needs_you", "up_to_date"]),
  server: z.string().nullable(),
  pending: z.number(),
  sending: z.number(),
  rejected: z.number(),
  conflicts: z.number(),
  asks: z.enum(["removal", "update", "space"]).optional(),
});
export type TrayStatus = z.infer<typeof trayStatus>;

export interface TrayModel {
  /** Status sentence, also the tooltip. */
  sentence: string;
  items: Item[];
}

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The status as a sentence. "Up to date" only without pending and disputed changes. */
function sentenceOf(status: TrayStatus): string {
  const waiting = status.pending + status.sending;
  const disputed = status.rejected + status.conflicts;
  const waits = waiting > 0 ? `${countOf(waiting, "change", "changes")} waiting.` : "You can keep working.";
  if (status.asks === "removal") return "Synchronisation waits for your decision";
  if (status.asks === "update") return "This version doesn’t work with the server";
  if (status.asks === "space") return `The disk of this computer is full. ${waits}`;
  switch (status.state) {
    case "local":
      return "On this computer only";
    case "paused":
      return `Paused. ${waits}`;
    case "sign_in":
      return "The server asks you to sign in again";
    case "offline":
      return `Offline. ${waits}`;
    case "syncing":
      return waiting > 0 ? `Sending ${countOf(waiting, "change", "changes")}` : "Fetching what is new";
    case "needs_you":
      return `${countOf(disputed, "change needs", "changes need")} you`;
    case "up_to_date":
      return "Up to date";
  }
}

const starting: TrayModel = {
  sentence: "Carrel is starting",
  items: [{ kind: "action", label: "Quit Carrel", action: { kind: "quit" } }],
};

/** The tray's menu: status, pause and resume, and the window. */
export function trayModel(status: TrayStatus | undefined): TrayModel {
  if (!status) return starting;
  const sentence = sentenceOf(status);
  const isPaused = status.state === "paused";
  const syncing: Item[] = [
    { kind: "action", label: "Synchronise now", action: { kind: "sync", call: "run" } },
    isPaused
      ? { kind: "action", label: "Resume synchronising", action: { kind: "sync", call: "resume" } }
      : { kind: "action", label: "Pause synchronising", action: { kind: "sync", call: "pause" } },
  ];
  return {
    sentence: `Carrel: ${sentence}`,
    items: [
      { kind: "text", label: sentence },
      // Resuming would answer a question that the window asks.
      ...(status.server === null || status.asks === "removal" ? [] : syncing),
      { kind: "separator" },
      { kind: "action", label: "Open Carrel", action: { kind: "show" } },
      { kind: "action", label: "What waits and why", action: { kind: "show", path: "/sync" } },
      { kind: "separator" },
      { kind: "action", label: "Quit Carrel", action: { kind: "quit" } },
    ],
  };
}
