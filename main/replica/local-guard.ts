import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { Failure } from "../../shared/kernel/failure.ts";
import { hasToken } from "../../shared/kernel/resource.ts";

/** Authenticates the callers of this replica, before any route (hosts-and-sync 2). */
export interface LocalGuard {
  /** The bearer token of this replica. New at each start; the ready line prints it as `token`. */
  readonly secret: string;
  /** Refuses calls with another `Host` or `Origin`, and calls without a credential. */
  readonly handler: RequestHandler;
  /**
   * A one-time code for one browser window, valid for 60 seconds.
   * @param onEnd called once, when the code was used or has expired.
   */
  newCode(onEnd?: () => void): string;
  /** Exchanges the code for a session. @throws Failure 401 if it is unknown, used or expired. */
  exchange(code: string): { cookie: string; csrfToken: string };
  /** The CSRF token of the call's session, if it has one. */
  csrfTokenOf(headers: Request["headers"]): string | undefined;
  /** Checks a WebSocket upgrade by the same rules. @throws Failure */
  assertUpgrade(req: { headers: Request["headers"]; url?: string | undefined }): void;
}

const cookieName = "carrel_session";
const csrfHeader = "x-csrftoken";
/** The route that exchanges a code for a session; its caller has no other credential yet. */
export const sessionPath = "/api/sync/session";
const codeLifetimeMs = 60_000;
const newSecret = (): string => randomBytes(32).toString("base64url");
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

function cookiesOf(header: string | undefined): Map<string, string> {
  const pairs = (header ?? "").split(";").map((part) => part.trim().split("="));
  return new Map(pairs.map(([name = "", ...value]) => [name, value.join("=")]));
}

const isChange = (method: string): boolean => !["GET", "HEAD", "OPTIONS"].includes(method);

export interface LocalGuardOptions {
  port: number;
  /** Whether every program on this computer may read the path, as with the app's files and health. */
  isOpenPath(path: string): boolean;
}

/** The cookie's name contains the port, because all ports of a host share cookies. */
const sessionCookie = (port: number): string => `${cookieName}_${port}`;

export function createLocalGuard({ port, isOpenPath }: LocalGuardOptions): LocalGuard {
  const secret = newSecret();
  const codes = new Map<string, () => void>();
  const sessions = new Map<string, string>();
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  const origins = new Set([...hosts].map((host) => `http://${host}`));

  function assertHostAndOrigin(headers: Request["headers"]): void {
    if (!hosts.has((headers.host ?? "").toLowerCase()))
      throw new Failure("misdirected", "This address is not served here.");
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
    new Failure("unauthorized", "Carrel on this computer accepts calls only from its own windows or with its token.", {
      headers: { "WWW-Authenticate": 'Bearer realm="api"' },
    });

  return {
    secret,
    handler(req, _res, next) {
      assertHostAndOrigin(req.headers);
      const isRead = !isChange(req.method);
      const isOpen = isRead ? isOpenPath(req.path) && !hasToken(req) : req.path === sessionPath;
      if (hasSecret(req.headers) || isOpen) return next();
      const session = sessionOf(req.headers);
      if (session === undefined || req.headers.authorization !== undefined) throw refusal();
      assertCsrf(req, session);
      next();
    },
    newCode(onEnd = () => undefined) {
      const code = newSecret();
      const end = () => {
        clearTimeout(timer);
        codes.delete(code);
        onEnd();
      };
      const timer = setTimeout(end, codeLifetimeMs);
      timer.unref();
      codes.set(code, end);
      return code;
    },
    exchange(code) {
      const end = codes.get(code);
      if (!end) throw refusal();
      end();
      const [session, csrfToken] = [newSecret(), newSecret()];
      sessions.set(session, csrfToken);
      return { cookie: `${sessionCookie(port)}=${session}; HttpOnly; SameSite=Strict; Path=/`, csrfToken };
    },
    csrfTokenOf(headers) {
      return sessions.get(sessionOf(headers) ?? "");
    },
    assertUpgrade({ headers }) {
      assertHostAndOrigin(headers);
      if (!hasSecret(headers) && sessionOf(headers) === undefined) throw refusal();
    },
  };
}
