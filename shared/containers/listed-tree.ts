import type { ListedArchive } from "../blobs/blob-store.ts";
import { ContainerIndexBuilder, deflatedMethod } from "./container-index.ts";
import { ContainerTree } from "./container-tree.ts";
import { isUnsafeName } from "./member-name.ts";

/** The tree of an archive that is listed elsewhere. It does not know where in the archive the files are. */
export function listedTree({ files, directories }: ListedArchive): ContainerTree {
  const builder = new ContainerIndexBuilder(files.length);
  for (const key of directories) if (!isUnsafeName(key)) builder.addDirectory(Buffer.from(key));
  for (const { key, ...numbers } of files)
    builder.addFile({
      ...numbers,
      name: Buffer.from(key),
      method: deflatedMethod,
      dosTime: 0,
      isEncrypted: false,
      isRefused: isUnsafeName(key),
      headerOffset: 0,
    });
  return new ContainerTree(builder.done(), true);
}
