import type { Request, Response } from "express";
import { type Db, type Tx, transaction } from "../database/open.ts";
import type { SessionRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { clientAddress, isHttps } from "../kernel/client-address.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf } from "../kernel/resource.ts";
import { routeOf } from "../kernel/route-facts.ts";
import { digestOf, isSameDigest } from "../tokens/token-secret.ts";
import type { WithGroups } from "../users/joined-groups.ts";
import { cookieOf, cookieText, csrfCookie, hostCookie, linksCookie } from "./cookies.ts";
import type { PasswordProof } from "./password-proof.service.ts";
import { sessionIdOf } from "./session.presenter.ts";
import {
  deleteSession,
  deleteSessionsBeyond,
  deleteSessionsOf,
  findSession,
  insertSession,
  listSessions,
  sessionLifeSeconds,
  updateSessionUse,
} from "./session.repository.ts";
import { requireSignedIn } from "./unauthenticated.ts";

/** The time of the last use is stored this often, in microseconds. */
const useMicros = 5 * 60 * 1_000_000;
const maxAgentLength = 500;
/** Maximum sessions of one user; the oldest end when there are more. */
const maxSessions = 100;

export interface SessionService {
  /** Opens a session, ends the browser's earlier one, and sets both cookies. @returns the CSRF token. */
  open(req: Request, res: Response, proof: PasswordProof): Promise<string>;
  /**
   * The session of a call with its user's groups, or undefined; renews the readable cookie on a read.
   * @throws Failure 400 without CSRF token.
   */
  of(req: Request): Promise<WithGroups<SessionRow> | undefined>;
  /** Ends the session of a call, if any, and deletes its cookies. */
  close(req: Request, res: Response): Promise<void>;
  /** Ends all sessions of a user, except the one of the call. */
  closeOthers(tx: Tx, userId: string, req: Request): Promise<void>;
  closeAll(tx: Tx, userId: string): Promise<void>;
  /** The sessions of a user, the last used first. */
  list(userId: string): Promise<SessionRow[]>;
  /** Ends a user's session. @throws Failure 404 for an unknown one, also of another user. */
  end(caller: Caller, id: string): Promise<void>;
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS";

/**
 * A cookie does not prove which page made the call, so writes repeat the readable cookie in a header (requests 2.1).
 */
function assertCsrf(req: Request, session: SessionRow): void {
  const sent = req.headers["x-csrftoken"];
  const cookie = cookieOf(req, csrfCookie);
  if (typeof sent !== "string" || cookie === undefined) {
    throw new Failure("invalid", "CSRF cookie or X-CSRFToken header missing.");
  }
  const isRight = isSameDigest(digestOf(sent), digestOf(session.csrf_token));
  if (!isRight || sent !== cookie) throw new Failure("invalid", "CSRF token missing or incorrect.");
}

/** The next user of a browser must not read what the last one was invited to. */
function endedLinks(req: Request, isSecure: boolean): string[] {
  const name = hostCookie(linksCookie, isSecure);
  if (cookieOf(req, name) === undefined) return [];
  return [cookieText(name, "", { isHttpOnly: true, isSecure, maxAgeSeconds: 0 })];
}

/** Browser sessions. Only the digest of the cookie is stored. */
export function sessionService(host: Host): SessionService {
  const sessionCookie = (req: Request): string => hostCookie("session", isHttps(host, req));
  const csrfText = (req: Request, value: string, maxAgeSeconds: number): string =>
    cookieText(csrfCookie, value, { isHttpOnly: false, isSecure: isHttps(host, req), maxAgeSeconds });
  const sessionText = (req: Request, value: string, maxAgeSeconds: number): string =>
    cookieText(sessionCookie(req), value, { isHttpOnly: true, isSecure: isHttps(host, req), maxAgeSeconds });

  async function find(db: Db, req: Request): Promise<WithGroups<SessionRow> | undefined> {
    const secret = cookieOf(req, sessionCookie(req));
    return secret === undefined ? undefined : findSession(db, digestOf(secret), host.now());
  }

  const end = ({ digest, user_id: userId }: SessionRow, caller: Caller): Promise<void> =>
    transaction(host.db, async (tx) => {
      await deleteSession(tx, digest);
      const person: Caller = { ...caller, userId, sessionId: digest };
      await host.audit(tx, person, { action: "user.sign-out", object: { type: "user", id: userId } });
    });

  return {
    async open(req, res, { user: { id: userId }, assertCurrent }) {
      const secret = host.newToken();
      const csrf = host.newToken();
      const now = host.now();
      const digest = digestOf(secret);
      const earlier = await find(host.db, req);
      await transaction(host.db, async (tx) => {
        await assertCurrent(tx);
        if (earlier) await deleteSession(tx, earlier.digest);
        await deleteSessionsBeyond(tx, userId, maxSessions - 1, now);
        const expires_at = now + sessionLifeSeconds * 1_000_000;
        await insertSession(tx, {
          ...{ digest, user_id: userId, csrf_token: csrf, created: now, expires_at, last_used: now },
          user_agent: (req.headers["user-agent"] ?? "").slice(0, maxAgentLength),
          address: clientAddress(req),
        });
        const person: Caller = { ...callerOf(req), userId, sessionId: digest };
        await host.audit(tx, person, { action: "user.sign-in", object: { type: "user", id: userId } });
      });
      res.append("Set-Cookie", sessionText(req, secret, sessionLifeSeconds));
      res.append("Set-Cookie", csrfText(req, csrf, sessionLifeSeconds));
      return csrf;
    },
    async of(req) {
      const session = await find(host.db, req);
      if (!session) return undefined;
      const now = host.now();
      if (Math.abs(now - session.last_used) > useMicros) await updateSessionUse(host.db, session.digest, now);
      // A form of our own pages was checked by where it was sent from.
      if (routeOf(req).facts.isForm && !isRead(req.method)) return session;
      if (!isRead(req.method)) assertCsrf(req, session);
      // During a download the caller is checked again, after the headers were sent.
      else if (req.res?.headersSent === false)
        req.res.append("Set-Cookie", csrfText(req, session.csrf_token, sessionLifeSeconds));
      return session;
    },
    async close(req, res) {
      const session = await find(host.db, req);
      if (session) await end(session, callerOf(req));
      const links = endedLinks(req, isHttps(host, req));
      res.append("Set-Cookie", [sessionText(req, "", 0), csrfText(req, "", 0), ...links]);
    },
    list: (userId) => listSessions(host.db, userId, host.now()),
    async end(caller, id) {
      const userId = requireSignedIn(caller);
      const session = (await listSessions(host.db, userId, host.now())).find((one) => sessionIdOf(one) === id);
      if (!session) throw notFound();
      await end(session, caller);
    },
    async closeOthers(tx, userId, req) {
      await deleteSessionsOf(tx, userId, (await find(tx, req))?.digest);
    },
    async closeAll(tx, userId) {
      await deleteSessionsOf(tx, userId, undefined);
    },
  };
}
