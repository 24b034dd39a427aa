/** Whether SQLite refused a row because its key is there already. */
export const isTakenKey = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$/.test(String(error.code));
