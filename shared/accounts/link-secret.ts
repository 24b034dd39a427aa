import { createHmac } from "node:crypto";
import { digestOf, isSameDigest } from "../tokens/token-secret.ts";

/**
 * The text at the end of a link: its id and 256 bits that only the owner of the folder's secret can compute. So the
 * database, and a copy of it, opens nothing.
 */
export function linkToken(secret: Uint8Array, id: string): string {
  return `${id}.${createHmac("sha256", secret).update(`account-link ${id}`).digest("base64url")}`;
}

/** The id in the text of a link; undefined if the text is not right. */
export function idInToken(secret: Uint8Array, token: string): string | undefined {
  const [id = ""] = token.split(".");
  return isSameDigest(digestOf(token), digestOf(linkToken(secret, id))) ? id : undefined;
}
