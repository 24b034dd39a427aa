import type { Request } from "express";
import type { Db } from "../database/open.ts";
import type { UserRow } from "../database/schema.ts";
import { clientNetwork } from "../kernel/client-address.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { UserService } from "../users/user.service.ts";
import type { DeviceService } from "./device.service.ts";
import { accountSubject, deviceSubject, loginLimits } from "./login-limit.service.ts";
import { isRightPassword } from "./password-hash.ts";

/** A user whose password was verified. */
export interface PasswordProof {
  user: UserRow;
  /**
   * Call it in the transaction that opens a session, issues a token or changes the password: the password may have
   * changed during hashing.
   * @throws Failure the refusal, if it is no longer the user's password.
   */
  assertCurrent(tx: Db): Promise<void>;
}

/** An attempt to verify a password. */
export interface PasswordAttempt {
  /** The account name under which failures are counted. */
  account: string;
  password: string;
  req: Request;
  /** The user whose password it must be; undefined takes as long to check. */
  find(): Promise<UserRow | undefined>;
  /** The failure for a wrong password. */
  refusal(): Failure;
}

export interface PasswordProofService {
  /** @throws Failure the refusal; 429 over a limit. */
  prove(attempt: PasswordAttempt): Promise<PasswordProof>;
  /** Resets the failures that lock an account. */
  unlock(user: UserRow): Promise<void>;
}

export interface PasswordProofParts {
  host: Host;
  users: UserService;
  devices: DeviceService;
}

/** Verifies passwords within the limits on guessing (requests 2.3). */
export function passwordProofService({ host, users, devices }: PasswordProofParts): PasswordProofService {
  const limits = loginLimits(host);
  return {
    async prove({ account, password, req, find, refusal }) {
      const known = await find();
      const device = known && (await devices.of(host.db, req, known.id));
      const subject = device === undefined ? accountSubject(account) : deviceSubject(device);
      const proof = await limits.under({ subject, network: clientNetwork(req) }, async () => {
        const user = await find();
        const hash = user && (await users.credentialOf(host.db, user.id));
        return (await isRightPassword(password, hash)) && user ? { user, hash } : undefined;
      });
      if (!proof) throw refusal();
      const { user, hash } = proof;
      const assertCurrent = async (tx: Db): Promise<void> => {
        if ((await users.credentialOf(tx, user.id)) !== hash) throw refusal();
      };
      return { user, assertCurrent };
    },
    unlock: ({ username, email }) => limits.unlock([username, email].map(accountSubject)),
  };
}
