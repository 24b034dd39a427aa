import { type Editor, useEditorState } from "@tiptap/react";
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "./rich-text.module.css";

/** A person whom the text may mention. */
export interface Mentionable {
  id: string;
  name: string;
}

interface MentionQuery {
  from: number;
  to: number;
  query: string;
}

const maxShown = 6;
const longestName = 60;

/** The "@" before the cursor and the name that follows it. */
function mentionQueryAt(editor: Editor): MentionQuery | null {
  const { $from, empty } = editor.state.selection;
  if (!empty || !editor.isFocused || editor.isActive("code") || editor.isActive("codeBlock")) return null;
  const start = Math.max(0, $from.parentOffset - longestName);
  const before = $from.parent.textBetween(start, $from.parentOffset, undefined, "\ufffc");
  const query = /(?:^|[\s(])@((?:[\p{L}\p{N}.'’-]+ ?){0,3})$/u.exec(before)?.[1];
  if (query === undefined) return null;
  const mention = { from: $from.pos - query.length - 1, to: $from.pos, query };
  const { link } = editor.schema.marks;
  // The name of a finished mention stands before the cursor too.
  return link && editor.state.doc.rangeHasMark(mention.from, mention.to, link) ? null : mention;
}

const plain = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** People with a name, or a part of it, that begins as the query does. */
function matching(people: readonly Mentionable[], query: string): Mentionable[] {
  const words = plain(query).trimEnd();
  const begins = ({ name }: Mentionable) =>
    plain(name)
      .split(/\s+/)
      .some((_, index, parts) => parts.slice(index).join(" ").startsWith(words));
  return people.filter(begins).slice(0, maxShown);
}

function insertMention(editor: Editor, { from, to }: MentionQuery, { id, name }: Mentionable): void {
  const link = { type: "link", attrs: { href: `/people/${id}` } };
  const content = [
    { type: "text", text: `@${name}`, marks: [link] },
    { type: "text", text: " " },
  ];
  editor.chain().focus().insertContentAt({ from, to }, content).run();
}

export interface MentionSuggestionsProps {
  editor: Editor;
  people: readonly Mentionable[];
  /** Given the keys of the editor first; true for a key that was used. */
  keys: RefObject<(event: KeyboardEvent) => boolean>;
}

/** People to choose from while an "@" with the beginning of a name is typed. */
export function MentionSuggestions({ editor, people, keys }: MentionSuggestionsProps) {
  const { t } = useTranslation();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const mention = useEditorState({ editor, selector: ({ editor: current }) => mentionQueryAt(current) });
  const [closed, setClosed] = useState<number | null>(null);
  const [index, setIndex] = useState(0);
  const found = mention && mention.from !== closed ? matching(people, mention.query) : [];
  const at = Math.min(index, found.length - 1);
  const isOpen = found.length > 0;
  const query = mention?.query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at the first person
  useEffect(() => setIndex(0), [query]);
  keys.current = (event) => {
    const chosen = found[at];
    if (!mention || !chosen || event.isComposing) return false;
    if (event.key === "ArrowDown") setIndex((at + 1) % found.length);
    else if (event.key === "ArrowUp") setIndex((at + found.length - 1) % found.length);
    else if (event.key === "Escape") setClosed(mention.from);
    else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab")
      insertMention(editor, mention, chosen);
    else return false;
    event.stopPropagation();
    return true;
  };
  useEffect(() => {
    const used = keys;
    return () => {
      used.current = () => false;
    };
  }, [keys]);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const box = editor.view.dom;
    const named = { "aria-controls": id, "aria-activedescendant": `${id}-${at}` };
    for (const [name, value] of Object.entries(named)) box.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(named)) box.removeAttribute(name);
    };
  }, [editor, isOpen, id, at]);
  const from = mention?.from;
  useLayoutEffect(() => {
    const frame = list.current?.offsetParent?.getBoundingClientRect();
    if (!list.current || !frame || from === undefined || !isOpen) return;
    const { left, bottom } = editor.view.coordsAtPos(from);
    list.current.style.insetInlineStart = `${Math.min(left - frame.left, frame.width - list.current.offsetWidth)}px`;
    list.current.style.insetBlockStart = `${bottom - frame.top + 2}px`;
  }, [editor, from, isOpen]);
  return (
    <>
      {isOpen && (
        <div ref={list} id={id} role="listbox" className={styles.mentions} aria-label={t("editor.mention")}>
          {found.map((person, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the editor's
            <div
              key={person.id}
              id={`${id}-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              className={styles.person}
              // The editor keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => mention && insertMention(editor, mention, person)}
            >
              {person.name}
            </div>
          ))}
        </div>
      )}
      <span className="visually-hidden" role="status">
        {isOpen && t("editor.people_found", { count: found.length })}
      </span>
    </>
  );
}
