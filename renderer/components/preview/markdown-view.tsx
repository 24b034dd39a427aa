import { createElement, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Busy } from "../notice.tsx";
import styles from "../rich-text.module.css";
import type { MarkdownNode, MarkdownText } from "./markdown.ts";
import { readMarkdown } from "./read-markdown.ts";

export interface MarkdownViewProps {
  text: string;
  /** Shown if the text is not valid Markdown. */
  source: ReactNode;
}

/** A rendered Markdown text. */
export function MarkdownView({ text, source }: MarkdownViewProps) {
  const { t } = useTranslation();
  const [read, setRead] = useState<MarkdownText | "failed">();
  useEffect(() => {
    const left = new AbortController();
    setRead(undefined);
    readMarkdown(text, left.signal).then(setRead, () => left.signal.aborted || setRead("failed"));
    return () => left.abort();
  }, [text]);
  if (read === undefined) return <Busy />;
  if (read === "failed") return source;
  return (
    <div className={styles.text}>
      <Nodes nodes={read.nodes} />
      {!read.isWhole && <p>{t("preview.too_long")}</p>}
    </div>
  );
}

// Index keys are safe, because the text is parsed once.
const Nodes = ({ nodes }: { nodes: readonly MarkdownNode[] }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  nodes.map((node, index) => <NodeView key={index} node={node} />);

function NodeView({ node }: { node: MarkdownNode }) {
  if (typeof node === "string") return node;
  const { tag, href, start, children } = node;
  const inside = children.length > 0 ? <Nodes nodes={children} /> : undefined;
  if (tag === "a")
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {inside}
      </a>
    );
  return createElement(tag, start === undefined ? {} : { start }, inside);
}
