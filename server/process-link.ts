/**
 * What server processes of one database tell each other at once. A message may be lost: what has to arrive is read from
 * the database.
 */
export interface ProcessLink {
  /** Tells all other processes. Longer messages than 7,900 bytes are left out. */
  tell(subject: string, message: unknown): void;
  onTold(subject: string, listener: (message: unknown) => void): void;
  /** Called after a time in which messages may have been lost. */
  onGap(listener: () => void): void;
  stop(): Promise<void>;
}
