/** The metadata that a registration agency gets. */
export interface DoiMetadata {
  /** The URL that the DOI resolves to. */
  url: string;
  /** DataCite JSON 4.5. */
  metadata: Record<string, unknown>;
}

/** A registration agency. All calls are idempotent. */
export interface DoiRegistrar {
  /** Registers or updates a DOI. @throws Refused, Unavailable. */
  register(doi: string, known: DoiMetadata): Promise<void>;
  /** Removes the DOI from the agency's search. It still resolves. @throws Refused, Unavailable. */
  hide(doi: string): Promise<void>;
}

/** The agency refuses this DOI. Repeating the call would not help. */
export class Refused extends Error {}

/** The agency is unavailable or refuses the account: all DOIs wait. */
export class Unavailable extends Error {}
