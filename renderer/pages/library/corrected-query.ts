const closers: Record<string, string> = { '"': '"', "/": "/", "[": "]}", "{": "]}" };

/** End of a value: after its closing character, else before white space or an unmatched bracket. */
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

/** Replaces a field's first value outside quotes. If the field is not found, returns the new value alone. */
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
