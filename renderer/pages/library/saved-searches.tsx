import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bookmark, X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { parseSearch } from "../../address.ts";
import { dropSearch, savedSearchesQuery, saveSearch } from "../../api-client/desk.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/text-field.tsx";
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
  const form = useId();
  const [name, setName] = useState<string | null>(null);
  const save = useChange(saveSearch, { onDone: () => setName(null) });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (name?.trim()) save.mutate({ name: name.trim(), search: address });
  };
  return (
    <>
      <Button small variant="quiet" icon={Bookmark} onPress={() => setName(suggestion)}>
        {t("library.save_search")}
      </Button>
      <Dialog
        title={t("library.save_search")}
        isOpen={name !== null}
        onClose={() => setName(null)}
        isPending={save.isPending}
        actions={
          <>
            <Button isDisabled={save.isPending} onPress={() => setName(null)}>
              {t("action.cancel")}
            </Button>
            <Button type="submit" form={form} variant="primary" isDisabled={!name?.trim()} isPending={save.isPending}>
              {t("action.save")}
            </Button>
          </>
        }
      >
        <form id={form} onSubmit={onSubmit}>
          <TextField
            label={t("library.search_name")}
            value={name ?? ""}
            onChange={setName}
            onFocus={(event) => event.target instanceof HTMLInputElement && event.target.select()}
            maxLength={120}
            autoFocus
          />
        </form>
      </Dialog>
    </>
  );
}
