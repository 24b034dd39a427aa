import { type JSX, useMemo } from "react";
import styles from "../rich-text.module.css";
import { type Block, type Inline, parseMarkdown } from "./markdown.ts";

/** A Markdown text as people read it. */
export function MarkdownView({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className={styles.text}>
      <Blocks blocks={blocks} />
    </div>
  );
}

// The parts of a text that was read once have no other name than their place.
const Blocks = ({ blocks }: { blocks: Block[] }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  blocks.map((block, index) => <BlockView key={index} block={block} />);
// biome-ignore lint/suspicious/noArrayIndexKey: see above
const Words = ({ parts }: { parts: Inline[] }) => parts.map((part, index) => <Word key={index} part={part} />);

/** Below the headings of the page: a `#` of the file is a third level. */
function Heading({ level, parts }: { level: number; parts: Inline[] }) {
  const Tag = `h${Math.min(6, level + 2)}` as keyof JSX.IntrinsicElements;
  return (
    <Tag>
      <Words parts={parts} />
    </Tag>
  );
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === "heading") return <Heading level={block.level} parts={block.parts} />;
  if (block.kind === "rule") return <hr />;
  if (block.kind === "table") return <TableView head={block.head} rows={block.rows} />;
  if (block.kind === "code")
    return (
      <pre>
        <code>{block.text}</code>
      </pre>
    );
  if (block.kind === "quote")
    return (
      <blockquote>
        <Blocks blocks={block.blocks} />
      </blockquote>
    );
  if (block.kind === "list") {
    const List = block.isOrdered ? "ol" : "ul";
    return (
      <List>
        {block.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index}>
            <Blocks blocks={item} />
          </li>
        ))}
      </List>
    );
  }
  return (
    <p>
      <Words parts={block.parts} />
    </p>
  );
}

function TableView({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <th key={index}>
              <Words parts={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <tr key={index}>
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <td key={column}>
                <Words parts={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Word({ part }: { part: Inline }) {
  if (part.kind === "text") return part.text;
  if (part.kind === "code") return <code>{part.text}</code>;
  if (part.kind === "strong")
    return (
      <strong>
        <Words parts={part.parts} />
      </strong>
    );
  if (part.kind === "em")
    return (
      <em>
        <Words parts={part.parts} />
      </em>
    );
  return (
    <a href={part.href} target="_blank" rel="noopener noreferrer">
      <Words parts={part.parts} />
    </a>
  );
}
