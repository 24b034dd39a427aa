/** How far a fuzzy word may be from a match when it does not say (search 5.3). */
export function automaticDistance(word: string): number {
  const length = Array.from(word).length;
  if (length <= 2) return 0;
  return length <= 5 ? 1 : 2;
}

const surrogate = /[\uD800-\uDFFF]/;

/** The code points of a text; of most texts the code units are the same and quicker. */
function signsOf(text: string): number[] {
  if (surrogate.test(text)) return Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
  const signs: number[] = [];
  for (let at = 0; at < text.length; at += 1) signs.push(text.charCodeAt(at));
  return signs;
}

/**
 * Whether the optimal string alignment distance (insert, delete, replace, swap of neighbours cost 1
 * each) of another word to this one is at most `limit`. Compares code points.
 */
export function withinDistance(word: string, limit: number): (other: string) => boolean {
  if (limit === 0) return (other) => other === word;
  const own = signsOf(word);
  let rows = newRows(own.length);
  return (other) => {
    // A sign outside the basic plane takes two places.
    if (other.length < own.length - limit || other.length > 2 * (own.length + limit)) return false;
    const signs = signsOf(other);
    if (Math.abs(own.length - signs.length) > limit) return false;
    rows = rows[0].length > signs.length ? rows : newRows(signs.length);
    return isNear(own, signs, limit, rows);
  };
}

type Rows = [Int32Array, Int32Array, Int32Array];

const newRows = (length: number): Rows => [
  new Int32Array(2 * length + 8),
  new Int32Array(2 * length + 8),
  new Int32Array(2 * length + 8),
];

function isNear(a: readonly number[], b: readonly number[], limit: number, rows: Rows): boolean {
  let [beforeLast, last, row] = rows;
  for (let j = 0; j <= b.length; j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit + 1) return false;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return (last[b.length] ?? 0) <= limit;
}
