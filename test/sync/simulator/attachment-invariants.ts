import { createHash } from "node:crypto";
import { sql } from "kysely";
import { callerFor } from "../../../server/sync/feed.service.ts";
import type { EventFileRow } from "../../../shared/database/schema.ts";
import { defaultSettings } from "../../../shared/settings/settings.schema.ts";
import { mayHold } from "./oracle.ts";
import { people } from "./step.ts";
import { keptText } from "./text-of.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/** I2: an attached file is shown by its comment, is queued with it, or was removed by a later action of its users. */
async function kept({ ledger, server, replicas }: World, files: readonly EventFileRow[]): Promise<void> {
  const byId = new Map(files.map((file) => [file.id, file]));
  const waiting = await keptText(server, replicas);
  const rows = await server.db.selectFrom("request").select("id").execute();
  const requests = new Set(rows.map(({ id }) => id));
  for (const { id, comment, request, marker } of ledger.attachments) {
    const isDropped = [id, comment, marker].some((one) => ledger.dropped.has(one));
    if (isDropped || !requests.has(request) || waiting.includes(id)) continue;
    if (byId.get(id)?.event_id !== comment) throw new Violation(`I2 the file ${id} of comment ${comment} is nowhere`);
  }
}

/** I4: the bytes of a file are what its row says. */
async function assertBytes({ server }: World, { id, sha256, size }: EventFileRow): Promise<void> {
  if (!server.blobs.hasNow(sha256)) throw new Violation(`I4 the bytes of attachment ${id} are not there`);
  const bytes = await server.blobs.readBytes(sha256, { start: 0, end: 1_000_000 });
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (digest !== sha256 || bytes.length !== size) throw new Violation(`I4 the bytes of attachment ${id} are others`);
}

/** I5: only users who may read a conversation get its bytes. */
async function assertReaders(world: World, file: EventFileRow): Promise<void> {
  const { db, services } = world.server;
  for (const name of people) {
    const userId = world.idOf(name);
    const caller = await callerFor(db, defaultSettings, userId);
    const reached = (await services.blobAccess.find(caller, file.sha256)) !== undefined;
    const may = await mayHold(db, userId, { kind: "request", id: file.request_id });
    if (reached !== may)
      throw new Violation(`I5 ${name} ${may ? "cannot reach" : "reaches"} the attachment ${file.id}`);
  }
}

/** The invariants I2 to I5 for files of conversations. */
export async function attachmentsRight(world: World): Promise<void> {
  const { db } = world.server;
  const files = await db.selectFrom("event_file").selectAll().execute();
  await kept(world, files);
  const { rows } = await sql`select sha256 from event_file group by sha256 having count(*) > 1`.execute(db);
  if (rows.length > 0) throw new Violation(`I3 an attachment stands twice: ${JSON.stringify(rows)}`);
  for (const file of files) {
    await assertBytes(world, file);
    await assertReaders(world, file);
  }
}
