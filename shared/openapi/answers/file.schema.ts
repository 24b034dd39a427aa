import { z } from "zod";
import { address, isoTime, spacedTime } from "./common.schema.ts";
import { named } from "./named.schema.ts";

const path = z
  .string()
  .regex(/^\/api\//)
  .describe("Path without host");
const bytes = z.int().min(0).describe("Bytes");

/** One file of a record or draft (records 6.1). */
export const fileEntry = named(
  "File",
  "A file of a record or draft; size, checksum and links to the bytes appear when it is completed.",
  z.object({
    key: z.string().describe("File name"),
    status: z.enum(["pending", "completed"]),
    created: spacedTime,
    updated: spacedTime,
    metadata: z.record(z.string(), z.unknown()).nullable(),
    access: z.object({ hidden: z.boolean() }),
    checksum: z
      .string()
      .regex(/^md5:[0-9a-f]{32}$/)
      .optional(),
    mimetype: z.string().optional(),
    size: bytes.optional(),
    file_id: z.uuid().optional(),
    version_id: z.uuid().optional(),
    bucket_id: z.uuid().optional(),
    storage_class: z.string().optional(),
    transfer: z.object({ type: z.string() }).optional(),
    links: z.object({
      self: path,
      content: path,
      commit: path.optional(),
      container: path.optional(),
      iiif_canvas: path.optional(),
      iiif_base: path.optional(),
      iiif_info: path.optional(),
      iiif_api: path.optional(),
    }),
  }),
);

export const fileCollection = named(
  "Files",
  "The files of a record or draft; with files disabled only `enabled` and `links`.",
  z.object({
    enabled: z.boolean(),
    links: z.object({ self: path, archive: path }),
    entries: z.array(fileEntry).optional(),
    default_preview: z.string().nullable().optional(),
    order: z.array(z.string()).optional(),
  }),
);

/** Files removed from a draft that can be restored. */
export const removedFileList = named(
  "RemovedFiles",
  "Files removed from a draft that can be restored, the last removed first.",
  z.object({
    entries: z.array(
      z.object({
        version_id: z.uuid().describe("Identifies the file for restoring it"),
        key: z.string().describe("File name"),
        size: bytes,
        removed: isoTime,
      }),
    ),
  }),
);

/** What is inside an archive, or one directory of it (records 11). */
export const containerListing = named(
  "ContainerListing",
  "The content of an archive, in its order.",
  z.object({
    entries: z.array(
      z.object({
        key: z.string().describe("Path inside the archive"),
        size: bytes,
        compressed_size: bytes,
        mimetype: z.string(),
        checksum: z.string().regex(/^crc:\d+$/),
        links: z.object({ content: address.optional() }).describe("Empty for a refused member"),
        metadata: z
          .object({ error: z.string() })
          .optional()
          .describe("Why a member is refused: its name would leave the archive"),
      }),
    ),
    directories: z.array(
      z.object({
        key: z.string(),
        links: z.object({ content: address }),
        entries: z.array(z.string()).describe("Keys of the files directly in it"),
        count: z.int().optional().describe("With `depth=1`: files below it"),
        size: bytes.optional().describe("With `depth=1`: of all files below it"),
      }),
    ),
    total: z.int().min(0).describe("Files in scope, even if the list is shorter"),
    truncated: z.boolean(),
    links: z.object({ next: address }).optional(),
  }),
);

const ldObject = z.looseObject({ "@id": z.string(), "@type": z.string() });

/** IIIF Image API: version 2, or 3 with `type` (interoperability 11). */
export const iiifImageInfo = named(
  "IiifImageInfo",
  "What the Image API offers for a picture: version 2, or version 3 for clients that name its profile.",
  z.looseObject({ "@context": z.string(), protocol: z.string(), width: z.int(), height: z.int() }),
);

/** IIIF Presentation 2 (records 12). */
export const iiifManifest = named(
  "IiifManifest",
  "A manifest of the IIIF Presentation API 2.",
  ldObject.extend({ "@context": z.string(), label: z.string(), sequences: z.array(ldObject) }),
);
export const iiifSequence = named(
  "IiifSequence",
  "The one sequence.",
  ldObject.extend({ canvases: z.array(ldObject) }),
);
export const iiifCanvas = named(
  "IiifCanvas",
  "An image of the record.",
  ldObject.extend({ width: z.int(), height: z.int(), images: z.array(ldObject) }),
);
