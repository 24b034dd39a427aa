import { Button } from "react-aria-components";
import type { ContainerEntry } from "../../api-client/containers.ts";
import { formatBytes } from "../../format/amounts.ts";
import styles from "./container.module.css";

/** A member found by the filter, with the matching part marked. */
export function FoundRow({
  entry,
  text,
  isSelected,
  onSelect,
}: {
  entry: ContainerEntry;
  text: string;
  isSelected: boolean;
  onSelect: () => void;
}) {
  const at = entry.key.toLowerCase().indexOf(text.toLowerCase());
  const end = at + text.length;
  return (
    <Button className={`${styles.found} ${isSelected ? styles.foundHere : ""}`} onPress={onSelect}>
      <span title={entry.key}>
        {at < 0 ? (
          entry.key
        ) : (
          <>
            {entry.key.slice(0, at)}
            <mark>{entry.key.slice(at, end)}</mark>
            {entry.key.slice(end)}
          </>
        )}
      </span>
      <span className={styles.size}>{formatBytes(entry.size)}</span>
    </Button>
  );
}
