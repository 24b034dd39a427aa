import { useEffect, useRef } from "react";
import type { CodeColour, CodeToken } from "./highlight.ts";

/** Tokens that are coloured before the page may do something else. */
const stepLength = 2000;

function highlightOf(colour: CodeColour): Highlight {
  const name = `code-${colour}`;
  const known = CSS.highlights.get(name);
  if (known) return known;
  const made = new Highlight();
  CSS.highlights.set(name, made);
  return made;
}

/** Colours the tokens of a text node in steps. @returns what takes the colours away. */
function colour(text: Text, tokens: readonly CodeToken[]): () => void {
  const ranges: [Highlight, Range][] = [];
  let timer = 0;
  const step = (from: number) => {
    for (const token of tokens.slice(from, from + stepLength)) {
      const range = new Range();
      range.setStart(text, token.start);
      range.setEnd(text, Math.min(token.end, text.length));
      const highlight = highlightOf(token.colour);
      highlight.add(range);
      ranges.push([highlight, range]);
    }
    if (from + stepLength < tokens.length) timer = window.setTimeout(() => step(from + stepLength));
  };
  step(0);
  return () => {
    clearTimeout(timer);
    for (const [highlight, range] of ranges) highlight.delete(range);
  };
}

export interface CodeTextProps {
  text: string;
  tokens: readonly CodeToken[];
  className?: string | undefined;
}

/** Code in colours. It is one text in the page: the colours are highlights, not elements. */
export function CodeText({ text, tokens, className }: CodeTextProps) {
  const pre = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const node = pre.current?.firstChild;
    // Offsets of an earlier text do not fit.
    if (!(node instanceof Text) || tokens.length === 0 || (tokens.at(-1)?.end ?? 0) > text.length) return;
    return colour(node, tokens);
  }, [text, tokens]);
  return (
    <pre ref={pre} className={className}>
      {text}
    </pre>
  );
}
