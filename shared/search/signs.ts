/** Which signs a word has, 32 kinds of them: what a pattern cannot match is told by it before it is looked at. */
export function signsIn(word: string): number {
  let signs = 0;
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    // Of a sign that is stored in two halves the second stands for it.
    if ((code & 0xfc00) !== 0xd800) signs |= 1 << (code & 31);
  }
  return signs;
}

/** Whether more than so many bits are set. */
function hasMore(bits: number, limit: number): boolean {
  let others = bits;
  for (let left = limit; left > 0 && others !== 0; left -= 1) others &= others - 1;
  return others !== 0;
}

/** What is known of all that matches: the signs of a word but for so many missing, and so many further ones. */
export interface SignTest {
  signs: number;
  missing: number;
  further: number;
}

/** The first from a place on whose signs are such that it may match; the end if there is none. */
export function nextLikely(
  { signs, missing, further }: SignTest,
  all: ArrayLike<number>,
  from: number,
  end: number,
): number {
  for (let at = from; at < end; at += 1) {
    const others = all[at] ?? 0;
    if (!hasMore(signs & ~others, missing) && !hasMore(others & ~signs, further)) return at;
  }
  return end;
}
