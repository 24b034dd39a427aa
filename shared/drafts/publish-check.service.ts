import type { Db } from "../database/open.ts";
import type { DraftRow, FileEntryRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { readPath } from "../documents/path-text.ts";
import { ownProvider } from "../identifiers/pids.schema.ts";
import type { Problem } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { listConflicts } from "./conflict.repository.ts";
import type { WholeDraft } from "./draft.reader.ts";
import type { ContentColumns, DraftContentService } from "./draft-content.service.ts";
import { missingFilesMessage } from "./files-options.schema.ts";
import { publicationDoi } from "./publication-doi.ts";

interface Judgement {
  columns: ContentColumns;
  problems: Problem[];
}

export interface PublishCheck {
  /**
   * The content to publish, and all problems that prevent it (records 3.4). Where the server has rules of its own, only
   * unfinished files and open conflicts do.
   */
  judge(db: Db, draft: WholeDraft, now: number): Promise<Judgement>;
}

const problem = (field: string, message: string): Problem => ({ field, messages: [message] });

function filesProblems(columns: ContentColumns, entries: readonly FileEntryRow[]): Problem[] {
  if (columns.files_enabled === 0) return [];
  if (entries.length === 0) return [problem("files.enabled", missingFilesMessage)];
  if (entries.every(({ status }) => status === "completed")) return [];
  return [problem("files", "One or more files have not completed their transfer, please wait.")];
}

export function publishCheck({ host, content }: { host: Host; content: DraftContentService }): PublishCheck {
  /** Conflicts of important fields must be resolved before publishing (hosts-and-sync 4). */
  async function disputes(db: Db, draft: DraftRow): Promise<Problem[]> {
    const open = (await listConflicts(db, draft.id)).map(({ path }) => readPath(path).join("."));
    const important = ["metadata.title", "metadata.resource_type", "access"];
    const blocking = open.filter((path) => important.some((start) => path === start || path.startsWith(`${start}.`)));
    return [...new Set(blocking)].map((path) => problem(path, "Two people gave different values: choose one first."));
  }

  function withDoi(draft: DraftRow, columns: ContentColumns): ContentColumns {
    const { doi, source } = publicationDoi(draft.id, columns, host.settings);
    return source === "on_publish" ? { ...columns, pids: JSON.stringify({ doi }) } : columns;
  }

  const publisherProblems = (columns: ContentColumns): Problem[] => {
    const isOwn = JSON.parse(columns.pids).doi?.provider === ownProvider;
    const hasPublisher = Boolean(JSON.parse(columns.metadata).publisher);
    const message = "Missing publisher field required for DOI registration.";
    return isOwn && !hasPublisher ? [problem("metadata.publisher", message)] : [];
  };

  async function judge(db: Db, { draft, document, has }: WholeDraft, now: number) {
    const situation = await content.situationOf(db, draft, now, has);
    const read = await content.read(db, await inDocuments("inputOf", document.state), situation);
    const columns = withDoi(draft, read.columns);
    const rules = [...read.problems, ...read.unknownEntries];
    const files = filesProblems(columns, situation.entries);
    const open = has.conflicts === 0 ? [] : await disputes(db, draft);
    if (!host.abilities.knowsRules) return { columns, problems: [...files, ...open] };
    return { columns, problems: [...rules, ...files, ...publisherProblems(columns), ...open] };
  }

  return { judge };
}
