import { X } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Envelope, RecordBody } from "../../api-client/record-types.ts";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/select.tsx";
import styles from "./library.module.css";
import { SaveSearch } from "./saved-searches.tsx";

const sorts = ["bestmatch", "updated-desc", "updated-asc", "newest", "oldest"] as const;

interface LibraryBarProps {
  first: Envelope<RecordBody> | undefined;
  q: string;
  address: string;
  facets: Record<string, string[]>;
  sort: string;
  onToggle: (name: string, value: string) => void;
  onClear: () => void;
  onSort: (sort: string) => void;
}

/** How many there are, the filters at work, and the order. */
export function LibraryBar({ first, q, address, facets, sort, onToggle, onClear, onSort }: LibraryBarProps) {
  const { t } = useTranslation();
  const chips = Object.entries(facets).flatMap(([name, values]) =>
    values.map((value) => ({
      name,
      value,
      label: name === "work" ? t(`library.work.${value as "needs"}`) : labelOf(first, name, value),
    })),
  );
  const isSearch = q !== "" || chips.length > 0;
  return (
    <div className={styles.bar}>
      <span className={styles.count} role="status">
        {first && t("library.count", { count: first.hits.total })}
      </span>
      {chips.map(({ name, value, label }) => (
        <AriaButton
          key={`${name}=${value}`}
          className={styles.chip ?? ""}
          aria-label={t("library.remove_filter", { label })}
          onPress={() => onToggle(name, value)}
        >
          {label}
          <X size={12} aria-hidden="true" />
        </AriaButton>
      ))}
      {chips.length > 1 && (
        <Button small variant="quiet" onPress={onClear}>
          {t("library.clear_filters")}
        </Button>
      )}
      <span className={styles.push} />
      {isSearch && (
        <SaveSearch address={address} suggestion={[q, ...chips.map(({ label }) => label)].filter(Boolean).join(", ")} />
      )}
      <Select
        label={t("library.sort")}
        look="bare"
        value={sort || (first?.sortBy ?? "bestmatch")}
        onChange={onSort}
        options={sorts.filter((id) => id !== "bestmatch" || q).map((id) => ({ id, label: t(`library.sort_by.${id}`) }))}
      />
    </div>
  );
}

function labelOf(first: Envelope<RecordBody> | undefined, name: string, value: string): string {
  if (name === "publication_date") return value.replace("..", "–");
  const buckets = first?.aggregations?.[name]?.buckets ?? [];
  const key = value.split("::").at(-1);
  const all = buckets.flatMap((bucket) => [bucket, ...(bucket.inner?.buckets ?? [])]);
  return all.find((bucket) => bucket.key === key)?.label ?? key ?? value;
}
