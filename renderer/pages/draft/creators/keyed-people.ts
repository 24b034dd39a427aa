import type { Creator } from "../../../api-client/record-types.ts";
import { personName } from "../../../format/names.ts";

/** A person in a list. The key stays when the person moves or is edited. */
export interface KeyedPerson {
  id: number;
  person: Creator;
}

/** Rows that no person has taken yet, by a mark of their person. */
function rowsBy<Mark>(rows: readonly KeyedPerson[], markOf: (person: Creator) => Mark) {
  const found = new Map<Mark, KeyedPerson[]>();
  for (const row of rows.toReversed()) {
    const mark = markOf(row.person);
    const same = found.get(mark);
    if (same) same.push(row);
    else found.set(mark, [row]);
  }
  return (person: Creator) => found.get(markOf(person))?.pop();
}

/**
 * Gives each person the key of the same person before: the same object, else the same content, else the same name,
 * else the same place. Rows of unchanged people are the same objects, so that nothing renders them again.
 */
export function withKeys(people: readonly Creator[], before: readonly KeyedPerson[]): KeyedPerson[] {
  const rows: (KeyedPerson | undefined)[] = people.map(() => undefined);
  let left = before;
  const match = (take: (person: Creator) => KeyedPerson | undefined) => {
    const taken = new Set<KeyedPerson>();
    for (const [index, person] of people.entries()) {
      const row = rows[index] ? undefined : take(person);
      if (!row) continue;
      taken.add(row);
      rows[index] = row.person === person ? row : { id: row.id, person };
    }
    left = left.filter((row) => !taken.has(row));
  };
  match(rowsBy(left, (person) => person));
  if (left.length > 0) match(rowsBy(left, (person) => JSON.stringify(person)));
  if (left.length > 0) match(rowsBy(left, ({ person_or_org }) => personName(person_or_org)));
  const unmatched = new Set(left);
  let next = before.reduce((most, { id }) => Math.max(most, id), -1) + 1;
  return people.map((person, index) => {
    const old = before[index];
    return rows[index] ?? { id: old && unmatched.has(old) ? old.id : next++, person };
  });
}
