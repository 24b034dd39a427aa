import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Bucket, Envelope } from "../../api-client/record-types.ts";
import { formatCount } from "../../format/amounts.ts";
import styles from "./library.module.css";

export interface FacetsProps {
  aggregations: NonNullable<Envelope<unknown>["aggregations"]>;
  chosen: Record<string, string[]>;
  onToggle: (name: string, value: string) => void;
}

/** Facet values in the order we show them; a facet without values is left out. */
const order = [
  "is_published",
  "resource_type",
  "access_status",
  "publication_date",
  "file_type",
  "language",
  "subject",
];
const shownYears = 8;

function bucketsOf(name: string, buckets: Bucket[]): Bucket[] {
  if (name !== "publication_date") return buckets;
  return buckets
    .filter(({ doc_count }) => doc_count > 0)
    .reverse()
    .slice(0, shownYears);
}

/** The filters at the left: every value with how many records have it. */
export function Facets({ aggregations, chosen, onToggle }: FacetsProps) {
  const { t } = useTranslation();
  return (
    <aside className={styles.side} aria-label={t("library.filters")}>
      {order.map((name) => {
        const facet = aggregations[name];
        const buckets = bucketsOf(name, facet?.buckets ?? []);
        return facet && buckets.length > 0 ? (
          <fieldset key={name} className={styles.facet}>
            <legend>{facet.label}</legend>
            {buckets.map((bucket) => (
              <BucketRow
                key={bucket.key}
                bucket={bucket}
                value={bucket.key}
                chosen={chosen[name] ?? []}
                onToggle={(value) => onToggle(name, value)}
              />
            ))}
          </fieldset>
        ) : null;
      })}
    </aside>
  );
}

function BucketRow({
  bucket,
  value,
  chosen,
  onToggle,
}: {
  bucket: Bucket;
  value: string;
  chosen: string[];
  onToggle: (value: string) => void;
}) {
  const isChosen = chosen.includes(value);
  const isOpen = chosen.some((one) => one === value || one.startsWith(`${value}::`));
  const { doc_count } = bucket;
  return (
    <>
      <Button
        className={`${styles.bucket} ${doc_count === 0 ? styles.dim : ""}`}
        aria-pressed={isChosen}
        {...(isChosen ? { "data-selected": true } : {})}
        onPress={() => onToggle(value)}
      >
        <span className={styles.bucketLabel}>{bucket.label}</span>
        <span className={styles.bucketCount}>{formatCount(doc_count)}</span>
      </Button>
      {isOpen && bucket.inner && bucket.inner.buckets.length > 0 && (
        <div className={styles.inner}>
          {bucket.inner.buckets.map((inner) => (
            <BucketRow
              key={inner.key}
              bucket={inner}
              value={`${value}::${inner.key}`}
              chosen={chosen}
              onToggle={onToggle}
            />
          ))}
        </div>
      )}
    </>
  );
}
