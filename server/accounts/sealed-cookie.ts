import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import type { z } from "zod";
import { isHttps } from "../../shared/kernel/client-address.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { endsWithin, isWithin } from "../../shared/kernel/timestamps.ts";
import { cookieOf, cookieText, hostCookie } from "../../shared/sign-in/cookies.ts";

const lifeSeconds = 600;
const lifeMicros = lifeSeconds * 1_000_000;
const path = "/sign-in";
const [ivBytes, tagBytes] = [12, 16];

/** What a browser carries for ten minutes between two steps of a sign-in. */
export interface SealedCookie<T> {
  set(req: Request, res: Response, content: T): void;
  /** Undefined when it is missing, changed or too old. */
  read(req: Request): T | undefined;
  clear(req: Request, res: Response): void;
}

/**
 * A cookie that only this server can read and write (AES-256-GCM), so a sign-in that nobody finishes leaves no rows
 * (web 9). @param name its name, to which the content is bound. @param secret of the data folder.
 */
export function sealedCookie<T>(host: Host, secret: Uint8Array, name: string, shape: z.ZodType<T>): SealedCookie<T> {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", `cookie ${name}`, 32));

  function seal(content: T): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const until = host.now() + lifeMicros;
    const sealed = Buffer.concat([cipher.update(JSON.stringify({ content, until })), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  function open(text: string): T | undefined {
    const bytes = Buffer.from(text, "base64url");
    if (bytes.length <= ivBytes + tagBytes) return undefined;
    const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
    cipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    let plain: { content: unknown; until: number };
    try {
      plain = JSON.parse(Buffer.concat([cipher.update(bytes.subarray(ivBytes + tagBytes)), cipher.final()]).toString());
    } catch {
      return undefined;
    }
    return isWithin(plain.until, endsWithin(host.now(), lifeMicros)) ? shape.safeParse(plain.content).data : undefined;
  }

  const nameFor = (req: Request): string => hostCookie(name, isHttps(host, req));

  function write(req: Request, res: Response, value: string, maxAgeSeconds: number): void {
    const isSecure = isHttps(host, req);
    // Browsers take a `__Host-` cookie for all pages only.
    const options = { isHttpOnly: true, isSecure, maxAgeSeconds, path: isSecure ? "/" : path };
    res.append("Set-Cookie", cookieText(nameFor(req), value, options));
  }

  return {
    set: (req, res, content) => write(req, res, seal(content), lifeSeconds),
    read(req) {
      const sent = cookieOf(req, nameFor(req));
      return sent === undefined ? undefined : open(sent);
    },
    clear: (req, res) => write(req, res, "", 0),
  };
}
