import { isDeepStrictEqual } from "node:util";
import type { Db, Tx } from "../database/open.ts";
import type { AccessGrantRow } from "../database/schema.ts";
import { isDelayed } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalidField, notFound } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type WriteResult } from "../kernel/host.ts";
import { mergeSeen } from "../kernel/merge-seen.ts";
import { settled } from "../kernel/settled.ts";
import { cleanHtml } from "../records/html-cleaner.ts";
import type { RecordService } from "../records/record.service.ts";
import { listGrants } from "./access.repository.ts";
import type { AccessService } from "./access.service.ts";
import {
  deleteGrantRow,
  existsGroup,
  existsUser,
  insertGrant,
  updateGrantRow,
  updateSettings,
} from "./grant.repository.ts";
import {
  type CreateGrants,
  createGrants,
  type DeleteGrant,
  deleteGrant,
  type GrantSubject,
  type UpdateAccessSettings,
  type UpdateGrant,
  updateAccessSettings,
  updateGrant,
} from "./grant.schema.ts";

/** Grants of a family (records 7.3). All functions need the level `manage`; else 403, 404 or 410. */
export interface GrantService {
  /** Inserts a grant that was decided elsewhere, unless its subject holds one already. Checks no right. */
  give(tx: Tx, grant: AccessGrantRow): Promise<void>;
  list(db: Db, caller: Caller, recordId: string): Promise<AccessGrantRow[]>;
  /** @throws Failure 400 for a subject that has a grant already, or that does not exist. */
  create(caller: Caller, command: CreateGrants): Promise<{ ids: string[] }>;
  update(caller: Caller, command: UpdateGrant): Promise<{ ids: string[] }>;
  remove(caller: Caller, command: DeleteGrant): Promise<{ ids: string[] }>;
  changeSettings(caller: Caller, command: UpdateAccessSettings): Promise<{ ids: string[] }>;
  commands: CommandHandler[];
}

const systemRoles = ["any_user", "authenticated_user"];
const subjectNames = { user: "user", role: "group", system_role: "system role" } as const;

/** Checks that a subject exists. A replica accepts users and groups that it does not know (hosts-and-sync 8). */
async function assertSubject(db: Db, host: Host, { type, id }: GrantSubject): Promise<void> {
  const isKnown =
    type === "system_role"
      ? systemRoles.includes(id)
      : !host.abilities.holdsEverything || (type === "user" ? await existsUser(db, id) : await existsGroup(db, id));
  if (!isKnown) throw invalidField("subject.id", `There is no ${subjectNames[type]} '${id}'.`);
}

const isOf = (grant: AccessGrantRow, { type, id }: GrantSubject): boolean =>
  grant.subject_type === type && grant.subject_id === id;

const isGranted = (): Failure => new Failure("invalid", "Grant for this user/role already exists within this record.");

function assertNew(grants: readonly AccessGrantRow[], subject: GrantSubject): void {
  if (grants.some((grant) => isOf(grant, subject))) throw isGranted();
}

const writeResult = (ids: string[], parentId: string, title: string): WriteResult<{ ids: string[] }> => ({
  result: { ids },
  touched: [{ kind: "family", id: parentId }],
  object: { kind: "access-grant", id: ids[0] ?? parentId },
  title,
});

type GrantValues = NonNullable<UpdateGrant["seen"]>;

const valuesOf = ({ permission, subject_type: type, subject_id: id, origin, message }: AccessGrantRow) =>
  ({ permission, subject: { type, id }, origin, message }) as GrantValues;

/** @throws Failure 400 if another computer of the user gave all of these meanwhile. */
function assertNotGiven(held: readonly AccessGrantRow[], { grants }: CreateGrants): void {
  const there = held.map(valuesOf);
  if (grants.every(({ id: _, ...grant }) => there.some((one) => isDeepStrictEqual(one, grant))))
    throw settled(isGranted());
}

/**
 * The grant with the changes that the user made to the one they saw. A replica shows theirs until the server has decided.
 * @throws Failure 409 if one value was changed elsewhere meanwhile: nobody gets a right back unnoticed.
 */
function changedValues(
  { abilities }: Pick<Host, "abilities">,
  grant: AccessGrantRow,
  { permission, subject, origin, message, seen = valuesOf(grant) }: UpdateGrant,
): GrantValues {
  const mine = {
    permission: permission ?? seen.permission,
    subject: subject ?? seen.subject,
    origin: origin === undefined ? seen.origin : origin,
    message: message === undefined ? seen.message : message,
  };
  const { next, isDisputed } = mergeSeen<GrantValues>({ seen, mine, theirs: valuesOf(grant) });
  if (isDisputed && abilities.decides)
    throw new Failure("conflict", "The access was changed elsewhere meanwhile: look at it again.");
  return next;
}

/** A new grant is the last: grants are named by position, and the others may have times of a clock that is ahead. */
const createdAfter = (others: readonly AccessGrantRow[], now: number): number =>
  Math.max(now, (others.at(-1)?.created ?? 0) + 1);

interface Services {
  host: Host;
  access: AccessService;
  records: RecordService;
}

/** Finds families and grants for callers who manage them. */
function grantLookup({ access, records }: Pick<Services, "access" | "records">) {
  async function requireFamily(db: Db, caller: Caller, recordId: string) {
    const parentId = await records.requireParentId(db, caller, recordId);
    return (await access.require(db, caller, parentId, "manage")).parent;
  }

  async function requireGrant(db: Db, caller: Caller, recordId: string, id: string) {
    const grants = await listGrants(db, (await requireFamily(db, caller, recordId)).id);
    const grant = grants.find((candidate) => candidate.id === id);
    if (!grant) throw notFound("No grant found with the given ID.");
    return { grant, others: grants.filter((candidate) => candidate !== grant) };
  }

  return { requireFamily, requireGrant };
}

export function grantService(services: Services): GrantService {
  const { host } = services;
  const { requireFamily, requireGrant } = grantLookup(services);

  const create = (caller: Caller, command: CreateGrants) =>
    host.write(caller, createGrants, command, async (tx: Tx, { now }) => {
      const parent_id = (await requireFamily(tx, caller, command.recordId)).id;
      if (isDelayed(caller)) assertNotGiven(await listGrants(tx, parent_id), command);
      for (const { subject, ...grant } of command.grants) {
        await assertSubject(tx, host, subject);
        const there = await listGrants(tx, parent_id);
        assertNew(there, subject);
        await insertGrant(tx, {
          ...grant,
          parent_id,
          subject_type: subject.type,
          subject_id: subject.id,
          created: createdAfter(there, now),
        });
      }
      const ids = command.grants.map(({ id }) => id);
      return writeResult(ids, parent_id, "Give access");
    });

  async function update(caller: Caller, sent: UpdateGrant) {
    const { id, recordId } = sent;
    const isMadeHere = !host.abilities.decides && !isDelayed(caller);
    const command = isMadeHere
      ? { ...sent, seen: valuesOf((await requireGrant(host.db, caller, recordId, id)).grant) }
      : sent;
    return host.write(caller, updateGrant, command, async (tx: Tx) => {
      const { grant, others } = await requireGrant(tx, caller, recordId, id);
      const { subject, ...next } = changedValues(host, grant, command);
      if (!isOf(grant, subject)) {
        await assertSubject(tx, host, subject);
        assertNew(others, subject);
      }
      await updateGrantRow(tx, id, { ...next, subject_type: subject.type, subject_id: subject.id });
      return writeResult([id], grant.parent_id, "Change an access grant");
    });
  }

  const remove = (caller: Caller, command: DeleteGrant) =>
    host.write(caller, deleteGrant, command, async (tx: Tx) => {
      const { grant } = await requireGrant(tx, caller, command.recordId, command.id);
      await deleteGrantRow(tx, grant.id);
      return writeResult([grant.id], grant.parent_id, "Take access back");
    });

  const changeSettings = (caller: Caller, command: UpdateAccessSettings) =>
    host.write(caller, updateAccessSettings, command, async (tx: Tx) => {
      const parent = await requireFamily(tx, caller, command.recordId);
      const { accept_conditions_text: text, ...settings } = command.settings;
      const conditions = text === undefined ? {} : { accept_conditions_text: text && cleanHtml(text) };
      const all = { ...JSON.parse(parent.settings), ...settings, ...conditions };
      await updateSettings(tx, parent.id, JSON.stringify(all));
      return writeResult([], parent.id, "Change the access settings");
    });

  return {
    async give(tx, grant) {
      const there = await listGrants(tx, grant.parent_id);
      const isHeld = there.some((one) => isOf(one, { type: grant.subject_type, id: grant.subject_id } as GrantSubject));
      if (!isHeld) await insertGrant(tx, { ...grant, created: createdAfter(there, grant.created) });
    },
    list: async (db, caller, recordId) => listGrants(db, (await requireFamily(db, caller, recordId)).id),
    create,
    update,
    remove,
    changeSettings,
    commands: [handles(createGrants, create), handles(updateGrant, update), handles(deleteGrant, remove)],
  };
}
