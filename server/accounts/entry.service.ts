import type { Request, Response } from "express";
import { z } from "zod";
import type { Services } from "../../shared/api.ts";
import type { Db } from "../../shared/database/open.ts";
import type { IdentityRow, UserRow } from "../../shared/database/schema.ts";
import type { Identities, VerifiedIdentity } from "../../shared/identities/identity.service.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { PasswordProof } from "../../shared/sign-in/password-proof.service.ts";
import { digestOf } from "../../shared/tokens/token-secret.ts";
import { onWayTo } from "./next-page.ts";
import { sealedCookie } from "./sealed-cookie.ts";

export interface Credentials {
  /** User name or address. */
  account: string;
  password: string;
}

export interface Entry {
  /** @throws Failure 401, 429. */
  prove(req: Request, credentials: Credentials): Promise<PasswordProof>;
  /** The proof if these credentials work. The second press of a button asks so whether the first one did its work. */
  proveAgain(req: Request, credentials: Credentials): Promise<PasswordProof | undefined>;
  /** Whether a user has a second factor. */
  needsCode(user: UserRow): Promise<boolean>;
  /**
   * Opens a session, or asks for the code of the second factor first. @param by the linked account; the password if absent.
   * @returns the page to lead to.
   */
  enter(req: Request, res: Response, proof: PasswordProof, next: string, by?: VerifiedIdentity): Promise<string>;
  /** Whether this browser has to send a code. */
  isWaiting(req: Request): boolean;
  /** Checks the code and opens the session. @throws Failure 401, 403, 429. @returns as `enter`; undefined if nothing waits. */
  enterWithCode(req: Request, res: Response, code: string): Promise<string | undefined>;
  /** The proof of a linked account. @throws Failure 403 for a user who may not sign in. */
  proofOf(row: IdentityRow, identity: VerifiedIdentity): Promise<PasswordProof>;
}

export interface EntryParts {
  host: Host;
  services: Pick<Services, "signIn" | "sessions" | "devices" | "users" | "secondFactors">;
  identities: Identities;
  /** The secret of the data folder. */
  secret: Uint8Array;
}

/** Who has passed the first step of a sign-in. The stamp tells whether the password is still the same. */
const halfway = z.object({
  userId: z.string(),
  next: z.string(),
  stamp: z.string(),
  by: z.object({ issuer: z.string(), subject: z.string(), label: z.string() }).optional(),
});
type Halfway = z.infer<typeof halfway>;

const mayEnter = (user: UserRow | undefined): user is UserRow => user?.active === 1 && user.confirmed === 1;

const notIn = (): Failure => new Failure("forbidden", "This account cannot sign in.");

/** How the pages let a user in, whichever way they proved who they are (web 9). */
export function entryService({ host, services, identities, secret }: EntryParts): Entry {
  const { signIn, sessions, devices, users, secondFactors } = services;
  const waiting = sealedCookie(host, secret, "sign-in-code", halfway);
  const stampOf = async (db: Db, userId: string): Promise<string> =>
    digestOf((await users.credentialOf(db, userId)) ?? "");

  async function open(req: Request, res: Response, proof: PasswordProof): Promise<void> {
    await sessions.open(req, res, proof);
    await devices.remember(req, res, proof.user.id);
  }

  async function proofOf({ user_id: userId }: Pick<IdentityRow, "user_id">, identity: VerifiedIdentity) {
    const user = await users.find(host.db, userId);
    if (!mayEnter(user)) throw notIn();
    const assertCurrent = async (tx: Db): Promise<void> => {
      const current = await identities.find(tx, identity);
      if (current?.user_id !== userId || !mayEnter(await users.find(tx, userId))) throw notIn();
      await identities.noteUse(tx, identity);
    };
    return { user, assertCurrent };
  }

  /** The proof of the first step, which still has to hold. */
  async function firstProof({ userId, by, stamp }: Halfway): Promise<PasswordProof> {
    if (by) return proofOf({ user_id: userId }, by);
    const user = await users.find(host.db, userId);
    if (!mayEnter(user)) throw notIn();
    const assertCurrent = async (tx: Db): Promise<void> => {
      if ((await stampOf(tx, userId)) !== stamp) throw notIn();
    };
    return { user, assertCurrent };
  }

  async function prove(req: Request, { account, password }: Credentials): Promise<PasswordProof> {
    const name = account.trim();
    return signIn.verifyPassword({ account: { by: name.includes("@") ? "email" : "username", name }, password }, req);
  }

  return {
    prove,
    async proveAgain(req, credentials) {
      if (credentials.password === "") return undefined;
      try {
        return await prove(req, credentials);
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error;
        return undefined;
      }
    },
    needsCode: ({ id }) => secondFactors.isOn(host.db, id),
    async enter(req, res, proof, next, by) {
      const { id: userId } = proof.user;
      if (!(await secondFactors.isOn(host.db, userId))) {
        await open(req, res, proof);
        // The sign-in page leads a browser on, or says that it keeps no cookies. A program is not led around.
        const mayForget = !req.headers.cookie && req.get("Sec-Fetch-Mode") === "navigate";
        return mayForget ? onWayTo(next, "/sign-in", { sent: "1" }) : next;
      }
      await proof.assertCurrent(host.db);
      waiting.set(req, res, { userId, next, stamp: await stampOf(host.db, userId), ...(by ? { by } : {}) });
      return onWayTo(next, "/sign-in/code");
    },
    isWaiting: (req) => waiting.read(req) !== undefined,
    async enterWithCode(req, res, code) {
      const found = waiting.read(req);
      if (!found) return undefined;
      const proof = await firstProof(found);
      await secondFactors.check(req, proof.user, code);
      await open(req, res, proof);
      waiting.clear(req, res);
      return found.next;
    },
    proofOf,
  };
}
