import type { AccessService } from "../access/access.service.ts";
import type { FileEntryRow } from "../database/schema.ts";
import { filesPath } from "../files/file.presenter.ts";
import { listEntries } from "../files/file.reader.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, forbidden, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { ExpandedMetadata } from "../metadata/metadata.schema.ts";
import { inOrder } from "../records/files-summary.presenter.ts";
import { mayReadFiles } from "../records/record.policy.ts";
import type { RecordService } from "../records/record.service.ts";
import { textOfHtml } from "../representations/presented-record.ts";
import type { IiifImage, IiifSubject } from "./iiif.presenter.ts";
import { type ImageSize, imageSize } from "./image-size.ts";

/** A readable record or draft, and its files. */
interface Source {
  about: IiifSubject;
  id: string;
  isDraft: boolean;
  /** Undefined when the caller may not read the files. */
  entries: FileEntryRow[] | undefined;
}

export interface IiifService {
  /**
   * Reads the images for a manifest or sequence: those whose files the caller may read.
   * @param subject `record:<id>` or `draft:<id>`.
   * @throws Failure 400 malformed, 404, 403, 410.
   */
  read(caller: Caller, subject: string): Promise<{ about: IiifSubject; images: IiifImage[] }>;
  /** One image. @throws Failure as `read`; 403 if the files are not readable; 404 if the file is no such image. */
  readImage(caller: Caller, subject: string, key: string): Promise<{ about: IiifSubject; image: IiifImage }>;
}

const imageNames = /\.(?:gif|jp2|jpe?g|png|tiff?)$/i;
/** Smaller images get no canvas (records 12). */
const smallestSide = 256;
const rememberedSizes = 10_000;

/** Parses `record:<id>` or `draft:<id>`; undefined for anything else. */
export function readSubject(subject: string): { about: "record" | "draft"; id: string } | undefined {
  const [, about, id] = /^(record|draft):([^:/\s]+)$/.exec(subject) ?? [];
  return id === undefined ? undefined : { about: about === "draft" ? "draft" : "record", id };
}

/** Reads records and drafts for IIIF. */
export function iiifService(parts: { host: Host; access: AccessService; records: RecordService }): IiifService {
  const { host, access, records } = parts;
  const { db } = host;
  const sizes = new Map<string, ImageSize | undefined>();

  async function sizeOf(sha256: string): Promise<ImageSize | undefined> {
    if (sizes.has(sha256)) return sizes.get(sha256);
    try {
      const size = await imageSize((range) => host.blobs.readBytes(sha256, range));
      if (sizes.size >= rememberedSizes) sizes.clear();
      sizes.set(sha256, size);
      return size;
    } catch (error) {
      // A replica without the bytes: the size is unknown.
      if (error instanceof Failure && error.kind === "unavailable") return undefined;
      throw error;
    }
  }

  function describe(subject: string, row: { expanded: string }): IiifSubject {
    const metadata = JSON.parse(row.expanded) as ExpandedMetadata;
    return {
      baseUrl: host.baseUrl,
      subject,
      title: metadata.title ?? "",
      description: textOfHtml(metadata.description ?? ""),
      publicationDate: metadata.publication_date ?? "",
    };
  }

  async function sourceOf(caller: Caller, subject: string): Promise<Source> {
    const named = readSubject(subject);
    if (!named) throw new Failure("invalid", `Invalid identifier '${subject}'.`);
    const { about, id } = named;
    if (about === "draft") {
      const draft = await records.findDraft(db, id);
      await access.requireDraft(db, caller, draft, "preview");
      const rows = await listEntries(db, { kind: draft.is_edit === 1 ? "record" : "draft", id });
      return {
        about: describe(subject, draft),
        id,
        isDraft: true,
        entries: inOrder(rows, JSON.parse(draft.file_order)),
      };
    }
    const found = await records.require(db, caller, id);
    const { record } = found;
    const seesFiles = record.files_enabled === 1 && mayReadFiles(found.access, found.family.level);
    const rows = seesFiles ? await listEntries(db, { kind: "record", id }) : undefined;
    const entries = rows && inOrder(rows, JSON.parse(record.file_order));
    return { about: describe(subject, record), id, isDraft: false, entries };
  }

  async function imageOf(source: Source, entry: FileEntryRow): Promise<IiifImage | undefined> {
    if (entry.status !== "completed" || entry.sha256 === null || !imageNames.test(entry.key)) return undefined;
    const size = await sizeOf(entry.sha256);
    if (!size || size.width <= smallestSide || size.height <= smallestSide) return undefined;
    const url = `${host.baseUrl}${filesPath(source)}/${encodeURIComponent(entry.key)}/content`;
    return { key: entry.key, mimetype: entry.mimetype ?? "application/octet-stream", ...size, url };
  }

  return {
    async read(caller, subject) {
      const source = await sourceOf(caller, subject);
      const images: IiifImage[] = [];
      for (const entry of source.entries ?? []) {
        const image = await imageOf(source, entry);
        if (image) images.push(image);
      }
      return { about: source.about, images };
    },

    async readImage(caller, subject, key) {
      const source = await sourceOf(caller, subject);
      if (!source.entries) throw forbidden();
      const entry = source.entries.find((candidate) => candidate.key === key);
      const image = entry && (await imageOf(source, entry));
      if (!image) throw notFound(`Record '${source.id}' has no file '${key}'.`);
      return { about: source.about, image };
    },
  };
}
