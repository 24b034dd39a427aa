import { Button, Checkbox } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { ContainerEntry } from "../../api-client/containers.ts";
import { TickBox } from "../../components/choice.tsx";
import { formatBytes } from "../../format/amounts.ts";
import styles from "./container.module.css";

/** A member that matches the filter, with the match marked. */
export function FoundRow({
  entry,
  text,
  isSelected,
  onSelect,
  isChosen,
  onChoose,
}: {
  entry: ContainerEntry;
  text: string;
  isSelected: boolean;
  onSelect: () => void;
  /** Selected for saving. */
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { t } = useTranslation();
  const at = entry.key.toLowerCase().indexOf(text.toLowerCase());
  const end = at + text.length;
  const isReadable = entry.metadata === undefined;
  return (
    <div className={styles.foundRow}>
      <Checkbox
        className={styles.foundTick ?? ""}
        aria-label={t("container.choose_one", { name: entry.key })}
        isSelected={isChosen && isReadable}
        isDisabled={!isReadable}
        onChange={onChoose}
      >
        <TickBox state={isChosen && isReadable} />
      </Checkbox>
      <Button
        className={`${styles.found} ${isSelected ? styles.foundHere : ""}`}
        aria-current={isSelected}
        onPress={onSelect}
      >
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
    </div>
  );
}
