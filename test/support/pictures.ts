import sharp from "sharp";
import type { HttpClient } from "./http-client.ts";
import { givenDraft, metadata, publish } from "./records.ts";

const ground = { channels: 3, background: { r: 0, g: 100, b: 139 } } as const;

/** A picture of one colour. */
export const picture = (width: number, height: number, format: "jpeg" | "png" | "gif" | "tiff"): Promise<Buffer> =>
  sharp({ create: { width, height, ...ground } })
    .toFormat(format)
    .toBuffer();

/** Width, height and format of an answer. */
export async function shapeOf(bytes: Uint8Array): Promise<[width: number, height: number, format: string]> {
  const { width, height, format } = await sharp(bytes).metadata();
  return [width, height, format];
}

/** A picture on its side: stored with 600 × 800 pixels, and turned by its Exif. */
export const turnedPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 800, height: 600, ...ground } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

/** Adds files to a draft. */
export async function addFiles(client: HttpClient, id: string, files: Record<string, Uint8Array>): Promise<void> {
  const path = `/api/records/${id}/draft/files`;
  for (const [key, bytes] of Object.entries(files)) {
    await client.post(path, [{ key }]);
    await client.putBytes(`${path}/${encodeURIComponent(key)}/content`, bytes);
    const { status, text } = await client.post(`${path}/${encodeURIComponent(key)}/commit`);
    if (status !== 200) throw new Error(`not committed: ${status} ${text}`);
  }
}

/** A published record with these files. @returns its id. */
export async function givenPictures(
  client: HttpClient,
  files: Record<string, Uint8Array>,
  access: object = { record: "public", files: "public" },
): Promise<string> {
  const id = await givenDraft(client, { access, files: { enabled: true }, metadata });
  await addFiles(client, id, files);
  await publish(client, id);
  return id;
}
