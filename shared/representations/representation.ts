import { listPieces } from "../kernel/answer.ts";
import type { Hits, Pieces } from "../kernel/hits.ts";
import type { BibliographyStyle } from "./bibliography.ts";
import type { PresentedRecord } from "./presented-record.ts";

/** For whom a representation is made. */
export interface RenderContext {
  /** A language tag such as `en` or `de-AT`; formats with fixed words ignore it. */
  locale: string;
  /** How a bibliography is written. */
  style: BibliographyStyle;
}

/** One media type of records, drafts and search answers (records 10). */
export interface Representation {
  mediaType: string;
  /** What `Content-Type` names, where it is another one. */
  sentAs?: string;
  /** The whole body of an answer with one record. */
  render(record: PresentedRecord, context: RenderContext): string;
  /** The body of a search answer in pieces, each quickly made; `envelope` is its JSON, `hits` the records in it. */
  renderList(hits: Hits<PresentedRecord>, envelope: Record<string, unknown>, context: RenderContext): Pieces;
}

/** A JSON format: in lists, each hit of the envelope takes that form. */
export const jsonRepresentation = (
  mediaType: string,
  transform: (record: PresentedRecord, context: RenderContext) => unknown,
): Representation => ({
  mediaType,
  render: (record, context) => JSON.stringify(transform(record, context)),
  renderList: (hits, envelope, context) => listPieces(envelope, hits, (record) => transform(record, context)),
});
