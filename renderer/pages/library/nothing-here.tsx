import { FilePlus2, LibraryBig, SearchX } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LibraryView } from "../../api-client/records.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/notice.tsx";

interface NothingHereProps {
  view: LibraryView;
  isSearch: boolean;
  /** Begins a draft, by a citation when that is asked for. */
  onNew: (ask?: "import") => void;
  onClear: () => void;
}

/** An empty list: why, and what to do about it. */
export function NothingHere({ view, isSearch, onNew, onClear }: NothingHereProps) {
  const { t } = useTranslation();
  if (isSearch)
    return (
      <EmptyState
        icon={SearchX}
        title={t("library.no_hits")}
        actions={<Button onPress={onClear}>{t("library.clear_search")}</Button>}
      >
        {t("library.no_hits_help")}
      </EmptyState>
    );
  return view === "published" ? (
    <EmptyState icon={LibraryBig} title={t("library.no_published")}>
      {t("library.no_published_help")}
    </EmptyState>
  ) : (
    <EmptyState
      icon={FilePlus2}
      title={t("library.new_user")}
      actions={
        <>
          <Button variant="primary" onPress={() => onNew()}>
            {t("library.new")}
          </Button>
          <Button onPress={() => onNew("import")}>{t("import.title")}</Button>
        </>
      }
    >
      {t("library.new_user_help")}
    </EmptyState>
  );
}
