import { Quote } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import styles from "./request.module.css";

interface Selected {
  html: string;
  left: number;
  top: number;
}

/** The selection, if it lies within one comment. */
function selected(): Selected | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const { commonAncestorContainer: around } = range;
  const element = around instanceof Element ? around : around.parentElement;
  if (!element?.closest("[data-quotable]")) return null;
  const { left, width, top } = range.getBoundingClientRect();
  const holder = document.createElement("div");
  holder.append(range.cloneContents());
  return { html: holder.innerHTML, left: left + width / 2, top };
}

/** A button next to a selection in a comment that quotes it. */
export function QuoteSelection({ onQuote }: { onQuote: (html: string) => void }) {
  const { t } = useTranslation();
  const [words, setWords] = useState<Selected | null>(null);
  useEffect(() => {
    const read = () => setWords(selected());
    document.addEventListener("selectionchange", read);
    addEventListener("scroll", read, true);
    return () => {
      document.removeEventListener("selectionchange", read);
      removeEventListener("scroll", read, true);
    };
  }, []);
  if (!words) return null;
  return (
    <div className={styles.selection} style={{ left: words.left, top: words.top }}>
      <Button
        small
        icon={Quote}
        onPress={() => {
          onQuote(words.html);
          getSelection()?.removeAllRanges();
        }}
      >
        {t("request.quote")}
      </Button>
    </div>
  );
}
