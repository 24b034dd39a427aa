import type { HttpClient } from "../support/http-client.ts";

/** A stock InvenioRDM, real or fake, with the people of the rows. */
export interface SiteUnderTest {
  ada: HttpClient;
  /** Owns the community. */
  grace: HttpClient;
  eve: HttpClient;
  guest: HttpClient;
  ids: { ada: string; grace: string; eve: string };
  /** Id of a community whose submissions are reviewed. */
  community: string;
  /** Two calls that the site carries out at the same moment, as far as it lets us. */
  together: <T>(method: string, path: string, first: () => Promise<T>, second: () => Promise<T>) => Promise<[T, T]>;
}

/** One fact about the other side, tried by HTTP. It throws where the fact does not hold. */
export interface FactRow {
  /** The number in the design, `F1` to `F24`. */
  fact: string;
  says: string;
  /** What the real server of the tests lacks for it. */
  needs?: string;
  holds: (site: SiteUnderTest) => Promise<void>;
}
