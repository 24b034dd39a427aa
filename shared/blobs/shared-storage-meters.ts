import { setTimeout } from "node:timers/promises";
import { deleteLock, takeLock } from "../database/lock.repository.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { KeyedMutex } from "../kernel/keyed-mutex.ts";
import { type StorageMeters, sumOf, type UploadStart, usedUp } from "./storage-meters.ts";
import type { UploadMeter } from "./upload-meter.ts";
import { deleteLeftRooms, deleteRoom, listRooms, upsertRoom } from "./upload-room.repository.ts";

const leaseMicros = 15_000_000;
const renewMs = 5000;
const retryMs = 25;
/** What an upload of unknown length takes at once. */
const stepBytes = 8 * 1024 * 1024;

type MeterHost = Pick<Host, "db" | "now" | "newUuid">;

/** What one upload may store, in a row that all processes count. */
class Room {
  readonly #host: MeterHost;
  readonly #userId: string;
  readonly #at: UploadStart | undefined;
  readonly #id: string;
  #bytes: number | undefined;

  constructor(host: MeterHost, userId: string, at: UploadStart | undefined) {
    this.#host = host;
    this.#userId = userId;
    this.#at = at;
    this.#id = host.newUuid();
  }

  get bytes(): number {
    return this.#bytes ?? 0;
  }

  /**
   * Takes at least `bytes` more, and up to `most` if there is room. One call of a user at a time.
   * @throws Failure 507
   */
  async take(quota: number, bytes: number, most: number): Promise<void> {
    const { db } = this.#host;
    // Before the stored bytes: an upload that ends in the meantime counts twice, not never.
    const rooms = await listRooms(db, this.#userId, this.#host.now(), leaseMicros);
    const starts = new Map(rooms.flatMap(({ upload, start }) => (upload === null ? [] : [[upload, start] as const])));
    const held = rooms.reduce((sum, room) => sum + room.bytes, 0);
    const free = quota - held - (await sumOf(db, this.#userId, starts));
    if (free < bytes) throw usedUp(quota);
    if (this.#bytes === undefined) await deleteLeftRooms(db, this.#host.now(), this.#at?.upload ?? null);
    this.#bytes = this.bytes + Math.max(bytes, Math.min(free, most));
    await this.store();
  }

  /** Stores the row, with a new lease. */
  store(): Promise<unknown> {
    const { upload = null, start = 0 } = this.#at ?? {};
    const held_until = this.#host.now() + leaseMicros;
    return upsertRoom(this.#host.db, {
      ...{ id: this.#id, user_id: this.#userId, upload, start },
      ...{ bytes: this.bytes, held_until },
    });
  }

  drop = (db = this.#host.db): Promise<unknown> => deleteRoom(db, this.#id);
}

/**
 * Counts the uploads of several processes. Each takes its room before its bytes arrive, so that uploads at once never pass
 * a quota together. The room of a process that is silent for 15 s is free again.
 */
export function sharedStorageMeters(host: MeterHost, quotaOf: (userId: string) => Promise<number>): StorageMeters {
  const { db } = host;
  const mutex = new KeyedMutex();

  /** Runs the work while no other process takes room for the user. */
  async function alone(userId: string, work: () => Promise<void>): Promise<void> {
    const [name, holder] = [`quota:${userId}`, host.newUuid()];
    const take = () => takeLock(db, { name, holder, now: host.now(), until: host.now() + leaseMicros });
    await mutex.run(userId, async () => {
      while (!(await take())) await setTimeout(retryMs);
      try {
        await work();
      } finally {
        await deleteLock(db, name, holder);
      }
    });
  }

  return {
    async open(userId, bytes, at): Promise<UploadMeter> {
      const room = new Room(host, userId, at);
      const take = async (more: number, most: number) => {
        const quota = await quotaOf(userId);
        await alone(userId, () => room.take(quota, more, most));
      };
      await take(bytes, bytes);
      // Without a renewal the room is free earlier.
      const timer = setInterval(() => room.store().catch(() => undefined), renewMs).unref();
      let taken = 0;
      let refusal: Failure | undefined;
      return {
        async *count(body) {
          for await (const chunk of body) {
            taken += chunk.byteLength;
            const more = taken - room.bytes;
            if (more > 0) {
              await take(more, stepBytes).catch((error) => {
                if (error instanceof Failure && error.kind === "quota_used_up") refusal = error;
                throw error;
              });
            }
            yield chunk;
          }
        },
        get refusal() {
          return refusal;
        },
        onStored: room.drop,
        async close() {
          clearInterval(timer);
          // Otherwise the room ends with its lease; what was stored is stored.
          await room.drop().catch(() => undefined);
        },
      };
    },
    async usageOf(userId) {
      return { quota_bytes: await quotaOf(userId), used_bytes: await sumOf(db, userId) };
    },
    noteQuota: () => undefined,
  };
}
