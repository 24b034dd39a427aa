/** What a registration agency is told of a DOI. */
export interface DoiMetadata {
  /** Where the DOI leads. */
  url: string;
  /** DataCite JSON 4.5. */
  metadata: Record<string, unknown>;
}

/** A registration agency. Every call may be repeated: the same call twice leaves what one leaves. */
export interface DoiRegistrar {
  /** Makes the DOI known, or tells what is new of it. @throws Refused, Unavailable. */
  register(doi: string, known: DoiMetadata): Promise<void>;
  /** The DOI goes on leading to its page, but is found no more. @throws Refused, Unavailable. */
  hide(doi: string): Promise<void>;
}

/** The agency does not take what it was told of this DOI; telling it again would change nothing. */
export class Refused extends Error {}

/** The agency cannot be asked now, or does not let this service in: all DOIs wait. */
export class Unavailable extends Error {}
