import type { Request } from "express";
import type { Db } from "../database/open.ts";
import type { UserRow } from "../database/schema.ts";
import { clientNetwork } from "../kernel/client-address.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { UserService } from "../users/user.service.ts";
import type { DeviceService } from "./device.service.ts";
import { loginLimits } from "./login-limit.service.ts";
import { isRightPassword } from "./password-hash.ts";

/** A person who showed their password. */
export interface PasswordProof {
  user: UserRow;
  /**
   * Called in the transaction that opens a session, makes a token or changes the password: hashing takes a while, and a
   * change of the password meanwhile ends only what is there already.
   * @throws Failure the refusal, when it is no longer the person's password.
   */
  assertCurrent(tx: Db): Promise<void>;
}

/** An attempt to prove a password. */
export interface PasswordAttempt {
  /** The account name that failures are counted under. */
  account: string;
  password: string;
  req: Request;
  /** Whose password it must be; nobody's is as slow to check. */
  find(): Promise<UserRow | undefined>;
  /** What a wrong password is answered with. */
  refusal(): Failure;
}

export interface PasswordProofService {
  /** @throws Failure the refusal; 429 over a limit. */
  prove(attempt: PasswordAttempt): Promise<PasswordProof>;
  /** Forgets the failures that keep an account from signing in. */
  unlock(user: UserRow): Promise<void>;
}

export interface PasswordProofParts {
  host: Host;
  users: UserService;
  devices: DeviceService;
}

/** Checks passwords under the limits of guessing (requests 2.3). */
export function passwordProofService({ host, users, devices }: PasswordProofParts): PasswordProofService {
  const limits = loginLimits(host);
  return {
    async prove({ account, password, req, find, refusal }) {
      const known = await find();
      const device = known && (await devices.of(host.db, req, known.id));
      const proof = await limits.under({ account, device, network: clientNetwork(req) }, async () => {
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
    unlock: ({ username, email }) => limits.unlock([username, email]),
  };
}
