/** What a host does itself. The server does all of it; what a replica leaves undone, the server does for it. */
export interface HostAbilities {
  /** Publishes drafts and decides requests at once. Otherwise the question may wait for the server. */
  readonly decides: boolean;
  /** Merges an edit with those of others and keeps values that lost. Otherwise an edit has the effect of its update alone. */
  readonly merges: boolean;
  /** Gives drafts their revision numbers. Otherwise a number is provisional: it may name one content now and another later. */
  readonly numbersRevisions: boolean;
  /** Holds every object, so that one that is not found does not exist. */
  readonly holdsEverything: boolean;
  /** Ends embargoes and requests by its own clock. Otherwise the state that the server sent counts. */
  readonly appliesDeadlines: boolean;
  /** Goes by the bytes that it holds. Otherwise by the digest and size that a command names. */
  readonly verifiesBytes: boolean;
  /** Keeps people within their storage quota. */
  readonly limitsStorage: boolean;
  /** Notifies people of what others did. */
  readonly notifies: boolean;
  /** Counts views and downloads. */
  readonly countsUsage: boolean;
  /** Keeps answers for the next reader. */
  readonly cachesAnswers: boolean;
}
