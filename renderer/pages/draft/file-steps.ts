import i18next from "i18next";
import type { FileEntry, FileName } from "../../api-client/record-types.ts";
import { deleteFiles, restoreFiles } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { renameFilesAndUploads } from "../../api-client/upload-queue.ts";
import { splitPath } from "../../format/names.ts";
import type { FileStep } from "./undo-history.ts";

/** A file that the user removed. */
export interface FileRemoval {
  key: string;
  versionId: string;
}

/** Files that were removed together. */
export class RemovalStep implements FileStep {
  readonly #draftId: string;
  files: FileRemoval[];

  constructor(draftId: string, files: FileRemoval[]) {
    this.#draftId = draftId;
    this.files = files;
  }

  /** @throws ApiFailure 404 if a file is no longer kept. */
  async undo(): Promise<void> {
    const versions = this.files.map(({ versionId }) => versionId);
    try {
      const keys = await restoreFiles(this.#draftId, versions);
      // A name may have been taken meanwhile.
      this.files = this.files.map((file, index) => ({ ...file, key: keys[index] ?? file.key }));
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
      const name = this.files.map(({ key }) => splitPath(key).name).join(", ");
      throw new ApiFailure(404, i18next.t("files.not_kept", { name }));
    }
  }

  redo(): Promise<void> {
    return deleteFiles(
      this.#draftId,
      this.files.map(({ key }) => key),
    );
  }

  forget(versionId: string): boolean {
    const left = this.files.filter((file) => file.versionId !== versionId);
    const isLast = left.length === 0 && this.files.length > 0;
    this.files = left;
    return isLast;
  }
}

/** Files that were renamed or moved together. */
export class RenameStep implements FileStep {
  readonly #draftId: string;
  readonly #names: FileName[];

  constructor(draftId: string, names: FileName[]) {
    this.#draftId = draftId;
    this.#names = names;
  }

  undo(): Promise<void> {
    return renameFilesAndUploads(
      this.#draftId,
      this.#names.map(({ key, new_key }) => ({ key: new_key, new_key: key })),
    );
  }

  redo(): Promise<void> {
    return renameFilesAndUploads(this.#draftId, this.#names);
  }
}

/** The files that can be restored: an unfinished upload cannot. */
export const removalsOf = (entries: readonly FileEntry[]): FileRemoval[] =>
  entries.flatMap(({ key, version_id }) => (version_id === undefined ? [] : [{ key, versionId: version_id }]));
