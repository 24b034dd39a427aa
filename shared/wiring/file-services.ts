import type { AccessService } from "../access/access.service.ts";
import type { StorageQuotaService } from "../blobs/storage-quota.service.ts";
import { uploadService } from "../blobs/upload.service.ts";
import type { UploadLock } from "../blobs/upload-lock.ts";
import { containerService } from "../containers/container.service.ts";
import type { DraftFilesOptions } from "../drafts/draft-files-options.service.ts";
import { blobAccess, type MayReadBytes } from "../files/blob-access.service.ts";
import { contentService } from "../files/content.service.ts";
import { fileService } from "../files/file.service.ts";
import { fileLookup } from "../files/file-lookup.service.ts";
import { fileRenames } from "../files/file-rename.service.ts";
import { removedFiles } from "../files/removed-file.service.ts";
import type { Host } from "../kernel/host.ts";
import type { RecordService } from "../records/record.service.ts";

export interface FileServicesNeeds {
  host: Host;
  access: AccessService;
  records: RecordService;
  filesOptions: DraftFilesOptions;
  /** Judges of bytes that no file has, such as attachments of comments. */
  others: MayReadBytes[];
  quota: StorageQuotaService;
  uploadLock: UploadLock;
}

/** Files, their bytes and the archives among them, wired. */
export function createFileServices(needs: FileServicesNeeds) {
  const { host, access, records, filesOptions, others, quota } = needs;
  const uploads = uploadService(host, needs.uploadLock);
  const lookup = fileLookup({ access, records, host });
  const blobs = blobAccess({ host, lookup, uploads, others });
  const removed = removedFiles({ host, lookup, blobs, filesOptions });
  const files = fileService({ host, lookup, blobs, uploads, filesOptions, removedFiles: removed });
  const renames = fileRenames({ host, lookup, filesOptions });
  const content = contentService({ host, lookup, files, uploads, quota });
  const containers = containerService(host);
  return {
    uploads,
    lookup,
    blobAccess: blobs,
    files,
    fileRenames: renames,
    removedFiles: removed,
    content,
    containers,
  };
}
