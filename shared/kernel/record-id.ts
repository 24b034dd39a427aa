const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** The check digits by ISO 7064 mod 97-10 of eight base-32 characters (records 1.5). */
function checkDigits(body: string): string {
  let remainder = 0;
  for (const character of body) remainder = (remainder * 32 + alphabet.indexOf(character)) % 97;
  return String(98 - ((remainder * 100) % 97)).padStart(2, "0");
}

/**
 * A record id `xxxxx-xxxxx` from five random bytes (40 bits) and two check digits (records 1.5).
 * @param random five bytes of a cryptographic source.
 */
export function recordIdFrom(random: Uint8Array): string {
  let value = 0n;
  for (const byte of random.subarray(0, 5)) value = (value << 8n) | BigInt(byte);
  let body = "";
  for (let shift = 35n; shift >= 0n; shift -= 5n) body += alphabet[Number((value >> shift) & 31n)];
  return `${body.slice(0, 5)}-${body.slice(5)}${checkDigits(body)}`;
}

/** Whether the text is a well-formed record id with correct check digits. */
export function isRecordId(text: string): boolean {
  if (!/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{3}[0-9]{2}$/.test(text)) return false;
  const plain = text.replace("-", "");
  return checkDigits(plain.slice(0, 8)) === plain.slice(8);
}
