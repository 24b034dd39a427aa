import { Copy } from "lucide-react";
import { IconButton } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import styles from "./text-to-copy.module.css";

/** Text to use elsewhere, with a button that copies it. @param copyLabel what the button says to a screen reader */
export function TextToCopy({ text, copyLabel }: { text: string; copyLabel: string }) {
  return (
    <div className={styles.box}>
      <code>{text}</code>
      <IconButton small icon={Copy} label={copyLabel} onPress={() => void copyText(text)} />
    </div>
  );
}
