const digitsOnly = (value: string): string => value.replace(/[\s-]/g, "").toUpperCase();

/** ISO 7064 mod 11-2 over 16 characters: ORCID and ISNI. */
export function hasIsniCheckDigit(value: string): boolean {
  const characters = digitsOnly(value);
  if (!/^\d{15}[\dX]$/.test(characters)) return false;
  let total = 0;
  for (const digit of characters.slice(0, 15)) total = (total + Number(digit)) * 2;
  const check = (12 - (total % 11)) % 11;
  return characters.at(-1) === (check === 10 ? "X" : String(check));
}

/** Weighted sum of 8 characters: ISSN. */
export function hasIssnCheckDigit(value: string): boolean {
  const characters = digitsOnly(value);
  if (!/^\d{7}[\dX]$/.test(characters)) return false;
  const sum = [...characters.slice(0, 7)].reduce((total, digit, index) => total + Number(digit) * (8 - index), 0);
  const check = (11 - (sum % 11)) % 11;
  return characters.at(-1) === (check === 10 ? "X" : String(check));
}

/** GS1 check digit over 13 digits: EAN-13 and ISBN-13. */
export function hasEan13CheckDigit(value: string): boolean {
  const digits = digitsOnly(value);
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** ISBN of 10 or 13 digits. */
export function hasIsbnCheckDigit(value: string): boolean {
  const characters = digitsOnly(value);
  if (/^97[89]\d{10}$/.test(characters)) return hasEan13CheckDigit(characters);
  if (!/^\d{9}[\dX]$/.test(characters)) return false;
  const values = [...characters].map((digit) => (digit === "X" ? 10 : Number(digit)));
  return values.reduce((total, digit, index) => total + digit * (10 - index), 0) % 11 === 0;
}

/** ISO 7064 mod 16-3 over 16 hexadecimal characters: ISTC. */
export function hasIstcCheckDigit(value: string): boolean {
  const characters = digitsOnly(value);
  if (!/^[0-9A-F]{16}$/.test(characters)) return false;
  const weights = [11, 9, 3, 1];
  const sum = [...characters.slice(0, 15)].reduce(
    (total, digit, index) => total + Number.parseInt(digit, 16) * (weights[index % 4] ?? 0),
    0,
  );
  return (sum % 16).toString(16).toUpperCase() === characters.at(-1);
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

/** ISO 7064 mod 97-10 over a Crockford number: the last two digits of a ROR id of 9 characters. */
export function hasRorCheckDigits(value: string): boolean {
  if (!/^0[0-9a-hjkmnp-tv-z]{6}\d{2}$/.test(value)) return false;
  const number = [...value.slice(1, 7)].reduce((total, character) => total * 32 + crockford.indexOf(character), 0);
  return value.slice(7) === String(98 - ((100 * number) % 97)).padStart(2, "0");
}

/** The shapes a GND number may have. */
export function hasGndShape(value: string): boolean {
  return /^(?:10?\d{7}[\dX]|[47]\d{6}-\d|[1-9]\d{0,7}-[\dX]|3\d{7}[\dX])$/.test(value);
}
