import { useTranslation } from "react-i18next";
import styles from "./key-caps.module.css";
import { keyNames } from "./keys.ts";

/** Draws the keys of a shortcut, one key cap each. */
export function Keys({ keys }: { keys: string }) {
  const { t } = useTranslation();
  return (
    <span className={styles.keys}>
      {keyNames(t, keys).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may stand twice
        <kbd key={index} className={styles.key}>
          {name}
        </kbd>
      ))}
    </span>
  );
}
