/** Which letters a word has, as 32 bits: one bit stands for all the characters with the same last five bits. */
export function letterMask(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    // The second half of a surrogate pair stands for both.
    if ((code & 0xfc00) !== 0xd800) mask |= 1 << (code & 31);
  }
  return mask;
}

/** Whether more than `limit` bits are set. */
function hasMore(bits: number, limit: number): boolean {
  let others = bits;
  for (let left = limit; left > 0 && others !== 0; left -= 1) others &= others - 1;
  return others !== 0;
}

/** What all matches of a pattern have in common: at most so many of these bits missing, and so many others set. */
export interface MaskTest {
  mask: number;
  missing: number;
  further: number;
}

/** The first place from `from` on whose mask allows a match; `end`: none. Spares most words the pattern itself. */
export function nextCandidate(
  { mask, missing, further }: MaskTest,
  masks: ArrayLike<number>,
  from: number,
  end: number,
): number {
  for (let at = from; at < end; at += 1) {
    const others = masks[at] ?? 0;
    if (!hasMore(mask & ~others, missing) && !hasMore(others & ~mask, further)) return at;
  }
  return end;
}
