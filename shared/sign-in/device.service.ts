import type { Request, Response } from "express";
import type { Db, Tx } from "../database/open.ts";
import { isHttps } from "../kernel/client-address.ts";
import type { Host } from "../kernel/host.ts";
import { digestOf } from "../tokens/token-secret.ts";
import { cookieOf, cookieText, hostCookie } from "./cookies.ts";
import {
  deleteDevicesOf,
  deleteEndedDevices,
  deleteOldDevices,
  deviceLifeSeconds,
  findDevice,
  insertDevice,
} from "./device.repository.ts";

/** Maximum number of remembered browsers of one user. */
const maxDevices = 20;

export interface DeviceService {
  /** The digest of the call's cookie, if this user signed in with this browser before. */
  of(db: Db, req: Request, userId: string): Promise<string | undefined>;
  /** Remembers the browser of a successful sign-in. */
  remember(req: Request, res: Response, userId: string): Promise<void>;
  /** Forgets all browsers of a user, except that of the call. */
  forgetOthers(tx: Tx, userId: string, req: Request): Promise<void>;
  forgetAll(tx: Tx, userId: string): Promise<void>;
}

/**
 * Browsers in which a user signed in before. Failures elsewhere do not count against them, so a stranger who guesses
 * passwords does not lock the owner out. The cookie gives no other rights.
 */
export function deviceService(host: Host): DeviceService {
  const secretOf = (req: Request): string | undefined => cookieOf(req, hostCookie("device", isHttps(host, req)));

  async function find(db: Db, req: Request, userId: string): Promise<string | undefined> {
    const secret = secretOf(req);
    return secret === undefined ? undefined : (await findDevice(db, digestOf(secret), userId, host.now()))?.digest;
  }

  return {
    of: find,
    async remember(req, res, userId) {
      if ((await find(host.db, req, userId)) !== undefined) return;
      const secret = host.newToken();
      const now = host.now();
      const isSecure = isHttps(host, req);
      await deleteEndedDevices(host.db, now);
      const row = { digest: digestOf(secret), user_id: userId, expires_at: now + deviceLifeSeconds * 1_000_000 };
      await insertDevice(host.db, row);
      await deleteOldDevices(host.db, userId, maxDevices);
      const options = { isHttpOnly: true, isSecure, maxAgeSeconds: deviceLifeSeconds };
      res.append("Set-Cookie", cookieText(hostCookie("device", isSecure), secret, options));
    },
    async forgetOthers(tx, userId, req) {
      await deleteDevicesOf(tx, userId, await find(tx, req, userId));
    },
    async forgetAll(tx, userId) {
      await deleteDevicesOf(tx, userId, undefined);
    },
  };
}
