const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", nbsp: " " };

/** The text of markup as their server rewrites texts: straight quotes, one form of accents, single spaces. */
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .normalize("NFC")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u200b-\u200d\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Whether two pieces of markup have the same text. */
export const isSameText = (a: string, b: string): boolean => plain(a) === plain(b);
