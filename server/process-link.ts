/**
 * Messages between server processes of one database. A message may be lost: what has to arrive is read from
 * the database.
 */
export interface ProcessLink {
  /** Sends to all other processes. Messages longer than 7,900 bytes are left out. */
  send(subject: string, message: unknown): void;
  onMessage(subject: string, listener: (message: unknown) => void): void;
  /** Called after a time in which messages may have been lost. */
  onGap(listener: () => void): void;
  stop(): Promise<void>;
}
