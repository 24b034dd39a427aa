import type { AccessService } from "../access/access.service.ts";
import type { FileEntryRow } from "../database/schema.ts";
import { listEntries } from "../files/file.reader.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { ExpandedMetadata } from "../metadata/metadata.schema.ts";
import type { ImageSize } from "../pictures/picture-order.policy.ts";
import { inOrder } from "../records/files-summary.presenter.ts";
import { mayReadFiles } from "../records/record.policy.ts";
import type { RecordService } from "../records/record.service.ts";
import { textOfHtml } from "../representations/presented-record.ts";
import type { IiifSubject } from "./iiif.presenter.ts";
import { imageSize } from "./image-size.ts";

/** A readable record or draft, and its files. */
export interface IiifSource {
  about: IiifSubject;
  id: string;
  isDraft: boolean;
  /** Undefined when the caller may not read the files. */
  entries: FileEntryRow[] | undefined;
}

/** Finds what the IIIF APIs are about. */
export interface IiifSources {
  /** @param subject `record:<id>` or `draft:<id>` @throws Failure 400 malformed, 404, 403, 410. */
  find(caller: Caller, subject: string): Promise<IiifSource>;
  /** Size of a picture by its header; undefined for anything else. @throws Failure 503 without the bytes. */
  measure(sha256: string): Promise<ImageSize | undefined>;
}

export interface IiifSourceParts {
  host: Host;
  access: AccessService;
  records: RecordService;
}

const rememberedSizes = 10_000;
/** Sizes by digest: the bytes of a digest never change. */
const sizes = new Map<string, ImageSize | undefined>();

/** Parses `record:<id>` or `draft:<id>`; undefined for anything else. */
export function readSubject(subject: string): { about: "record" | "draft"; id: string } | undefined {
  const [, about, id] = /^(record|draft):([^:/\s]+)$/.exec(subject) ?? [];
  return id === undefined ? undefined : { about: about === "draft" ? "draft" : "record", id };
}

/** Reads records and drafts for the IIIF APIs, with access checked like every reading route. */
export function iiifSources({ host, access, records }: IiifSourceParts): IiifSources {
  const { db } = host;

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

  async function find(caller: Caller, subject: string): Promise<IiifSource> {
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

  async function measure(sha256: string): Promise<ImageSize | undefined> {
    if (sizes.has(sha256)) return sizes.get(sha256);
    const size = await imageSize((range) => host.blobs.readBytes(sha256, range));
    if (sizes.size >= rememberedSizes) sizes.clear();
    sizes.set(sha256, size);
    return size;
  }

  return { find, measure };
}
