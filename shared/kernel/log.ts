import { type Logger, pino } from "pino";

/** A log on stderr, one JSON object per line. Entries never contain secrets. */
export const createLog = (level: string): Logger =>
  pino({ level, redact: ["req.headers.authorization", "req.headers.cookie"] }, pino.destination(2));
