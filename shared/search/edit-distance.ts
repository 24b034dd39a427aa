/** How far a fuzzy word may be from a match when it does not say (search 5.3). */
export function automaticDistance(word: string): number {
  const length = Array.from(word).length;
  if (length <= 2) return 0;
  return length <= 5 ? 1 : 2;
}

/**
 * Whether the optimal string alignment distance (insert, delete, replace, swap of neighbours cost 1
 * each) of two words is at most `limit`. Compares code points.
 */
export function isWithinDistance(left: string, right: string, limit: number): boolean {
  if (limit === 0) return left === right;
  if (Math.abs(left.length - right.length) > 2 * limit) return false;
  const a = Array.from(left);
  const b = Array.from(right);
  if (Math.abs(a.length - b.length) > limit) return false;
  let beforeLast: number[] = [];
  let last = b.map((_, index) => index);
  last.push(b.length);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit + 1) return false;
    beforeLast = last;
    last = row;
  }
  return (last[b.length] ?? 0) <= limit;
}
