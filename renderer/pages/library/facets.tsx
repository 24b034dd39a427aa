import type { TFunction } from "i18next";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Bucket, Envelope } from "../../api-client/record-types.ts";
import { Button as WordButton } from "../../components/button.tsx";
import { formatCount } from "../../format/amounts.ts";
import { DateHistogram } from "./date-histogram.tsx";
import type { FacetLabel } from "./facet-labels.ts";
import styles from "./library.module.css";
import { type LocalIds, localFacets } from "./local-facets.ts";

export interface FacetsProps {
  labelOf: FacetLabel;
  localIds: LocalIds;
  aggregations: NonNullable<Envelope<unknown>["aggregations"]>;
  chosen: Record<string, string[]>;
  onToggle: (name: string, value: string) => void;
  onChange: (name: string, values: string[]) => void;
}

/** Display order of facets; empty ones are hidden. */
const order = [
  "is_published",
  "resource_type",
  "access_status",
  "publication_date",
  "file_type",
  "language",
  "subject",
] as const;
const shownAtFirst = 5;

/** The filters at the left: sync state, and facet values with counts. */
export function Facets({ aggregations, labelOf, localIds, chosen, onToggle, onChange }: FacetsProps) {
  const { t } = useTranslation();
  const bucketsOf = (name: "work" | "review") =>
    localFacets[name]
      .map((key) => ({
        key,
        label: t(`library.local.${key}`),
        doc_count: localIds[key].length,
        is_selected: false,
      }))
      .filter(({ key, doc_count }) => doc_count > 0 || chosen[name]?.includes(key));
  const local = (["work", "review"] as const).map((name) => ({ name, buckets: bucketsOf(name) }));
  return (
    <>
      {local
        .filter(({ buckets }) => buckets.length > 0)
        .map(({ name, buckets }) => (
          <Facet
            key={name}
            label={t(`library.local.${name}`)}
            buckets={buckets}
            chosen={chosen[name] ?? []}
            onToggle={(value) => onToggle(name, value)}
          />
        ))}
      <CountedFacets
        aggregations={aggregations}
        labelOf={labelOf}
        chosen={chosen}
        onToggle={onToggle}
        onChange={onChange}
      />
    </>
  );
}

function CountedFacets({ aggregations, labelOf, chosen, onToggle, onChange }: Omit<FacetsProps, "localIds">) {
  const { t } = useTranslation();
  return order.map((name) => {
    const label = t(`library.facet.${name}`);
    const buckets = withOwnLabels(t, name, aggregations[name]?.buckets ?? []);
    const values = chosen[name] ?? [];
    if (name === "publication_date" && (buckets.length > 1 || values.length > 0))
      return buckets.length > 0 ? (
        <DateHistogram
          key={name}
          label={label}
          buckets={buckets}
          chosen={values}
          onChange={(next) => onChange(name, next)}
        />
      ) : null;
    const all = [...buckets, ...missing(buckets, values, (key) => labelOf(name, key))];
    return all.length > 0 ? (
      <Facet key={name} label={label} buckets={all} chosen={values} onToggle={(value) => onToggle(name, value)} />
    ) : null;
  });
}

/** Labels in the app's language; the server translates only what comes from vocabularies. */
function withOwnLabels(t: TFunction, name: string, buckets: Bucket[]): Bucket[] {
  const textOf = ({ key, label }: Bucket): string => {
    if (name === "access_status") return t(`access.${key as "open"}`, { defaultValue: label });
    if (name === "is_published") return t(`library.published_is.${key as "true"}`, { defaultValue: label });
    return label;
  };
  return buckets.map((bucket) => ({ ...bucket, label: textOf(bucket) }));
}

/** Keeps chosen values visible that the answer does not count, so that they can be removed. */
function missing(buckets: Bucket[], chosen: string[], labelOf: (key: string) => string): Bucket[] {
  return chosen
    .map((value) => value.split("::")[0] ?? value)
    .filter((key, index, keys) => keys.indexOf(key) === index && !buckets.some((bucket) => bucket.key === key))
    .map((key) => ({ key, label: labelOf(key), doc_count: 0, is_selected: true }));
}

interface FacetProps {
  label: string;
  buckets: Bucket[];
  chosen: string[];
  onToggle: (value: string) => void;
}

const isIn = (chosen: string[], value: string) => chosen.some((one) => one === value || one.startsWith(`${value}::`));

function Facet({ label, buckets, chosen, onToggle }: FacetProps) {
  const { t } = useTranslation();
  const [isLong, setLong] = useState(false);
  const shown = isLong ? buckets : buckets.filter(({ key }, index) => index < shownAtFirst || isIn(chosen, key));
  const hidden = buckets.length - shown.length;
  return (
    <fieldset className={styles.facet}>
      <legend>{label}</legend>
      {shown.map((bucket) => (
        <BucketRow key={bucket.key} bucket={bucket} value={bucket.key} chosen={chosen} onToggle={onToggle} />
      ))}
      {(hidden > 0 || isLong) && (
        <div className={styles.more}>
          <WordButton small variant="link" aria-expanded={isLong} onPress={() => setLong(!isLong)}>
            {isLong ? t("library.show_fewer") : t("library.show_more_of", { count: hidden, label })}
          </WordButton>
        </div>
      )}
    </fieldset>
  );
}

interface BucketRowProps {
  bucket: Bucket;
  value: string;
  chosen: string[];
  onToggle: (value: string) => void;
}

function BucketRow({ bucket, value, chosen, onToggle }: BucketRowProps) {
  const { t } = useTranslation();
  const [isWanted, setWanted] = useState(false);
  const isChosen = chosen.includes(value);
  const inner = bucket.inner?.buckets ?? [];
  const isOpen = inner.length > 0 && (isWanted || isIn(chosen, value));
  const { doc_count, label } = bucket;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <div className={styles.bucketRow}>
        {inner.length > 0 && !isIn(chosen, value) && (
          <Button
            className={styles.unfold ?? ""}
            aria-expanded={isOpen}
            aria-label={t("library.kinds_of", { label })}
            onPress={() => setWanted(!isWanted)}
          >
            <Chevron size={13} aria-hidden="true" />
          </Button>
        )}
        <Button
          className={`${styles.bucket} ${doc_count === 0 ? styles.dim : ""}`}
          aria-pressed={isChosen}
          {...(isChosen ? { "data-selected": true } : {})}
          onPress={() => onToggle(value)}
        >
          <span className={styles.bucketLabel}>{label}</span>
          <span className={styles.bucketCount}>{formatCount(doc_count)}</span>
        </Button>
      </div>
      {isOpen && (
        <div className={styles.inner}>
          {inner.map((one) => (
            <BucketRow key={one.key} bucket={one} value={`${value}::${one.key}`} chosen={chosen} onToggle={onToggle} />
          ))}
        </div>
      )}
    </>
  );
}
