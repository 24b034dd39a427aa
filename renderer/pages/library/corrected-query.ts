const closers: Record<string, string> = { '"': '"', "/": "/", "[": "]}", "{": "]}" };

/** Where a value that begins at `from` ends: behind its closing sign, else before white space or a bracket that is not its own. */
function endOfValue(q: string, from: number): number {
  const closer = closers[q.charAt(from)];
  let depth = 0;
  for (let at = from; at < q.length; at++) {
    const symbol = q.charAt(at);
    if (symbol === "\\") at += 1;
    else if (closer !== undefined) {
      if (at > from && closer.includes(symbol)) return at + 1;
    } else if (symbol === "(") depth += 1;
    else if (symbol === ")") {
      depth -= 1;
      if (depth < 0) return at;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && /\s/.test(symbol)) return at;
  }
  return q.length;
}

/** The query with another value for a field, at its first place outside of quotes; alone when the field is not found there. */
export function correctedQuery(q: string, field: string, value: string): string {
  const clause = `${field}:${value}`;
  const name = field.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const places = q.matchAll(
    new RegExp(`"(?:[^"\\\\]|\\\\.)*"|(?<![\\p{L}\\p{N}_.\\\\])(${name}):\\s*(?:[<>]=?\\s*)?`, "gu"),
  );
  const place = [...places].find(([, found]) => found !== undefined);
  if (!place) return clause;
  return q.slice(0, place.index) + clause + q.slice(endOfValue(q, place.index + place[0].length));
}
