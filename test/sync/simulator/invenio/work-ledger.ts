import type { Content } from "../../../support/fake-invenio/state.ts";

const marks = /Mark\d+x/g;

/** The marks in a text: words that one edit each has written. */
export const marksIn = (text: string): string[] => text.match(marks) ?? [];

/** A draft that a user made, told by a creator that nothing edits. */
export interface Made {
  name: string;
  desk: string;
  isDiscarded: boolean;
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
  readonly comments: { mark: string; desk: string }[] = [];
  readonly changes: Change[] = [];
  /** Marks that a user overwrote or removed, having seen them. */
  readonly dropped = new Set<string>();
  /** Marks that have stood on the site. */
  readonly stood = new Set<string>();
  /** Violations found during the run. */
  readonly broken: string[] = [];
  #last = 0;

  newMark(): string {
    return `Mark${++this.#last}x`;
  }

  /** Whether somebody has written this mark. Two changes of one text at once may leave letters of both: "Mark19x". */
  isWritten(mark: string): boolean {
    return Number(mark.slice("Mark".length, -1)) <= this.#last;
  }

  /** The text of a draft has letters of two changes, so the mark of neither stands. */
  dropMixed(content: string, standing: ReadonlySet<string>): void {
    for (const { name, field, after } of this.changes)
      if (field === "description" && content.includes(`"${name}"`))
        for (const mark of marksIn(after)) if (!standing.has(mark)) this.dropped.add(mark);
  }

  drop(text: string, except = ""): void {
    const kept = new Set(marksIn(except));
    for (const mark of marksIn(text)) if (!kept.has(mark)) this.dropped.add(mark);
  }
}

/** Everything of a draft or record that marks may stand in. */
export const textOf = ({ metadata, files }: Content): string =>
  JSON.stringify([metadata, [...files.values()].map(({ key, bytes }) => [key, bytes?.toString()])]);
