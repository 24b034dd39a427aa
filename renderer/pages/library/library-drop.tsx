import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { createDraft } from "../../api-client/records.ts";
import { addUploads } from "../../api-client/upload-queue.ts";
import { DropTarget } from "../../components/drop-target.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { droppedFiles, type NamedFile } from "../draft/files/dropped-files.ts";

const citationName = /\.(bib|ris|json|cff|txt)$/i;
const mostBytes = 1024 * 1024;

/** The dropped citation: text, a DOI link, or one readable file. */
async function citationIn(words: string, files: NamedFile[]): Promise<string | undefined> {
  const [first] = files;
  if (first && (files.length > 1 || !citationName.test(first.key))) return undefined;
  const text = first ? await first.file.slice(0, mostBytes).text() : words;
  // Loaded on demand.
  const { readWork } = await import("../draft/import/read-work.ts");
  return readWork(text) ? text : undefined;
}

/** Dropping on the library creates a draft: a citation is offered by field, other files are added. */
export function LibraryDrop() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const begin = useChange(
    async ({ words, files }: { words: string; files: NamedFile[] }) => {
      const citation = await citationIn(words, files);
      if (citation === undefined && files.length === 0) throw new Error(t("library.drop_unknown"));
      const { id } = await createDraft();
      if (citation === undefined) await addUploads(id, files);
      return { id, citation };
    },
    {
      onDone: ({ id, citation }) =>
        navigate({
          to: "/uploads/$id",
          params: { id },
          ...(citation === undefined ? {} : { search: { ask: "import" }, state: { citation } }),
        }),
    },
  );
  return (
    <DropTarget
      words={t("library.drop")}
      types={["Files", "text/uri-list", "text/plain"]}
      onDrop={(transfer) => {
        const words = transfer.getData("text/uri-list") || transfer.getData("text/plain");
        droppedFiles(transfer).then((files) => begin.mutate({ words, files }), showFailure);
      }}
    />
  );
}
