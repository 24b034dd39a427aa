/** What a host does itself. The server has all abilities, and does for replicas what they cannot. */
export interface HostAbilities {
  /** Publishes drafts and decides requests at once. A host without it sends these to the server. */
  readonly decides: boolean;
  /** Our rules decide what may be published. Otherwise the server has its own rules, and ours are advice. */
  readonly knowsRules: boolean;
  /** Merges concurrent edits and keeps the values that lost. Otherwise an edit only applies its own update. */
  readonly merges: boolean;
  /** Assigns the revision numbers of drafts. Otherwise a number is provisional: its content may still change. */
  readonly numbersRevisions: boolean;
  /** Holds all objects, so an object that is not found does not exist. */
  readonly holdsEverything: boolean;
  /** Ends embargoes and expires requests by its own clock. Otherwise the server's state counts. */
  readonly appliesDeadlines: boolean;
  /** Computes digest and size from the bytes it holds. Otherwise it takes them from the command. */
  readonly verifiesBytes: boolean;
  /** Enforces storage quotas. */
  readonly limitsStorage: boolean;
  /** Sends notifications. */
  readonly notifies: boolean;
  /** Counts views and downloads. */
  readonly countsUsage: boolean;
  /** Other server processes write to the same database. What they need is in tables, and nothing kept here is trusted. */
  readonly sharesDatabase: boolean;
  /** Caches answers. */
  readonly cachesAnswers: boolean;
}
