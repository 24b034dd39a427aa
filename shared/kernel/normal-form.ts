/** More marks on one letter than any language uses. Halfwidth kana voicing becomes a mark in NFKC and NFKD. */
const endlessMarks = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * `text` in a Unicode normal form, with at most 30 marks in a row. Sorting marks takes quadratic time: 80 KB of them
 * would block the thread for seconds.
 */
export const normalForm = (text: string, form: "NFC" | "NFKC" | "NFKD"): string =>
  text.replace(endlessMarks, "$1").normalize(form);
