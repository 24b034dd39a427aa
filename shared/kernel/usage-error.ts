/** Wrong arguments of a command: one line on stderr, exit code 2 (hosts-and-sync 1). */
export class UsageError extends Error {}
