import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Request } from "express";

const mark = "sealed:";
const cipher = "aes-256-gcm";
const [ivBytes, tagBytes] = [12, 16];

/** The key is known only to the caller: the server stores only a digest of the credential. */
function keyOf({ headers: { authorization } }: Request): Buffer | undefined {
  return authorization === undefined
    ? undefined
    : Buffer.from(hkdfSync("sha256", authorization, "", "carrel idempotency", 32));
}

/** Encrypts an answer with the credential of the call; undefined without a credential. */
export function sealed(req: Request, body: string): string | undefined {
  const key = keyOf(req);
  if (!key) return undefined;
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, key, iv);
  const parts = [iv, sealing.update(body, "utf8"), sealing.final(), sealing.getAuthTag()];
  return mark + Buffer.concat(parts).toString("base64");
}

export const isSealed = (body: string | null): body is string => body?.startsWith(mark) === true;

/** Decrypts an answer with the credential of the call; undefined when the credential is another one. */
export function opened(req: Request, body: string): string | undefined {
  const key = keyOf(req);
  if (!key) return undefined;
  const bytes = Buffer.from(body.slice(mark.length), "base64");
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes));
  opening.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return opening.update(bytes.subarray(ivBytes, -tagBytes), undefined, "utf8") + opening.final("utf8");
  } catch {
    return undefined;
  }
}
