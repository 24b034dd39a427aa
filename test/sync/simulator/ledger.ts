import type { Db } from "../../../shared/database/open.ts";

/** A replica as far as its rows are looked at. */
export interface Holder {
  readonly name: string;
  readonly userId: string;
  readonly db: Db;
}

/** Something a person was told is done: it must be found at the end. */
interface Intent {
  family: string;
  draft: string;
  /** Text that only this action brought into the world. */
  marker: string;
  place: string;
}

/** A file, comment, grant or link that a person was told is there. */
interface Made {
  id: string;
  family: string;
  place: string;
}

const markers = /Marker\d+x/g;

export const markersIn = (text: string): string[] => text.match(markers) ?? [];

/** What the people were told, kept outside of everything under test. */
export class Ledger {
  readonly intents: Intent[] = [];
  /** By marker: what a comment said; a later word of its author stands instead. */
  readonly comments: { request: string; id: string; marker: string; place: string }[] = [];
  readonly files: (Made & { draft: string; sha256: string })[] = [];
  readonly grants: Made[] = [];
  readonly links: Made[] = [];
  /** Files of comments: `id` is the file's, `marker` what the comment said with it. */
  readonly attachments: { id: string; comment: string; request: string; marker: string; place: string }[] = [];
  /** Requests that have expired when they were due. */
  readonly expired = new Set<string>();
  /** Places at which a draft was edited, or may have been: not every answer arrived. */
  readonly editedAt = new Map<string, Set<string>>();
  /** Drafts that somebody wished gone. */
  readonly discarded = new Set<string>();
  /** Markers and ids that a person gave up knowingly. */
  readonly dropped = new Set<string>();
  /** Operations by the replica that recorded them. */
  readonly operations: { replica: Holder; id: string }[] = [];
  /** Edits of drafts, in the order in which they were made. */
  readonly edits: { place: string; id: string; draft: string; payload: string }[] = [];
  /** By operation the id that its last attempt has, where it is not the operation's own. */
  readonly attempts = new Map<string, string>();
  /** Contents of published versions by id and revision, and their files by id. */
  readonly published = new Map<string, string>();
  /** Invariants found broken on the way. */
  readonly broken: string[] = [];
  #markers = 0;

  newMarker(): string {
    return `Marker${++this.#markers}x`;
  }

  /** What the author of an edit changed in its draft afterwards, at the same place: payloads of later edits. */
  editsAfter(id: string): string[] {
    const at = this.edits.findIndex((edit) => edit.id === id);
    const { place, draft } = this.edits[at] ?? {};
    const later = this.edits.slice(at + 1).filter((edit) => edit.place === place && edit.draft === draft);
    return later.map(({ payload }) => payload);
  }

  willEdit(draft: string, place: string): void {
    this.editedAt.set(draft, (this.editedAt.get(draft) ?? new Set()).add(place));
  }

  /** What was edited at a place whose folder was put back comes to it as somebody else's: it may stand against its work. */
  beginsAnotherLife(place: string): void {
    for (const places of this.editedAt.values()) if (places.has(place)) places.add(`${place} before it was put back`);
  }

  /** What a place lost with its disk: told to a person there, and known nowhere else. */
  forget(place: string, isElsewhere: (text: string) => boolean): void {
    for (const { marker, place: at } of [...this.intents, ...this.comments]) {
      if (at === place && !isElsewhere(marker)) this.dropped.add(marker);
    }
    for (const made of [...this.grants, ...this.links]) {
      if (made.place === place && !isElsewhere(made.id)) this.dropped.add(made.id);
    }
    // The server may have heard of the name of a file, and not of its bytes.
    for (const { id, sha256, place: at } of this.files) {
      if (at === place && !isElsewhere(sha256)) this.dropped.add(id);
    }
  }
}
