import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { createDraft } from "../../api-client/records.ts";
import { addUploads } from "../../api-client/upload-queue.ts";
import { DropTarget } from "../../components/drop-target.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { type NamedFile, ownNames } from "../draft/files/dropped-files.ts";
import { useDroppedFiles } from "../draft/files/use-dropped-files.ts";
import { citationName, maxCitationBytes } from "../draft/import/citation-files.tsx";
import { newDraftMetadata } from "../draft/new-draft-content.ts";

/** The dropped citations: text, a DOI link, or files that can all be read. */
async function citationsIn(words: string, files: NamedFile[]): Promise<string[] | undefined> {
  if (files.some(({ key, file }) => !citationName.test(key) || file.size > maxCitationBytes)) return undefined;
  const texts = files.length > 0 ? await Promise.all(files.map(({ file }) => file.text())) : [words];
  // Loaded on demand.
  const { readWorks } = await import("../draft/import/read-work.ts");
  return texts.every((text) => readWorks(text).length > 0) ? texts : undefined;
}

/** Dropping on the library: works of citations are offered in a list, other files begin a draft. */
export function LibraryDrop({ onCitations }: { onCitations: (texts: string[]) => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const readDrop = useDroppedFiles();
  const begin = useChange(
    async ({ words, files }: { words: string; files: NamedFile[] }) => {
      const citations = await citationsIn(words, files);
      if (citations) return { citations };
      if (files.length === 0) throw new Error(t("library.drop_unknown"));
      const { id } = await createDraft({ metadata: await newDraftMetadata() });
      // The draft is there in any case, and its page takes the files again.
      await addUploads(id, ownNames(files, [])).catch(showFailure);
      return { id };
    },
    {
      onDone: ({ id, citations }) =>
        id === undefined ? onCitations(citations) : navigate({ to: "/uploads/$id", params: { id } }),
    },
  );
  return (
    <DropTarget
      words={t("library.drop")}
      types={["Files", "text/uri-list", "text/plain"]}
      onDrop={(transfer) => {
        const words = transfer.getData("text/uri-list") || transfer.getData("text/plain");
        readDrop(transfer).then((files) => files && begin.mutate({ words, files }), showFailure);
      }}
    />
  );
}
