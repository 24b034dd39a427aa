/** A row about a user, with the groups that the user is in. */
export type WithGroups<R> = R & { groups: string[] };

/** The groups in rows that were joined with the memberships of one user. */
export const groupsIn = (rows: readonly { group_name: string | null }[]): string[] =>
  rows.flatMap(({ group_name }) => group_name ?? []).sort();
