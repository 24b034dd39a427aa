/** Normalises an ORCID iD (`0000-0002-1825-0097`); undefined if its check digit is wrong (ISO 7064 mod 11-2). */
export function normaliseOrcid(text: string): string | undefined {
  const digits = text
    .trim()
    .replace(/^https?:\/\/orcid\.org\//i, "")
    .replaceAll("-", "")
    .toUpperCase();
  if (!/^\d{15}[\dX]$/.test(digits)) return undefined;
  let total = 0;
  for (const digit of digits.slice(0, 15)) total = (total + Number(digit)) * 2;
  const check = (12 - (total % 11)) % 11;
  if ((check === 10 ? "X" : String(check)) !== digits[15]) return undefined;
  return digits.replace(/(.{4})(?=.)/g, "$1-");
}
