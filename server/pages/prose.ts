/**
 * The stored HTML of a user, which is clean (records 8, type H), as a part of a page. Its headings must not compete with
 * the page's own. A wide table scrolls in itself, by keys too.
 */
export const proseOf = (clean: string): { html: string } => ({
  html: clean.replace(/<(\/?)h[12](?=[\s>])/g, "<$1h3").replace(/<table(?=[\s>])/g, '<table tabindex="0"'),
});
