import type { Db, Tx } from "../database/open.ts";
import type { AccessLinkRow } from "../database/schema.ts";
import { isDelayed } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalidField, notFound } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type WriteResult } from "../kernel/host.ts";
import { mergeSeen } from "../kernel/merge-seen.ts";
import { dayOf } from "../kernel/timestamps.ts";
import type { RecordService } from "../records/record.service.ts";
import type { AccessService } from "./access.service.ts";
import { countLinks, deleteLink, findLink, insertLink, listLinks, updateLink } from "./access-link.repository.ts";
import {
  type CreateAccessLink,
  createAccessLink,
  type DeleteAccessLink,
  deleteAccessLink,
  type UpdateAccessLink,
  updateAccessLink,
} from "./access-link.schema.ts";

/** Links of a family (records 7.2). All functions need the level `manage`; else 403, 404 or 410. */
export interface AccessLinkService {
  /** The parent's id of a draft or record that the caller manages. */
  requireFamily(db: Db, caller: Caller, recordId: string): Promise<string>;
  list(db: Db, caller: Caller, recordId: string): Promise<AccessLinkRow[]>;
  /** @throws Failure 404 `No secret link found with the given ID.` */
  require(db: Db, caller: Caller, recordId: string, id: string): Promise<AccessLinkRow>;
  /** @throws Failure 400 when the family has 1,000 links. */
  create(caller: Caller, command: CreateAccessLink): Promise<{ id: string }>;
  /** @throws Failure 400 when the expiry is later than before or removed. */
  update(caller: Caller, command: UpdateAccessLink): Promise<{ id: string }>;
  remove(caller: Caller, command: DeleteAccessLink): Promise<{ id: string }>;
  /** Inserts a link that was decided elsewhere. Checks no right. */
  make(tx: Tx, link: AccessLinkRow): Promise<void>;
  /** A link by its id, as long as it works. Checks no right. */
  findMade(db: Db, parentId: string, id: string): Promise<AccessLinkRow | undefined>;
  commands: CommandHandler[];
}

function assertNotPostponed(link: AccessLinkRow, expiresAt: string | null | undefined): void {
  if (expiresAt === undefined || link.expires_at === null) return;
  if (expiresAt !== null && expiresAt <= link.expires_at) return;
  throw invalidField("expires_at", "Cannot postpone expiration of links");
}

type LinkValues = NonNullable<UpdateAccessLink["seen"]>;

const valuesOf = ({ permission, expires_at, description }: AccessLinkRow) =>
  ({ permission, expires_at, description }) as LinkValues;

/**
 * The link with the changes that the user made to the one they saw. A replica shows theirs until the server has decided.
 * @throws Failure 409 if one value was changed elsewhere meanwhile: nobody gets a right back unnoticed.
 */
function changedValues(
  { abilities }: Pick<Host, "abilities">,
  link: AccessLinkRow,
  { permission, expires_at, description, seen = valuesOf(link) }: UpdateAccessLink,
): LinkValues {
  const mine = {
    permission,
    expires_at: expires_at === undefined ? seen.expires_at : expires_at,
    description: description ?? seen.description,
  };
  const { next, isDisputed } = mergeSeen<LinkValues>({ seen, mine, theirs: valuesOf(link) });
  if (isDisputed && abilities.decides)
    throw new Failure("conflict", "The access link was changed elsewhere meanwhile: look at it again.");
  return next;
}

/** Each body of the record names its links, so they must stay few. */
const maxLinks = 1000;

const tooManyLinks = (): Failure =>
  new Failure("invalid", `There are ${maxLinks} links already. Delete those that are no longer used.`);

const writeResult = (id: string, parentId: string, title: string): WriteResult<{ id: string }> => ({
  result: { id },
  touched: [{ kind: "family", id: parentId }],
  object: { kind: "access-link", id },
  title,
});

interface Services {
  host: Host;
  access: AccessService;
  records: RecordService;
}

export function accessLinkService({ host, access, records }: Services): AccessLinkService {
  async function requireFamily(db: Db, caller: Caller, recordId: string): Promise<string> {
    const parentId = await records.requireParentId(db, caller, recordId);
    await access.require(db, caller, parentId, "manage");
    return parentId;
  }

  async function requireLink(db: Db, caller: Caller, recordId: string, id: string): Promise<AccessLinkRow> {
    const link = await findLink(db, await requireFamily(db, caller, recordId), id);
    if (!link) throw notFound("No secret link found with the given ID.");
    return link;
  }

  const create = (caller: Caller, command: CreateAccessLink) =>
    host.write(caller, createAccessLink, command, async (tx: Tx, { now }) => {
      const { recordId, ...link } = command;
      const parentId = await requireFamily(tx, caller, recordId);
      if ((await countLinks(tx, parentId)) >= maxLinks) throw tooManyLinks();
      await insertLink(tx, { ...link, parent_id: parentId, created_at: now });
      return writeResult(link.id, parentId, "Create an access link");
    });

  async function update(caller: Caller, sent: UpdateAccessLink) {
    const { recordId, id } = sent;
    const isMadeHere = !host.abilities.decides && !isDelayed(caller);
    const command = isMadeHere ? { ...sent, seen: valuesOf(await requireLink(host.db, caller, recordId, id)) } : sent;
    return host.write(caller, updateAccessLink, command, async (tx: Tx) => {
      const link = await requireLink(tx, caller, recordId, id);
      const next = changedValues(host, link, command);
      assertNotPostponed(link, next.expires_at);
      await updateLink(tx, link.id, next);
      return writeResult(link.id, link.parent_id, "Change an access link");
    });
  }

  const remove = (caller: Caller, command: DeleteAccessLink) =>
    host.write(caller, deleteAccessLink, command, async (tx: Tx) => {
      const link = await requireLink(tx, caller, command.recordId, command.id);
      await deleteLink(tx, link.id);
      return writeResult(link.id, link.parent_id, "Delete an access link");
    });

  return {
    async make(tx, link) {
      await insertLink(tx, link);
    },
    async findMade(db, parentId, id) {
      const link = await findLink(db, parentId, id);
      return link && (link.expires_at === null || link.expires_at > dayOf(host.now())) ? link : undefined;
    },
    requireFamily,
    list: async (db, caller, recordId) => listLinks(db, await requireFamily(db, caller, recordId)),
    require: requireLink,
    create,
    update,
    remove,
    commands: [handles(createAccessLink, create), handles(updateAccessLink, update), handles(deleteAccessLink, remove)],
  };
}
