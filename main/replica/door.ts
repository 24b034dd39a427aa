import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { Failure } from "../../shared/kernel/failure.ts";

/** The replica's own door (hosts-and-sync 2): who may speak to it at all. */
export interface Door {
  /** Made anew at each start; the `token` of the ready line. */
  readonly secret: string;
  /** Refuses foreign hosts, foreign pages, and whoever shows no credential. */
  readonly guard: RequestHandler;
  /** A code for one browser window, good for one exchange. */
  newCode(): string;
  /** Trades the code for a session. @throws Failure 401 for an unknown or used one. */
  exchange(code: string): { cookie: string; csrfToken: string };
  /** The CSRF token of the session that a call brings along, if it brings one. */
  csrfTokenOf(headers: Request["headers"]): string | undefined;
  /** Whether a WebSocket upgrade may come in: same rules. @throws Failure */
  assertUpgrade(req: { headers: Request["headers"]; url?: string | undefined }): void;
}

const cookieName = "carrel_session";
const csrfHeader = "x-csrftoken";
/** Where a code is traded for a session: who comes with one has nothing else yet. */
export const sessionPath = "/api/sync/session";
const newSecret = (): string => randomBytes(32).toString("base64url");
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

function cookiesOf(header: string | undefined): Map<string, string> {
  const pairs = (header ?? "").split(";").map((part) => part.trim().split("="));
  return new Map(pairs.map(([name = "", ...value]) => [name, value.join("=")]));
}

const isChange = (method: string): boolean => !["GET", "HEAD", "OPTIONS"].includes(method);

export interface DoorOptions {
  port: number;
  /** Paths that everybody on this computer may read: the app's own files, health. */
  isOpenPath(path: string): boolean;
}

/** Cookies are shared by all ports of a host, so the session's name carries the port. */
const sessionCookie = (port: number): string => `${cookieName}_${port}`;

export function createDoor({ port, isOpenPath }: DoorOptions): Door {
  const secret = newSecret();
  const codes = new Set<string>();
  const sessions = new Map<string, string>();
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  const origins = new Set([...hosts].map((host) => `http://${host}`));

  function assertPlace(headers: Request["headers"]): void {
    if (!hosts.has(headers.host ?? "")) throw new Failure("misdirected", "This address is not served here.");
    const { origin } = headers;
    if (origin !== undefined && !origins.has(origin)) throw new Failure("forbidden", "Permission denied.");
  }

  function assertCsrf(req: Request, session: string): void {
    const sent = req.headers[csrfHeader];
    const expected = sessions.get(session) ?? "";
    if (!isChange(req.method) || (typeof sent === "string" && isSame(sent, expected))) return;
    throw new Failure("invalid", "CSRF token missing or incorrect.");
  }

  function sessionOf(headers: Request["headers"]): string | undefined {
    const session = cookiesOf(headers.cookie).get(sessionCookie(port));
    return session !== undefined && sessions.has(session) ? session : undefined;
  }

  function hasSecret(headers: Request["headers"]): boolean {
    const token = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? "")?.[1];
    return token !== undefined && isSame(token, secret);
  }

  const refusal = () =>
    new Failure("unauthorized", "This computer's Carrel answers only to its own windows and to its token.", {
      headers: { "WWW-Authenticate": 'Bearer realm="api"' },
    });

  return {
    secret,
    guard(req, _res, next) {
      assertPlace(req.headers);
      const isRead = !isChange(req.method);
      const isOpen = isRead ? isOpenPath(req.path) : req.path === sessionPath;
      if (hasSecret(req.headers) || isOpen) return next();
      const session = sessionOf(req.headers);
      if (session === undefined || req.headers.authorization !== undefined) throw refusal();
      assertCsrf(req, session);
      next();
    },
    newCode() {
      const code = newSecret();
      codes.add(code);
      return code;
    },
    exchange(code) {
      if (!codes.delete(code)) throw refusal();
      const [session, csrfToken] = [newSecret(), newSecret()];
      sessions.set(session, csrfToken);
      return { cookie: `${sessionCookie(port)}=${session}; HttpOnly; SameSite=Strict; Path=/`, csrfToken };
    },
    csrfTokenOf(headers) {
      return sessions.get(sessionOf(headers) ?? "");
    },
    assertUpgrade({ headers }) {
      assertPlace(headers);
      if (!hasSecret(headers) && sessionOf(headers) === undefined) throw refusal();
    },
  };
}
