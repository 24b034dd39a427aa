import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bookmark, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { parseSearch } from "../../address.ts";
import { dropSearch, savedSearchesQuery, saveSearch } from "../../api-client/desk.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { NameDialog } from "../../components/name-dialog.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import styles from "./library.module.css";

/** Saved searches on this computer; marks the current one. */
export function SavedSearches({ address }: { address: string }) {
  const { t } = useTranslation();
  const { data: searches = [] } = useQuery(savedSearchesQuery);
  if (searches.length === 0) return null;
  return (
    <nav className={styles.facet} aria-labelledby="saved-searches">
      <h2 className={styles.legend} id="saved-searches">
        {t("library.saved")}
      </h2>
      {searches.map(({ key, value }) => (
        <div key={key} className={styles.bucketRow}>
          <Link
            to="/me/uploads"
            search={parseSearch(value.search)}
            className={styles.bucket ?? ""}
            activeOptions={{ includeSearch: true, explicitUndefined: true }}
            {...(value.search === address ? { "data-selected": true, "aria-current": "true" as const } : {})}
          >
            <Bookmark size={13} aria-hidden="true" />
            <span className={styles.bucketLabel}>{value.name}</span>
          </Link>
          <IconButton
            small
            label={t("library.drop_saved", { name: value.name })}
            icon={X}
            onPress={() => void dropSearch(key).catch(showFailure)}
          />
        </div>
      ))}
    </nav>
  );
}

/** Saves the current search under a name. */
export function SaveSearch({ address, suggestion }: { address: string; suggestion: string }) {
  const { t } = useTranslation();
  const { data: searches = [] } = useQuery(savedSearchesQuery);
  const [isOpen, setOpen] = useState(false);
  const save = useChange(saveSearch, { onDone: () => setOpen(false) });
  return (
    <>
      <Button small variant="quiet" icon={Bookmark} onPress={() => setOpen(true)}>
        {t("library.save_search")}
      </Button>
      {isOpen && (
        <NameDialog
          title={t("library.save_search")}
          label={t("library.search_name")}
          name={suggestion}
          taken={searches.map(({ value }) => value.name)}
          isPending={save.isPending}
          onSave={(name) => save.mutate({ name, search: address })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
