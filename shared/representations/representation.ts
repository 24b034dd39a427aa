import { listPieces } from "../kernel/answer.ts";
import type { Hits, Pieces } from "../kernel/hits.ts";
import type { BibliographyStyle } from "./bibliography.ts";
import type { PresentedRecord } from "./presented-record.ts";

/** Language and citation style of the call. */
export interface RenderContext {
  /** A language tag such as `en` or `de-AT`; formats with fixed terms ignore it. */
  locale: string;
  /** The citation style. */
  style: BibliographyStyle;
  /** Whether the host has pages, where each export has an address of its own. */
  hasPages?: boolean;
}

/** One media type of records, drafts and search answers (records 10). */
export interface Representation {
  mediaType: string;
  /** Profiles of the type, separated by blanks. A client that names other profiles does not get this type. */
  profile?: string;
  /** The `Content-Type`, if it differs. */
  sentAs?: string;
  /** The body of an answer with one record. */
  render(record: PresentedRecord, context: RenderContext): string;
  /** The body of a search answer in small pieces; `envelope` is its JSON, `hits` its records. */
  renderList(hits: Hits<PresentedRecord>, envelope: Record<string, unknown>, context: RenderContext): Pieces;
}

/** A JSON format; in lists, each hit of the envelope has that form. */
export const jsonRepresentation = (
  mediaType: string,
  transform: (record: PresentedRecord, context: RenderContext) => unknown,
): Representation => ({
  mediaType,
  render: (record, context) => JSON.stringify(transform(record, context)),
  renderList: (hits, envelope, context) => listPieces(envelope, hits, (record) => transform(record, context)),
});
