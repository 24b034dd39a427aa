import { hasRorCheckDigits } from "../../../../shared/identifiers/check-digits.schema.ts";

/** Normalises a ROR id, also from its address; undefined if its check digits are wrong. */
export function normaliseRor(text: string): string | undefined {
  const id = text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.)?ror\.org\//i, "")
    .toLowerCase();
  return hasRorCheckDigits(id) ? id : undefined;
}
