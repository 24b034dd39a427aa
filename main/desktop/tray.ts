import { z } from "zod";
import type { Item } from "./menu.ts";
import type { Words } from "./words.ts";

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

/** The status as a sentence. "Up to date" only without pending and disputed changes. */
function sentenceOf(status: TrayStatus, words: Words): string {
  const waiting = status.pending + status.sending;
  const disputed = status.rejected + status.conflicts;
  const waits = waiting > 0 ? words.changesWait(waiting) : words.keepWorking;
  if (status.asks === "removal") return words.decisionWaits;
  if (status.asks === "update") return words.olderVersion;
  if (status.asks === "space") return words.diskFull(waits);
  switch (status.state) {
    case "local":
      return words.local;
    case "paused":
      return words.paused(waits);
    case "sign_in":
      return words.signIn;
    case "offline":
      return words.offline(waits);
    case "syncing":
      return waiting > 0 ? words.sending(waiting) : words.fetching;
    case "needs_you":
      return words.needYou(disputed);
    case "up_to_date":
      return words.upToDate;
  }
}

/** The tray's menu: status, pause and resume, and the window. */
export function trayModel(status: TrayStatus | undefined, words: Words): TrayModel {
  const quit: Item = { kind: "action", label: words.quit, action: { kind: "quit" } };
  if (!status) return { sentence: words.starting, items: [quit] };
  const sentence = sentenceOf(status, words);
  const isPaused = status.state === "paused";
  const syncing: Item[] = [
    { kind: "action", label: words.syncNow, action: { kind: "sync", call: "run" } },
    isPaused
      ? { kind: "action", label: words.resume, action: { kind: "sync", call: "resume" } }
      : { kind: "action", label: words.pause, action: { kind: "sync", call: "pause" } },
  ];
  return {
    sentence: `Carrel: ${sentence}`,
    items: [
      { kind: "text", label: sentence },
      // Resuming would answer a question that the window asks.
      ...(status.server === null || status.asks === "removal" ? [] : syncing),
      { kind: "separator" },
      { kind: "action", label: words.openCarrel, action: { kind: "show" } },
      { kind: "action", label: words.whatWaits, action: { kind: "show", path: "/sync" } },
      { kind: "separator" },
      quit,
    ],
  };
}
