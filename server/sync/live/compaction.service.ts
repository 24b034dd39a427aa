import type { Logger } from "pino";
import { z } from "zod";
import { smallDocumentBytes } from "../../../shared/documents/compaction.ts";
import { inDocuments } from "../../../shared/documents/document-thread.ts";
import { system } from "../../../shared/kernel/caller.ts";
import { command } from "../../../shared/kernel/command.ts";
import type { Host } from "../../../shared/kernel/host.ts";
import { startJob } from "../../../shared/kernel/job.ts";
import { oneProcessAtATime } from "../../job-lock.ts";
import { findDocument, listLargeDocuments, replaceDocument } from "./compaction.repository.ts";

const compactDocument = command({
  name: "document.compact",
  version: 1,
  senders: { console: "host" },
  input: z.object({ id: z.string() }),
});

export interface CompactionOptions {
  host: Host;
  /** Whether somebody has the document open. */
  isOpen(draftId: string): boolean;
  log: Logger;
}

export interface Compaction {
  /** Compacts idle documents whose history outweighs their content. @returns their drafts. */
  run(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Time without edits before a document is compacted, because edits made before must be repeated afterwards. */
const idleMicros = 30_000_000;

/** Compacts documents, looking only at families that changed (sync 1.4). */
export function compaction({ host, isOpen, log }: CompactionOptions): Compaction {
  const changed = new Set<string>();

  async function startAnew(id: string): Promise<boolean> {
    return host.write(system, compactDocument, { id }, async (tx) => {
      const row = await findDocument(tx, id);
      const state = row === undefined || isOpen(id) ? undefined : await inDocuments("compact", row.state);
      const common = { object: { kind: "draft", id }, title: "Compact a draft" };
      if (row === undefined || state === undefined) return { ...common, result: false, touched: [] };
      await replaceDocument(tx, { ...row, state, epoch: row.epoch + 1 });
      return { ...common, result: true, touched: [{ kind: "family" as const, id: row.parent_id }] };
    });
  }

  async function run(): Promise<string[]> {
    const done: string[] = [];
    const families = [...changed];
    changed.clear();
    for (let at = 0; at < families.length; at += 500) {
      for (const large of await listLargeDocuments(host.db, families.slice(at, at + 500), smallDocumentBytes)) {
        const isBusy = isOpen(large.id) || large.updated > host.now() - idleMicros;
        if (isBusy) changed.add(large.parent_id);
        else if (await startAnew(large.id)) done.push(large.id);
      }
    }
    return done;
  }

  const stopListening = host.onCommitted((touched) => {
    for (const { kind, id } of touched) if (kind === "family") changed.add(id);
  });
  const job = startJob({
    name: "compacting documents",
    everyMs: 30_000,
    work: oneProcessAtATime(host, "compaction", run),
    log,
  });
  return {
    run,
    stop() {
      stopListening();
      return job.stop();
    },
  };
}
