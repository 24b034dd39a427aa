import { ListChecks, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button as AriaButton } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Envelope, RecordBody } from "../../api-client/record-types.ts";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/select.tsx";
import { ColumnMenu } from "./column-menu.tsx";
import type { FacetLabel } from "./facet-labels.ts";
import styles from "./library.module.css";
import type { useLibrarySearch } from "./library-search.ts";
import { SaveSearch } from "./saved-searches.tsx";
import type { Selection } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";

const sorts = ["bestmatch", "updated-desc", "updated-asc", "newest", "oldest"] as const;

interface LibraryBarProps {
  first: Envelope<RecordBody> | undefined;
  search: ReturnType<typeof useLibrarySearch>;
  labelOf: FacetLabel;
  /** The query is invalid: it cannot be saved or sorted. */
  isRefused: boolean;
  selection: Selection | null;
  /** Rows that can be selected. */
  shown: RecordBody[];
  onSelect: () => void;
}

/** Number of results, active filters and order; during a selection its actions. */
export function LibraryBar({ first, search, labelOf, isRefused, selection, shown, onSelect }: LibraryBarProps) {
  const { t } = useTranslation();
  const { address, toggle, clear, setSort } = search;
  const { q, facets, sort } = search.query;
  const select = useRef<HTMLButtonElement>(null);
  const isSelecting = selection !== null;
  useEffect(() => {
    if (!isSelecting) return undefined;
    return () => {
      // What had the focus is gone: the button "Done", or the checkbox of a row.
      if (document.activeElement === document.body) select.current?.focus();
    };
  }, [isSelecting]);
  const chips = Object.entries(facets).flatMap(([name, values]) =>
    values.map((value) => ({ name, value, label: labelOf(name, value) })),
  );
  const isSearch = q !== "" || chips.length > 0;
  if (selection) return <SelectionBar selection={selection} shown={shown} />;
  if ((!isSearch && first?.hits.total === 0) || (isRefused && chips.length === 0)) return null;
  return (
    <div className={styles.bar}>
      <span className={styles.count} role="status">
        {first && t(search.query.isRemote ? "library.count_here" : "library.count", { count: first.hits.total })}
      </span>
      {chips.map(({ name, value, label }) => (
        <AriaButton
          key={`${name}=${value}`}
          className={styles.chip ?? ""}
          aria-label={t("library.remove_filter", { label })}
          onPress={() => toggle(name, value)}
        >
          {label}
          <X size={12} aria-hidden="true" />
        </AriaButton>
      ))}
      {chips.length > 1 && (
        <Button small variant="quiet" onPress={clear}>
          {t("library.clear_filters")}
        </Button>
      )}
      <span className={styles.push} />
      {isSearch && !isRefused && (
        <SaveSearch address={address} suggestion={[q, ...chips.map(({ label }) => label)].filter(Boolean).join(", ")} />
      )}
      {Boolean(first?.hits.total) && (
        <Button ref={select} small variant="quiet" icon={ListChecks} onPress={onSelect}>
          {t("library.select.begin")}
        </Button>
      )}
      <ColumnMenu />
      {!isRefused && (
        <Select
          label={t("library.sort")}
          look="bare"
          value={sort || (first?.sortBy ?? "bestmatch")}
          onChange={setSort}
          options={sorts
            .filter((id) => id !== "bestmatch" || q)
            .map((id) => ({ id, label: t(`library.sort_by.${id}`) }))}
        />
      )}
    </div>
  );
}
