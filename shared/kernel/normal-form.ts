/** More marks on one letter than any language writes; halfwidth kana voicing becomes a mark in compatible forms. */
const endlessMarks = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * `text` in a Unicode normal form, at most 30 marks in a row kept. Marks are put in order one by one, so that time grows
 * with the square of their number: 80 KB of them would hold the thread for seconds.
 */
export const normalForm = (text: string, form: "NFC" | "NFKC" | "NFKD"): string =>
  text.replace(endlessMarks, "$1").normalize(form);
