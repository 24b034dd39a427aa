import { useRef, useState } from "react";
import { queryClient } from "../../../api-client/query-client.ts";
import type { FileEntry } from "../../../api-client/record-types.ts";
import { draftFilesQuery } from "../../../api-client/records.ts";
import { addUploads, continueSame, dropUpload, uploadsOf } from "../../../api-client/upload-queue.ts";
import { showFailure } from "../../../components/toast-queue.ts";
import { useContentPart, useDraftSession } from "../draft-context.ts";
import type { DraftSession } from "../draft-session.ts";
import { freeName, type NamedFile, ownNames } from "./dropped-files.ts";

/** Adds files to the open draft, and resumes interrupted uploads of them. `clash`: files whose names are taken. */
export function useAddFiles() {
  const session = useDraftSession();
  const [, changeOptions] = useContentPart("files");
  const [clash, setClash] = useState<NamedFile[]>([]);
  const adding = useRef(Promise.resolve());
  const addNow = async (dropped: NamedFile[]) => {
    const { entries = [] } = await queryClient.fetchQuery({ ...draftFilesQuery(session.id), staleTime: 0 });
    const taken = new Map(entries.map((entry) => [entry.key, entry]));
    const files = ownNames(dropped, [...taken.keys()]);
    const underWay = new Set(uploadsOf(session.id).map(({ key }) => key));
    const interrupted = files.filter(({ key }) => taken.get(key)?.status === "pending" && !underWay.has(key));
    const others = await continueSame(session.id, interrupted);
    const resumed = new Set(interrupted.filter((one) => !others.includes(one)));
    setClash((before) => [...before, ...files.filter((one) => taken.has(one.key) && !resumed.has(one))]);
    const free = files.filter(({ key }) => !taken.has(key));
    if (free.length === 0) return;
    // "This record has no files" was ticked: that no longer holds.
    if (!session.current().content.files.enabled) {
      changeOptions({ enabled: true });
      await session.save();
    }
    await addUploads(session.id, free);
  };
  // One after the other: the names of the first files are taken for the next ones.
  const add = (files: NamedFile[]) => {
    adding.current = adding.current.then(() => addNow(files)).catch(showFailure);
  };
  return { add, clash, setClash };
}

/** Adds files whose names are taken: replaces the existing files, which Undo restores, or chooses free names. */
export async function addClashing(
  { id: draftId, files: changes }: DraftSession,
  files: NamedFile[],
  entries: FileEntry[],
  way: "replace" | "both",
) {
  if (way === "both") {
    const names = new Set(entries.map(({ key }) => key));
    const renamed = files.map(({ key, file }) => {
      const name = freeName(key, names);
      names.add(name);
      return { key: name, file };
    });
    return addUploads(draftId, renamed);
  }
  const last = new Map(files.map((named) => [named.key, named]));
  for (const key of last.keys()) dropUpload(draftId, key);
  const replaced = entries.filter(({ key }) => last.has(key));
  if (replaced.length > 0) await changes.remove(replaced);
  return addUploads(draftId, [...last.values()]);
}
