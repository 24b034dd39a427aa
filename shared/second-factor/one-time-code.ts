import { randomInt } from "node:crypto";
import { authenticator } from "otplib";
import { digestOf } from "../tokens/token-secret.ts";

const stepSeconds = 30;
/** Without letters and digits that look alike. */
const signs = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const recoveryCodes = 10;

export const newSecret = (): string => authenticator.generateSecret(20);

/** What a QR code says to an app for one-time codes. */
export const secretAddress = (secret: string, account: string, site: string): string =>
  authenticator.keyuri(account, site, secret);

/**
 * The number of the 30 seconds in which the code is valid; undefined if it is wrong. The code before and the one after
 * count too, for clocks that differ. @param now in microseconds.
 */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const epoch = Math.floor(now / 1000);
  const digits = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(digits)) return undefined;
  const delta = authenticator.clone({ epoch, window: 1 }).checkDelta(digits, secret);
  return delta === null ? undefined : Math.floor(epoch / 1000 / stepSeconds) + delta;
}

/** New recovery codes of 80 random bits, such as `ABCD-EFGH-JKLM-NPQR`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => signs[randomInt(signs.length)]).join("")).join("-"),
  );

/** As the user may have typed it: blanks, hyphens and small letters do not count. */
const signsOf = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

export const recoveryDigest = (code: string): string => digestOf(signsOf(code));

/** Whether a text has the form of a recovery code. */
export const isRecoveryForm = (code: string): boolean => signsOf(code).length === 16;
