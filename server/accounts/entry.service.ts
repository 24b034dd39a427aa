import type { Request, Response } from "express";
import type { Services } from "../../shared/api.ts";
import type { Db } from "../../shared/database/open.ts";
import type { IdentityRow } from "../../shared/database/schema.ts";
import type { Identities, VerifiedIdentity } from "../../shared/identities/identity.service.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { PasswordProof } from "../../shared/sign-in/password-proof.service.ts";

export interface Credentials {
  /** User name or address. */
  account: string;
  password: string;
}

export interface Entry {
  /** @throws Failure 401, 429. */
  prove(req: Request, credentials: Credentials): Promise<PasswordProof>;
  /** Opens a session. @returns the page to lead to. */
  enter(req: Request, res: Response, proof: PasswordProof, next: string): Promise<string>;
  /** The proof of a linked account. @throws Failure 403 for a user who may not sign in. */
  proofOf(row: IdentityRow, identity: VerifiedIdentity): Promise<PasswordProof>;
}

export interface EntryParts {
  host: Host;
  services: Pick<Services, "signIn" | "sessions" | "devices" | "users">;
  identities: Identities;
}

const notIn = (): Failure => new Failure("forbidden", "This account cannot sign in.");

/** How the pages let a user in, whichever way they proved who they are (web 9). */
export function entryService({ host, services, identities }: EntryParts): Entry {
  const { signIn, sessions, devices, users } = services;
  return {
    async prove(req, { account, password }) {
      const name = account.trim();
      return signIn.verify({ by: name.includes("@") ? "email" : "username", name }, password, req);
    },
    async enter(req, res, proof, next) {
      await sessions.open(req, res, proof);
      await devices.remember(req, res, proof.user.id);
      return next;
    },
    async proofOf({ user_id: userId }, identity) {
      const user = await users.find(host.db, userId);
      if (user?.active !== 1) throw notIn();
      const assertCurrent = async (tx: Db): Promise<void> => {
        const current = await identities.find(tx, identity);
        if (current?.user_id !== userId || (await users.find(tx, userId))?.active !== 1) throw notIn();
        await identities.noteUse(tx, identity);
      };
      return { user, assertCurrent };
    },
  };
}
