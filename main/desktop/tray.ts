import { z } from "zod";
import type { Item } from "./menu.ts";

/** What the tray needs of `GET /api/sync/status` (hosts-and-sync 8). */
export const trayStatus = z.object({
  state: z.enum(["local", "paused", "sign_in", "offline", "syncing", "needs_you", "up_to_date"]),
  server: z.string().nullable(),
  pending: z.number(),
  sending: z.number(),
  rejected: z.number(),
  conflicts: z.number(),
  asks: z.enum(["removal", "update"]).optional(),
});
export type TrayStatus = z.infer<typeof trayStatus>;

export interface TrayModel {
  /** One sentence, also the text that the pointer finds. */
  sentence: string;
  items: Item[];
}

const things = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** How things stand. It says that all is well only when nothing waits and nothing is disputed. */
function sentenceOf(status: TrayStatus): string {
  const waiting = status.pending + status.sending;
  const disputed = status.rejected + status.conflicts;
  const waits = waiting > 0 ? `${things(waiting, "change waits", "changes wait")}.` : "You can keep working.";
  if (status.asks === "removal") return "Needs an answer before anything goes on";
  if (status.asks === "update") return "This app and the server do not fit together";
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
      return waiting > 0 ? `Sending ${things(waiting, "change", "changes")}` : "Fetching what is new";
    case "needs_you":
      return `${things(disputed, "change needs", "changes need")} you`;
    case "up_to_date":
      return "Up to date";
  }
}

const starting: TrayModel = {
  sentence: "Carrel is starting",
  items: [{ kind: "action", label: "Quit Carrel", action: { kind: "quit" } }],
};

/** The tray's menu: how things stand, pausing in one click, and the way back to the window. */
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
      // To resume would be the answer to a question that is asked in the window.
      ...(status.server === null || status.asks === "removal" ? [] : syncing),
      { kind: "line" },
      { kind: "action", label: "Open Carrel", action: { kind: "show" } },
      { kind: "action", label: "What waits and why", action: { kind: "show", path: "/sync" } },
      { kind: "line" },
      { kind: "action", label: "Quit Carrel", action: { kind: "quit" } },
    ],
  };
}
