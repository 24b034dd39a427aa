import type { Content } from "../../../support/fake-invenio/state.ts";

const marks = /Mark\d+x/g;

/** The marks in a text: words that one edit each has written. */
export const marksIn = (text: string): string[] => text.match(marks) ?? [];

/** A draft that a user made, told by a creator that nothing edits. */
export interface Made {
  name: string;
  desk: string;
  isDiscarded: boolean;
  /** It went with the disk of its desk while it was created: only its title and its marker may be there. */
  isLost?: boolean;
}

/** Acknowledged work at a desk: it must be found at the end. */
interface Work {
  mark: string;
  /** The draft's maker. */
  name: string;
  desk: string;
}

/** A change of one value at a desk. */
interface Change {
  name: string;
  field: string;
  desk: string;
  before: string;
  after: string;
}

/** What the users did, stored outside of everything under test. */
export class WorkLedger {
  readonly made: Made[] = [];
  readonly edits: Work[] = [];
  readonly files: (Work & { key: string })[] = [];
  /** Optional: it may stand there or not, and its user knows. */
  readonly comments: { mark: string; desk: string; isOptional?: boolean }[] = [];
  readonly changes: Change[] = [];
  /** Marks that a user overwrote or removed, having seen them. */
  readonly dropped = new Set<string>();
  /** Marks that an old page took away from a draft, and of which the desks should tell. */
  readonly putBack: { mark: string; name: string }[] = [];
  /** Marks of comments, once for each call that had no answer. */
  readonly unanswered: string[] = [];
  /** Comments that were unsent in the backup that a desk was restored from. No desk knows that it was restored. */
  readonly unsentInBackup: { mark: string; desk: string }[] = [];
  /** Marks that have stood on the site. */
  readonly stood = new Set<string>();
  /** Violations found during the run. */
  readonly broken: string[] = [];
  /** How much of each kind there was at the backup of each desk. */
  readonly #backups = new Map<string, { edits: number; files: number; comments: number; made: number }>();
  #last = 0;

  newMark(): string {
    return `Mark${++this.#last}x`;
  }

  /**
   * How many comments with this mark must stand. The same words at two desks may become one, once for each call without
   * an answer: nothing tells the comment of the one desk from what the other desk's call has made.
   */
  wantedComments(mark: string): number {
    const wanted = this.comments.filter((one) => one.mark === mark && !one.isOptional);
    const desks = new Set(wanted.map(({ desk }) => desk));
    const maxAtOneDesk = Math.max(0, ...[...desks].map((at) => wanted.filter(({ desk }) => desk === at).length));
    return Math.max(maxAtOneDesk, wanted.length - this.unanswered.filter((one) => one === mark).length);
  }

  /** Notes what the backup of a desk holds. */
  backedUp(desk: string): void {
    const { edits, files, comments, made } = this;
    this.#backups.set(desk, { edits: edits.length, files: files.length, comments: comments.length, made: made.length });
  }

  /**
   * A desk was restored. What it did after the backup, and what is neither there nor in the backup, went with its disk.
   * @param known everything there and in the backup
   */
  restored(desk: string, known: string): void {
    const at = this.#backups.get(desk);
    if (!at) return;
    const isOfDesk = (one: { desk: string }) => one.desk === desk;
    // Only the desk knew what an old page has put back.
    const isBack = (mark: string) => this.putBack.some((one) => one.mark === mark);
    for (const { mark } of [...this.edits.slice(at.edits), ...this.files.slice(at.files)].filter(isOfDesk))
      if (!known.includes(mark) && (!this.stood.has(mark) || isBack(mark))) this.dropped.add(mark);
    for (const comment of this.comments.slice(at.comments).filter(isOfDesk)) comment.isOptional = true;
    for (const made of this.made.slice(at.made).filter(isOfDesk)) {
      // Its creator, not its title.
      made.isLost ||= !known.includes(`"${made.name}`);
      made.isDiscarded ||= made.isLost;
    }
  }

  drop(text: string, except = ""): void {
    const kept = new Set(marksIn(except));
    for (const mark of marksIn(text)) if (!kept.has(mark)) this.dropped.add(mark);
  }
}

/** Everything of a draft or record that marks may stand in. */
export const textOf = ({ metadata, files }: Content): string =>
  JSON.stringify([metadata, [...files.values()].map(({ key, bytes }) => [key, bytes?.toString()])]);
