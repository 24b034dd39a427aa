/** Whether the database refused a row because its key exists already. */
export const isTakenKey = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)|23505)$/.test(String(error.code));
