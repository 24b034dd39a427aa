import { type Logger, pino } from "pino";

/** One JSON object a line on stderr; secrets never enter a line. */
export const createLog = (level: string): Logger =>
  pino({ level, redact: ["req.headers.authorization", "req.headers.cookie"] }, pino.destination(2));
