import { FileUp } from "lucide-react";
import { FileTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/button.tsx";
import { showFailure } from "../../../components/toast-queue.ts";
import { formatBytes } from "../../../format/amounts.ts";

/** Text is read again with each key, so it must be short enough for that. */
export const maxCitationBytes = 5_000_000;

export const citationName = /\.(bib|ris|json|jsonld|cff|txt)$/i;

interface CitationFilesProps {
  onTexts: (texts: string[]) => void;
  allowsMany?: boolean;
}

/** A button that reads files with citations. A file that is too large is refused, never cut. */
export function CitationFiles({ onTexts, allowsMany = false }: CitationFilesProps) {
  const { t } = useTranslation();
  const read = async (files: File[]) => {
    const large = files.find(({ size }) => size > maxCitationBytes);
    if (large) throw new Error(t("import.too_large", { name: large.name, most: formatBytes(maxCitationBytes) }));
    if (files.length > 0) onTexts(await Promise.all(files.map((file) => file.text())));
  };
  return (
    <div>
      <FileTrigger
        acceptedFileTypes={[".bib", ".ris", ".json", ".jsonld", ".cff", ".txt"]}
        allowsMultiple={allowsMany}
        onSelect={(files) => read([...(files ?? [])]).catch(showFailure)}
      >
        <Button icon={FileUp}>{t(allowsMany ? "import.files" : "import.file")}</Button>
      </FileTrigger>
    </div>
  );
}
