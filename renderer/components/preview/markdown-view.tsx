import { createContext, createElement, type ReactNode, useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { previewKind } from "../../../shared/previews/kind.ts";
import type { MarkdownNode, MarkdownText } from "../../../shared/previews/markdown.ts";
import { Busy } from "../notice.tsx";
import styles from "../rich-text.module.css";
import { useTask } from "./run-task.ts";

/** Address of the file with a path relative to the text; undefined if there is none. */
export type Neighbour = (path: string) => string | undefined;
const Neighbours = createContext<Neighbour>(() => undefined);

export interface MarkdownViewProps {
  text: string;
  neighbour: Neighbour;
  /** Shown if the text is not valid Markdown. */
  source: ReactNode;
}

/** A rendered Markdown text. */
export function MarkdownView({ text, neighbour, source }: MarkdownViewProps) {
  const read = useTask("markdown", text);
  if (read === undefined) return <Busy />;
  if (read === "failed") return source;
  return <MarkdownContent content={read} neighbour={neighbour} />;
}

/** A parsed Markdown text. */
export function MarkdownContent({ content, neighbour }: { content: MarkdownText; neighbour: Neighbour }) {
  const { t } = useTranslation();
  return (
    <Neighbours value={neighbour}>
      <div className={styles.text}>
        <Nodes nodes={content.nodes} />
        {!content.isWhole && <p>{t("preview.too_long")}</p>}
      </div>
    </Neighbours>
  );
}

// Index keys are safe, because the text is parsed once.
const Nodes = ({ nodes }: { nodes: readonly MarkdownNode[] }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  nodes.map((node, index) => <NodeView key={index} node={node} />);

function NodeView({ node }: { node: MarkdownNode }) {
  const { t } = useTranslation();
  const neighbour = useContext(Neighbours);
  if (typeof node === "string") return node;
  const { tag, href, path, alt = "", start, isDone = false, children } = node;
  const inside = children.length > 0 ? <Nodes nodes={children} /> : undefined;
  if (tag === "img") return <Picture src={neighbour(path ?? "")} path={path ?? ""} alt={alt} />;
  if (tag === "input")
    return (
      <input type="checkbox" disabled checked={isDone} aria-label={t(isDone ? "preview.done" : "preview.not_done")} />
    );
  if (tag === "a") {
    const address = href ?? neighbour(path ?? "");
    return address === undefined ? (
      inside
    ) : (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {inside}
      </a>
    );
  }
  return createElement(tag, start === undefined ? {} : { start }, inside);
}

/** A picture among the files; its words if there is none. */
function Picture({ src, path, alt }: { src: string | undefined; path: string; alt: string }) {
  const [isBroken, setBroken] = useState(false);
  if (src === undefined || isBroken || previewKind(path) !== "image") return alt || path;
  return <img src={src} alt={alt} loading="lazy" onError={() => setBroken(true)} />;
}
