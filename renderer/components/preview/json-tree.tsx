import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../button.tsx";
import styles from "./file-preview.module.css";
import { WrittenNumber } from "./written-json.ts";

const firstChildren = 100;
const openDepth = 2;

/** A JSON value, collapsed below the second level. Collapsed parts are not rendered. */
export function JsonTree({ name, value, isBounded }: { name: string; value: unknown; isBounded: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrollable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a region of its own would be a landmark
    <div className={`${styles.json} ${isBounded ? styles.bounded : ""}`} tabIndex={0} role="group" aria-label={name}>
      <JsonNode value={value} depth={0} />
    </div>
  );
}

const isBranch = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof WrittenNumber);

function JsonNode({ label, value, depth }: { label?: ReactNode; value: unknown; depth: number }) {
  if (!isBranch(value)) {
    const [type, text] =
      value instanceof WrittenNumber ? ["number", value.text] : [typeof value, JSON.stringify(value)];
    return (
      <div className={styles.leaf}>
        {label} <span className={styles[type]}>{text}</span>
      </div>
    );
  }
  return <JsonBranch label={label} value={value} depth={depth} />;
}

function JsonBranch({ label, value, depth }: { label?: ReactNode; value: object; depth: number }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(depth < openDepth);
  const [shown, setShown] = useState(firstChildren);
  const isList = Array.isArray(value);
  const children = Object.entries(value);
  const hidden = children.length - shown;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}{" "}
        <span className={styles.count}>{t(isList ? "preview.items" : "preview.keys", { count: children.length })}</span>
      </summary>
      {isOpen && (
        <div className={styles.children}>
          {children.slice(0, shown).map(([key, child]) => (
            <JsonNode key={key} label={<span className={styles.key}>{key}</span>} value={child} depth={depth + 1} />
          ))}
          {hidden > 0 && (
            <Button small variant="link" onPress={() => setShown(shown + firstChildren * 10)}>
              {t("preview.more", { count: hidden })}
            </Button>
          )}
        </div>
      )}
    </details>
  );
}
