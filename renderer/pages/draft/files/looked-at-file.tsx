import { useEffect, useRef } from "react";
import type { FileEntry } from "../../../api-client/record-types.ts";
import { draftFileContent } from "../../../api-client/records.ts";
import { PreviewDialog, type PreviewedFile } from "../../../components/preview/preview-dialog.tsx";
import { isArchiveName, useFileTree } from "./file-actions.ts";
import type { FileNode } from "./file-tree.ts";

interface LookedAtFileProps {
  /** Name of the file, which the address holds. */
  at: string;
  entries: readonly FileEntry[];
  byId: ReadonlyMap<string, FileNode>;
  onLook: (path: string | null) => void;
}

/** The preview of a file of the draft. It follows the file to another name, and then the one that replaced it. */
export function LookedAtFile({ at, entries, byId, onLook }: LookedAtFileProps) {
  const { draftId } = useFileTree();
  const before = useRef<{ at: string; id: string | undefined }>(undefined);
  const same = before.current?.at === at ? byId.get(before.current.id ?? "") : undefined;
  const node = same ?? [...byId.values()].find(({ kind, path }) => kind === "file" && path === at);
  useEffect(() => {
    before.current = { at, id: node?.id };
    if (node && node.path !== at) onLook(node.path);
  });
  return (
    <PreviewDialog
      files={previewedFiles(draftId, entries)}
      at={node?.path ?? at}
      onChange={onLook}
      onClose={() => onLook(null)}
    />
  );
}

/** Completed files of a draft, for previews. Archives have a page of their own. */
function previewedFiles(draftId: string, entries: readonly FileEntry[]): PreviewedFile[] {
  const done = entries.filter(({ status }) => status === "completed");
  const keys = new Set(done.map(({ key }) => key));
  const urlOf = (path: string) => (keys.has(path) ? draftFileContent(draftId, path) : undefined);
  return done
    .filter(({ key }) => !isArchiveName(key))
    .map(({ key, size = 0, version_id: version }) => ({
      ...{ key, size, version, urlOf },
      url: draftFileContent(draftId, key),
    }));
}
