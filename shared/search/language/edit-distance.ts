/** The distance of a fuzzy word that names none (search 5.3). */
export function automaticDistance(word: string): number {
  const length = Array.from(word).length;
  if (length <= 2) return 0;
  return length <= 5 ? 1 : 2;
}

const surrogate = /[\uD800-\uDFFF]/;

/** The code points of a text. Most texts have none but code units, which are quicker to read. */
function codePointsOf(text: string): number[] {
  if (surrogate.test(text)) return Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const characters: number[] = [];
  for (let at = 0; at < text.length; at += 1) characters.push(text.charCodeAt(at));
  return characters;
}

/**
 * Whether the optimal string alignment distance (insert, delete, replace, swap of neighbours cost 1
 * each) of another word to this one is at most `limit`. Compares code points.
 */
export function withinDistance(word: string, limit: number): (other: string) => boolean {
  if (limit === 0) return (other) => other === word;
  const own = codePointsOf(word);
  const distance =
    own.length <= bitsAtOnce ? distanceByBits(own) : (characters: readonly number[]) => distanceOf(own, characters);
  return (other) => {
    // A character outside the basic plane takes two code units.
    if (other.length < own.length - limit || other.length > 2 * (own.length + limit)) return false;
    const characters = codePointsOf(other);
    return Math.abs(own.length - characters.length) <= limit && distance(characters) <= limit;
  };
}

const bitsAtOnce = 31;

/**
 * The distance to a short word, a whole column of the usual table at a time. Of each cell, one bit says whether it is
 * one more than the cell above, another one whether it is one less (H. Hyyrö, 2003).
 */
function distanceByBits(own: readonly number[]): (other: readonly number[]) => number {
  const places = new Map<number, number>();
  for (const [at, character] of own.entries()) places.set(character, (places.get(character) ?? 0) | (1 << at));
  const last = 1 << (own.length - 1);
  return (other) => {
    let [more, less, diagonal, before, distance] = [-1, 0, 0, 0, own.length];
    for (const character of other) {
      const same = places.get(character) ?? 0;
      const swapped = ((~diagonal & same) << 1) & before;
      diagonal = (((same & more) + more) ^ more) | same | less | swapped;
      const right = less | ~(diagonal | more);
      const left = diagonal & more;
      if ((right & last) !== 0) distance += 1;
      else if ((left & last) !== 0) distance -= 1;
      const [rightBelow, leftBelow] = [(right << 1) | 1, left << 1];
      more = leftBelow | ~(diagonal | rightBelow);
      less = rightBelow & diagonal;
      before = same;
    }
    return distance;
  };
}

function distanceOf(a: readonly number[], b: readonly number[]): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
