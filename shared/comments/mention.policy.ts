/** Mentions of one comment that notify; more would be a way to write to everybody. */
const maxMentions = 50;

const signs = /<(\/?)blockquote\b[^>]*>|<a\b[^>]*\shref="\/people\/([^"/?#]+)"/g;

/**
 * Ids of the users whom a comment mentions: links to `/people/<id>`, but not those in a quote, which the author only
 * repeats.
 * @param html a comment in stored form.
 */
export function mentionsIn(html: string): string[] {
  const ids = new Set<string>();
  let depth = 0;
  for (const [sign, closing, id] of html.matchAll(signs)) {
    if (id === undefined) depth += closing === "/" ? -1 : 1;
    else if (depth <= 0 && sign !== "") ids.add(id);
  }
  return [...ids].slice(0, maxMentions);
}
