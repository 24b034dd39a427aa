import type { Request, Response } from "express";
import type { Db, Tx } from "../database/open.ts";
import type { SessionRow } from "../database/schema.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { digestOf, isSameDigest } from "../tokens/token-secret.ts";
import { cookieOf, cookieText, csrfCookie, sessionCookie } from "./cookies.ts";
import {
  deleteSession,
  deleteSessionsBefore,
  deleteSessionsOf,
  findSession,
  insertSession,
} from "./session.repository.ts";

const lifeSeconds = 14 * 86_400;

export interface SessionService {
  /** Opens a session and sets both cookies. @returns the CSRF token. */
  open(res: Response, userId: string): Promise<string>;
  /** The session of a call, or undefined; renews the readable cookie on a read. @throws Failure 400 for missing CSRF. */
  of(req: Request): Promise<SessionRow | undefined>;
  /** Drops the session of a call, if any, and its cookies. */
  close(req: Request, res: Response): Promise<void>;
  /** All sessions of a person but the one of the call. */
  closeOthers(tx: Tx, userId: string, req: Request): Promise<void>;
  closeAll(tx: Tx, userId: string): Promise<void>;
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS";

/** A cookie alone proves nothing about who wrote the page: writes bring its readable twin in a header (requests 2.1). */
function assertCsrf(req: Request, session: SessionRow): void {
  const sent = req.headers["x-csrftoken"];
  const cookie = cookieOf(req, csrfCookie);
  if (typeof sent !== "string" || cookie === undefined) {
    throw new Failure("invalid", "CSRF cookie or X-CSRFToken header missing.");
  }
  const isRight = isSameDigest(digestOf(sent), digestOf(session.csrf_token));
  if (!isRight || sent !== cookie) throw new Failure("invalid", "CSRF token missing or incorrect.");
}

/** Sessions of browsers. Only the digest of the cookie is stored. */
export function sessionService(host: Host): SessionService {
  const isSecure = host.baseUrl.startsWith("https:");
  const csrfText = (value: string, maxAgeSeconds: number): string =>
    cookieText(csrfCookie, value, { isHttpOnly: false, isSecure, maxAgeSeconds });
  const sessionText = (value: string, maxAgeSeconds: number): string =>
    cookieText(sessionCookie, value, { isHttpOnly: true, isSecure, maxAgeSeconds });

  async function find(db: Db, req: Request): Promise<SessionRow | undefined> {
    const secret = cookieOf(req, sessionCookie);
    return secret === undefined ? undefined : findSession(db, digestOf(secret), host.now());
  }

  return {
    async open(res, userId) {
      const secret = host.newToken();
      const csrf = host.newToken();
      const now = host.now();
      await deleteSessionsBefore(host.db, now);
      await insertSession(host.db, {
        digest: digestOf(secret),
        user_id: userId,
        csrf_token: csrf,
        created: now,
        expires_at: now + lifeSeconds * 1_000_000,
      });
      res.append("Set-Cookie", sessionText(secret, lifeSeconds));
      res.append("Set-Cookie", csrfText(csrf, lifeSeconds));
      return csrf;
    },
    async of(req) {
      const session = await find(host.db, req);
      if (!session) return undefined;
      if (isRead(req.method)) req.res?.append("Set-Cookie", csrfText(session.csrf_token, lifeSeconds));
      else assertCsrf(req, session);
      return session;
    },
    async close(req, res) {
      const session = await find(host.db, req);
      if (session) await deleteSession(host.db, session.digest);
      res.append("Set-Cookie", sessionText("", 0));
      res.append("Set-Cookie", csrfText("", 0));
    },
    async closeOthers(tx, userId, req) {
      await deleteSessionsOf(tx, userId, (await find(tx, req))?.digest);
    },
    async closeAll(tx, userId) {
      await deleteSessionsOf(tx, userId, undefined);
    },
  };
}
