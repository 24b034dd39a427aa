import type { Request } from "express";
import type { AccountOrder } from "../accounts/account-order.ts";
import { type Db, type Tx, transaction } from "../database/open.ts";
import type { SecondFactorRow, UserRow } from "../database/schema.ts";
import { isProtected } from "../groups/group.policy.ts";
import { type Caller, system } from "../kernel/caller.ts";
import { clientNetwork } from "../kernel/client-address.ts";
import { Failure, invalidField } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { callerOf } from "../kernel/resource.ts";
import { around, isWithin } from "../kernel/timestamps.ts";
import { orderMail } from "../notifications/mail-order.service.ts";
import type { Settings } from "../settings/settings.schema.ts";
import type { DeviceService } from "../sign-in/device.service.ts";
import {
  type Attempt,
  dayMicros,
  factorSubject,
  type LoginLimits,
  loginLimits,
} from "../sign-in/login-limit.service.ts";
import type { PasswordProof } from "../sign-in/password-proof.service.ts";
import type { SessionService } from "../sign-in/session.service.ts";
import type { TokenService } from "../tokens/token.service.ts";
import type { UserService } from "../users/user.service.ts";
import { isRecoveryForm, newRecoveryCodes, newSecret, recoveryDigest, secretAddress, stepOf } from "./one-time-code.ts";
import {
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  findFactor,
  putFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
} from "./second-factor.repository.ts";
import { updateRoles } from "./second-factor.schema.ts";

/** A secret that the user's device has to learn. */
export interface NewFactor {
  secret: string;
  uri: string;
}

export interface FactorState {
  isOn: boolean;
  /** Microseconds. */
  since: number | null;
  recoveryCodes: number;
  /** Whether the user's rights wait for it. */
  isDemanded: boolean;
}

export interface SecondFactors {
  isOn(db: Db, userId: string): Promise<boolean>;
  state(user: UserRow, roles: readonly string[]): Promise<FactorState>;
  /** The groups of a user that count. Without a demanded second factor, administrative groups do not. */
  rolesThatCount(userId: string, roles: readonly string[]): Promise<string[]>;
  /**
   * Checks a code at a sign-in, and uses it up. @throws Failure 401 `second_factor_required` without a code,
   * `invalid_second_factor` for a wrong one; 429 over the limit.
   */
  check(req: Request, user: UserRow, code: string | undefined): Promise<void>;
  /** Makes a secret, which counts once it is confirmed. @throws Failure 400 when there is a second factor already. */
  begin(proof: PasswordProof): Promise<NewFactor>;
  /** The secret that waits for its confirmation. */
  waiting(user: UserRow): Promise<NewFactor | undefined>;
  /**
   * Ends the user's other sessions, and tokens issued for a password.
   * @returns the recovery codes, which are shown once. @throws Failure 400 `code`; 429.
   */
  confirm(req: Request, user: UserRow, code: string): Promise<string[]>;
  /** Replaces the recovery codes. @throws Failure 400 without a second factor, 400 `code`; 429. */
  renewCodes(req: Request, proof: PasswordProof, code: string): Promise<string[]>;
  /** One that waits for its confirmation needs no code. @throws Failure 400 `code`; 429. */
  remove(req: Request, proof: PasswordProof, code: string): Promise<void>;
  /** Resets the wrong codes. A new password does not: whoever reads the user's mail could guess on. */
  unlock(userId: string): Promise<void>;
  /**
   * For administrators and the command line: the user has lost the device and the recovery codes.
   * @throws Failure 400 without a second factor.
   */
  reset(caller: Caller, userId: string): Promise<void>;
}

const waitMicros = 3_600 * 1_000_000;

const refusal = (error: string, message: string): Failure =>
  new Failure("unauthorized", message, {
    headers: { "WWW-Authenticate": 'Bearer realm="api"' },
    extra: { error, error_description: message },
  });
const codeNeeded = (): Failure =>
  refusal("second_factor_required", "This account has a second factor. Send its code in the field `code`.");
const wrongCode = (): Failure => refusal("invalid_second_factor", "The code is wrong, or was used already.");
const codeMissing = (): Failure => invalidField("code", "Enter a code of your app, or a recovery code.");
const noFactor = (): Failure => new Failure("invalid", "There is no second factor.");

/** Wrong codes in a day from one browser or network, and from all networks without the user's browsers. */
const [maxFromOne, maxFromAll] = [20, 60];

/**
 * Which wrong codes count together. Somebody with the password must neither guess codes nor lock the owner out, so each
 * network has its own limit, and so has each browser in which the user signed in before. The limit over all other networks
 * hits recovery codes as little: nobody guesses 80 random bits.
 */
async function attemptOf({ host, devices }: CodeParts, req: Request, user: UserRow, code: string): Promise<Attempt> {
  const network = clientNetwork(req);
  if (isRecoveryForm(code)) return { subject: factorSubject(user.id, ["recovery", network]), network, most: 20 };
  const device = await devices.of(host.db, req, user.id);
  const subject = factorSubject(user.id, device === undefined ? ["network", network] : ["device", device]);
  const daily = { subject, most: maxFromOne, windowMicros: dayMicros };
  const ofAll = { subject: factorSubject(user.id), most: maxFromAll, windowMicros: dayMicros };
  return { subject, network, more: device === undefined ? [daily, ofAll] : [daily] };
}

type CodeParts = Pick<SecondFactorParts, "host" | "devices">;

/** Checks codes within the limits on guessing, and uses them up. */
function codeCheck({ host, devices }: CodeParts, limits: LoginLimits) {
  async function takeCode(user: UserRow, code: string, mayRecover: boolean): Promise<boolean> {
    const factor = await findFactor(host.db, user.id);
    const step = factor && stepOf(factor.secret, code, host.now());
    if (step !== undefined) return takeStep(host.db, user.id, step);
    return mayRecover && takeRecoveryCode(host.db, user.id, recoveryDigest(code));
  }

  return async (req: Request, user: UserRow, code: string, mayRecover: boolean): Promise<boolean> => {
    const attempt = await attemptOf({ host, devices }, req, user, code);
    const taken = await limits.under(attempt, async () => (await takeCode(user, code, mayRecover)) || undefined);
    return taken === true;
  };
}

const isOn = async (db: Db, userId: string) => typeof (await findFactor(db, userId))?.confirmed === "number";

/** A secret that the user began to set up in the last hour. Later on, who sits at their browser must not take it over. */
async function findWaiting({ db, now }: Host, userId: string): Promise<SecondFactorRow | undefined> {
  const factor = await findFactor(db, userId);
  return factor?.confirmed === null && isWithin(factor.created, around(now(), waitMicros)) ? factor : undefined;
}

async function requireWaiting(host: Host, userId: string): Promise<SecondFactorRow> {
  const waiting = await findWaiting(host, userId);
  if (!waiting) throw noFactor();
  return waiting;
}

/** Another session may have confirmed it meanwhile. */
async function assertStillWaiting(tx: Tx, userId: string): Promise<void> {
  if (await isOn(tx, userId)) throw codeMissing();
}

const note = (host: Host, db: Db, caller: Caller, userId: string, action: string, status?: number) =>
  host.audit(db, caller, { action, object: { type: "user", id: userId }, ...(status ? { status } : {}) });

/** As `rolesThatCount`, for checks in a transaction. */
export async function rolesWithFactor(
  db: Db,
  { sign_in }: Pick<Settings, "sign_in">,
  userId: string,
  roles: readonly string[],
): Promise<string[]> {
  const isDemanded = sign_in.second_factor === "administrators" && roles.some(isProtected);
  if (!isDemanded || (await isOn(db, userId))) return [...roles];
  return roles.filter((role) => !isProtected(role));
}

async function stateIn({ db, settings }: Host, id: string, roles: readonly string[]): Promise<FactorState> {
  const since = (await findFactor(db, id))?.confirmed ?? null;
  const isDemanded = (await rolesWithFactor(db, settings, id, roles)).length < roles.length;
  return { isOn: since !== null, since, recoveryCodes: await countRecoveryCodes(db, id), isDemanded };
}

/** Demands a code before a change. */
function codeDemand(host: Host, isRight: ReturnType<typeof codeCheck>) {
  return async (req: Request, user: UserRow, code: string): Promise<void> => {
    if (code.trim() === "") throw codeMissing();
    if (await isRight(req, user, code, true)) return;
    await note(host, host.db, callerOf(req), user.id, "user.second-factor", 400);
    throw invalidField("code", "The code is wrong, or was used already.");
  };
}

/** What a second factor asks of users. */
export interface SecondFactorParts {
  host: Host;
  users: Pick<UserService, "groupsOf" | "withinReach">;
  sessions: Pick<SessionService, "closeOthers">;
  tokens: Pick<TokenService, "revokeByPassword">;
  devices: Pick<DeviceService, "of">;
}

/** Ends what the password alone has opened: whoever stole it must not gain the rights that wait for the second factor. */
function entryEnds({ host, sessions, tokens }: SecondFactorParts) {
  return async (tx: Tx, userId: string, req: Request): Promise<void> => {
    await sessions.closeOthers(tx, userId, req);
    await tokens.revokeByPassword(tx, userId, callerOf(req).tokenId, host.now());
  };
}

/** Changes a second factor, says so in the log, and by mail. */
function changesOf({ host, users }: Pick<SecondFactorParts, "host" | "users">) {
  const countedBy = async (tx: Tx, userId: string): Promise<number> =>
    (await rolesWithFactor(tx, host.settings, userId, await users.groupsOf(tx, userId))).length;

  return async (userId: string, caller: Caller, action: string, work: (tx: Tx) => Promise<void>): Promise<void> => {
    await host.write(system, updateRoles, { userId }, async (tx) => {
      const counted = await countedBy(tx, userId);
      await work(tx);
      const order: AccountOrder = { account: "second-factor", userId, isOn: await isOn(tx, userId) };
      if (host.settings.smtp !== undefined && action !== "user.renew-recovery-codes") await orderMail(tx, host, order);
      await note(host, tx, caller, userId, action);
      const object: ObjectRef = { kind: "user", id: userId };
      const isWeighed = counted !== (await countedBy(tx, userId));
      const touched = isWeighed ? [object, ...(await users.withinReach(tx, userId))] : [];
      return { result: undefined, object, touched, title: "Change the second factor" };
    });
    host.announceCommit();
  };
}

const addresses =
  ({ settings: { site } }: Pick<Host, "settings">) =>
  (secret: string, user: UserRow): NewFactor => ({ secret, uri: secretAddress(secret, user.username, site.name) });

/** One-time codes of an app (TOTP, RFC 6238) as a second factor, with recovery codes (web 9). */
export function secondFactorService(parts: SecondFactorParts): SecondFactors {
  const { host } = parts;
  const limits = loginLimits(host);
  const isRight = codeCheck(parts, limits);
  const assertCode = codeDemand(host, isRight);
  const change = changesOf(parts);
  const endEarlierEntries = entryEnds(parts);
  const rolesThatCount: SecondFactors["rolesThatCount"] = (userId, roles) =>
    rolesWithFactor(host.db, host.settings, userId, roles);

  const addressed = addresses(host);

  return {
    isOn,
    rolesThatCount,
    state: ({ id }, roles) => stateIn(host, id, roles),
    async check(req, user, code) {
      if (!(await isOn(host.db, user.id))) return;
      if (code === undefined || code.trim() === "") throw codeNeeded();
      if (await isRight(req, user, code, true)) return;
      await note(host, host.db, callerOf(req), user.id, "user.second-factor", 401);
      throw wrongCode();
    },
    async begin({ user, assertCurrent }) {
      const secret = newSecret();
      await transaction(host.db, async (tx) => {
        await assertCurrent(tx);
        if (await isOn(tx, user.id)) throw new Failure("invalid", "There is a second factor already. Remove it first.");
        await putFactor(tx, { user_id: user.id, secret, created: host.now(), confirmed: null, last_step: 0 });
      });
      return addressed(secret, user);
    },
    async waiting(user) {
      const factor = await findWaiting(host, user.id);
      return factor && addressed(factor.secret, user);
    },
    async confirm(req, user, code) {
      const waiting = await requireWaiting(host, user.id);
      if (!(await isRight(req, user, code, false))) throw invalidField("code", "The code is wrong.");
      const codes = newRecoveryCodes();
      await change(user.id, callerOf(req), "user.add-second-factor", async (tx) => {
        if (!(await confirmFactor(tx, user.id, waiting.secret, host.now()))) throw noFactor();
        await replaceRecoveryCodes(tx, user.id, codes.map(recoveryDigest));
        await endEarlierEntries(tx, user.id, req);
      });
      return codes;
    },
    async renewCodes(req, { user, assertCurrent }, code) {
      if (!(await isOn(host.db, user.id))) throw noFactor();
      await assertCode(req, user, code);
      const codes = newRecoveryCodes();
      await change(user.id, callerOf(req), "user.renew-recovery-codes", async (tx) => {
        await assertCurrent(tx);
        if (!(await isOn(tx, user.id))) throw noFactor();
        await replaceRecoveryCodes(tx, user.id, codes.map(recoveryDigest));
      });
      return codes;
    },
    async remove(req, { user, assertCurrent }, code) {
      const isChecked = await isOn(host.db, user.id);
      if (isChecked) await assertCode(req, user, code);
      await change(user.id, callerOf(req), "user.remove-second-factor", async (tx) => {
        await assertCurrent(tx);
        if (!isChecked) await assertStillWaiting(tx, user.id);
        await deleteFactor(tx, user.id);
      });
    },
    unlock: limits.unlockFactor,
    reset: (caller, userId) =>
      change(userId, caller, "user.reset-second-factor", async (tx) => {
        if (!(await isOn(tx, userId))) throw noFactor();
        await deleteFactor(tx, userId);
      }),
  };
}
