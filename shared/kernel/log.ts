import { type Logger, pino } from "pino";

/** What may wait for a reader of the log that is slow, in bytes. */
const maxWaiting = 1024 * 1024;

/** A log that nobody reads, or on a full disk, loses lines. A destination of pino waits for ever then, also at the end. */
const stderr = {
  write(line: string): void {
    if (process.stderr.writableLength < maxWaiting) process.stderr.write(line);
  },
};

/** A log on stderr, one JSON object per line. Entries never contain secrets. */
export const createLog = (level: string): Logger =>
  pino({ level, redact: ["req.headers.authorization", "req.headers.cookie"] }, stderr);
