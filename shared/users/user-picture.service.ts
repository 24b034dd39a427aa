import { createHash } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, transaction } from "../database/open.ts";
import type { UserRow } from "../database/schema.ts";
import { imageSize } from "../iiif/image-size.ts";
import type { Call } from "../kernel/call.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { ByteRange } from "../kernel/ranges.ts";
import { type ImageSize, maxPixels, type PictureOrder } from "../pictures/picture-order.policy.ts";
import type { Pictures } from "../pictures/pictures.ts";
import { maxPictureBytes, updateProfile } from "./profile.schema.ts";
import { pictureDigest } from "./user.presenter.ts";
import { findUser, updateUser } from "./user.repository.ts";
import { deletePicture, findPicture, upsertPicture } from "./user-picture.repository.ts";

/** Pixels of a side: twice of what is shown at most, for fine screens. */
const sidePx = 192;

export interface UserPictureService {
  /**
   * Makes a picture the caller's own: the square in its middle, small, without the file's metadata.
   * @throws Failure 400 no picture, 413 too large, 422 damaged, 503 when too many pictures are drawn.
   */
  keep(call: Call, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Removes the caller's picture. */
  remove(call: Call): Promise<void>;
  /** The JPEG of a user, if it is on this host; undefined also without a picture. */
  find(db: Db, user: UserRow): Promise<Uint8Array | undefined>;
  /** Replica: stores a picture of the server. @returns whether it is the user's present one. */
  store(user: UserRow, bytes: Uint8Array): Promise<boolean>;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The square in the middle, not larger than it is. */
function squareOf({ width, height }: ImageSize): PictureOrder {
  const side = Math.min(width, height);
  const region = {
    left: Math.floor((width - side) / 2),
    top: Math.floor((height - side) / 2),
    width: side,
    height: side,
  };
  const drawnPx = Math.min(side, sidePx);
  return { region, width: drawnPx, height: drawnPx, format: "jpg" };
}

/** Writes the body to a file of its own, which the decoder reads. */
async function withFile<T>(bytes: AsyncIterable<Buffer>, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-picture-"));
  try {
    const file = join(folder, "picture");
    const handle = await open(file, "wx", 0o600);
    try {
      let size = 0;
      for await (const chunk of bytes) {
        size += chunk.length;
        if (size > maxPictureBytes)
          throw new Failure("too_large", `A picture has at most ${maxPictureBytes / 1_000_000} MB.`);
        await handle.write(chunk);
      }
    } finally {
      await handle.close();
    }
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(file: string): Promise<ImageSize> {
  const handle = await open(file);
  try {
    const read = async ({ start, end }: ByteRange): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
      return buffer.subarray(0, bytesRead);
    };
    const size = await imageSize(read);
    if (!size?.width || !size.height) throw new Failure("invalid", "Choose a JPEG, PNG, GIF or TIFF picture.");
    if (size.width * size.height > maxPixels)
      throw new Failure("unprocessable", `The picture has more than ${maxPixels} pixels.`);
    return size;
  } finally {
    await handle.close();
  }
}

const lastIsProcessed = (): Failure =>
  new Failure("too_many", "Your last picture is still being processed. Try again.", {
    headers: { "Retry-After": "5" },
  });

/** Pictures of users (app, Missing 11). Only the server makes them; the digest is among the user's preferences. */
export function userPictureService(host: Host, pictures: Pictures): UserPictureService {
  /** Users whose picture arrives or is drawn. */
  const keeping = new Set<string>();
  const change = (call: Call, bytes: Uint8Array | null): Promise<void> => {
    const digest = bytes && sha256(bytes);
    return host.write(call, updateProfile, { picture: digest }, async (tx, { now }) => {
      const user = await findUser(tx, call.userId ?? "");
      if (!user) throw notFound();
      const { picture: _before, ...others } = JSON.parse(user.preferences) as Record<string, unknown>;
      const preferences = JSON.stringify(digest === null ? others : { ...others, picture: digest });
      await updateUser(tx, user.id, { preferences, updated: now, revision_id: user.revision_id + 1 });
      if (bytes && digest) await upsertPicture(tx, { user_id: user.id, sha256: digest, bytes });
      else await deletePicture(tx, user.id);
      const object = { kind: "user" as const, id: user.id };
      return { result: undefined, object, touched: [object], title: "Change the picture" };
    });
  };

  return {
    async keep(call, bytes) {
      const userId = call.userId ?? "";
      // Each has a file while it waits, and all pictures of the server wait for each other.
      if (keeping.has(userId)) throw lastIsProcessed();
      keeping.add(userId);
      try {
        const drawn = await withFile(bytes, async (file) => pictures.drawOnce(file, squareOf(await measure(file))));
        await change(call, drawn);
      } finally {
        keeping.delete(userId);
      }
    },
    remove: (call) => change(call, null),
    async find(db, user) {
      const digest = pictureDigest(user);
      const row = digest === undefined ? undefined : await findPicture(db, user.id);
      return row?.sha256 === digest ? row?.bytes : undefined;
    },
    async store(user, bytes) {
      const digest = sha256(bytes);
      if (digest !== pictureDigest(user)) return false;
      await transaction(host.db, (tx) => upsertPicture(tx, { user_id: user.id, sha256: digest, bytes }));
      return true;
    },
  };
}
