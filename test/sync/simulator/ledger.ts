import type { Db } from "../../../shared/database/open.ts";

/** The part of a replica that invariants read. */
export interface Holder {
  readonly name: string;
  readonly userId: string;
  readonly db: Db;
}

/** An acknowledged change: it must be found at the end. */
interface Intent {
  family: string;
  draft: string;
  /** Text that only this change contains. */
  marker: string;
  place: string;
}

/** A file, comment, grant or link whose creation was acknowledged. */
interface Made {
  id: string;
  family: string;
  place: string;
}

const markers = /Marker\d+x/g;

export const markersIn = (text: string): string[] => text.match(markers) ?? [];

/** The changes that were acknowledged to users, stored outside of everything under test. */
export class Ledger {
  readonly intents: Intent[] = [];
  /** Texts of comments by marker; a later edit replaces the entry. */
  readonly comments: { request: string; id: string; marker: string; place: string }[] = [];
  /** Markers of edits that were not acknowledged: the server may have crashed before it stored them. */
  readonly unacknowledged = new Set<string>();
  readonly files: (Made & { draft: string; sha256: string })[] = [];
  readonly grants: (Made & { gives: string })[] = [];
  readonly links: Made[] = [];
  /** Files of comments: `id` is the file's, `marker` is in the comment's text. */
  readonly attachments: { id: string; comment: string; request: string; marker: string; place: string }[] = [];
  /** Requests that expired when they were due. */
  readonly expired = new Set<string>();
  /** Places at which a draft was edited, or may have been, since an answer can be lost. */
  readonly editedAt = new Map<string, Set<string>>();
  /** Drafts that a user discarded. */
  readonly discarded = new Set<string>();
  /** Markers and ids that a user removed on purpose. */
  readonly dropped = new Set<string>();
  /** Operations by the replica that recorded them. */
  readonly operations: { replica: Holder; id: string; kind: string; object_id: string }[] = [];
  /** Edits of drafts, in order. */
  readonly edits: { place: string; id: string; draft: string; payload: string }[] = [];
  /** The id of an operation's last attempt, if it differs from the operation's own id. */
  readonly attempts = new Map<string, string>();
  /** Contents of published versions by id and revision, and their files by id. */
  readonly published = new Map<string, string>();
  /** Violations found during the run. */
  readonly broken: string[] = [];
  #markers = 0;

  newMarker(): string {
    return `Marker${++this.#markers}x`;
  }

  /** Whether the same was given by another computer, too: the server keeps one grant of it. */
  isGivenTwice(id: string, isThere: (id: string) => boolean): boolean {
    const mine = this.grants.find((grant) => grant.id === id);
    const others = this.grants.filter((grant) => grant.id !== id && grant.family === mine?.family);
    return others.some((grant) => grant.gives === mine?.gives && (isThere(grant.id) || this.dropped.has(grant.id)));
  }

  /** Payloads of the later edits of the same draft at the same place. */
  editsAfter(id: string): string[] {
    const at = this.edits.findIndex((edit) => edit.id === id);
    const { place, draft } = this.edits[at] ?? {};
    const later = this.edits.slice(at + 1).filter((edit) => edit.place === place && edit.draft === draft);
    return later.map(({ payload }) => payload);
  }

  willEdit(draft: string, place: string): void {
    this.editedAt.set(draft, (this.editedAt.get(draft) ?? new Set()).add(place));
  }

  /** After a place's folder was restored, its own earlier edits reach it like another user's and may conflict. */
  markRestored(place: string): void {
    for (const places of this.editedAt.values()) if (places.has(place)) places.add(`${place} before its restore`);
  }

  /** Removes what a place lost with its disk: changes acknowledged there and known nowhere else. */
  forget(place: string, isElsewhere: (text: string) => boolean): void {
    for (const { marker, place: at } of [...this.intents, ...this.comments]) {
      if (at === place && !isElsewhere(marker)) this.dropped.add(marker);
    }
    for (const made of [...this.grants, ...this.links]) {
      if (made.place === place && !isElsewhere(made.id)) this.dropped.add(made.id);
    }
    // The server may know the name of a file, but not have its bytes.
    for (const { id, sha256, place: at } of this.files) {
      if (at === place && !isElsewhere(sha256)) this.dropped.add(id);
    }
  }
}
