/** Which calls a fault hits: the next ones of this method and path. */
export interface Target {
  method: string;
  path: RegExp;
  times: number;
}

export type FaultKind =
  /** The call is not carried out, and its answer lost. */
  | "lost-before"
  /** The call is carried out; its answer is lost. */
  | "lost-after"
  /** 500 though done and never indexed: search could not be reached (F7). */
  | "done-but-500"
  /** 500 though done and listed: the queue could not be reached (F7). */
  | "queue-down"
  /** 500, nothing was done. */
  | "refused-500"
  /** 504 at once; carried out `lateMs` later (F9). */
  | "late-504"
  /** 504 with a page of HTML; never carried out. */
  | "html-502"
  /** 200 with a page of HTML, as a portal answers that wants a sign-in; never carried out. */
  | "html-200"
  /** 302 to a page of the site, as a gateway answers that wants a sign-in; never carried out. */
  | "html-302"
  /** 404 with a page of HTML, as a proxy answers for a server that is being put up anew. */
  | "html-404"
  /** 413 with a page of HTML, as a proxy answers by its own limit. */
  | "html-413"
  /** 429 with `Retry-After` (F16). */
  | "too-many";

interface Fault extends Target {
  kind: FaultKind;
  lateMs: number;
}

/** What a test makes the site do. All are off at first. */
export class Switches {
  /** How long the index takes to learn of own writes, and of what a grant opens (F17). */
  indexLagMs = 0;
  grantLagMs = 0;
  /** `GET …/lock` of a request is allowed and locks it (F19). */
  locking = false;
  /** Publishing needs a community (F21). */
  communityRequired = false;
  /** Groups may get grants; Zenodo has none (F20). */
  groups = true;
  /** `Range` is honoured, as Zenodo's storage does (F13). */
  ranges = false;
  /** Archives are listed where the version can (F13): an operator may switch it off. */
  containers = true;
  /** Files and directories of an archive that a listing shows; the rest is cut off (F13). */
  listedMembers = 1_000;
  /** Uncompressed bytes beyond which an archive is refused with status 999 (F13). */
  archiveBytes = 500 * 1024 ** 2;
  /** What the listing of an archive says instead. */
  listing: unknown;
  /** Parts of transfer `M` are taken; Zenodo refuses them (F12). */
  parts = true;
  /** How long the checksum stays null after a commit of parts (F11). */
  checksumLagMs = 3_000;
  /** Bytes a record may hold; the profile's otherwise. */
  quotaBytes: number | undefined;
  /** Files a record may have; the profile's otherwise. */
  maxFiles: number | undefined;
  /** The window of search: no page may end beyond it (F16). */
  windowHits = 10_000;
  /** `/api/me` exists. */
  me = true;
  /** What `allversions` does in the list of own records. */
  allVersions: "listed" | "ignored" | "refused" = "listed";
  /** `Retry-After` of a "too-many"; the end of the period otherwise. */
  retryAfter: string | undefined;
  /** Which headers of its limits arrive: a proxy may remove them. */
  limitHeaders: "all" | "no-retry-after" | "none" = "all";
  /** Sort orders the site does not know (400), beside those of its version. */
  readonly missingSorts = new Set<string>();
  /** Metadata that this site alone does not take, with its words: operators may add rules. */
  readonly ownRules = new Map<string, string>();
  /** Names of metadata and custom fields that this site alone knows. It stores them as they are sent. */
  readonly ownFields = new Set<string>();
  /** Fields of metadata that the site drops without a word. */
  readonly droppedFields = new Set<string>();
  /** Records that lists show in a form that no schema allows. */
  readonly oddHits = new Set<string>();
  /** Any scheme of an identifier is taken: operators may add schemes. */
  anyScheme = false;
  /** Accounts that moderation blocked: they may read, not write (F20). */
  readonly blocked = new Set<string>();
  readonly #faults: Fault[] = [];

  /** The next `times` calls of this method and path meet this fault. */
  fault(kind: FaultKind, method: string, path: RegExp, times = 1, lateMs = 60_000): void {
    this.#faults.push({ kind, method, path, times, lateMs });
  }

  /** Takes the fault that meets this call, if one does. */
  faultOf(method: string, path: string): Fault | undefined {
    const at = this.#faults.findIndex((fault) => fault.method === method && fault.path.test(path));
    const fault = this.#faults[at];
    if (fault && --fault.times === 0) this.#faults.splice(at, 1);
    return fault;
  }

  clearFaults(): void {
    this.#faults.length = 0;
  }
}
