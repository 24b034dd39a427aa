import type { EditorView } from "@tiptap/pm/view";
import { type Editor, EditorContent, useEditor, useEditorState } from "@tiptap/react";
import { StarterKit, type StarterKitOptions } from "@tiptap/starter-kit";
import { Bold, Code, Italic, Link2, List, ListOrdered, type LucideIcon, Quote } from "lucide-react";
import { type Ref, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ToggleButton, Toolbar } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { keptMarkup } from "./kept-markup.ts";
import { LinkPopover } from "./link-popover.tsx";
import { type Mentionable, MentionSuggestions } from "./mention-suggestions.tsx";
import { replaceText } from "./replace-text.ts";
import styles from "./rich-text.module.css";

export interface RichTextEditorProps {
  label: string;
  hideLabel?: boolean;
  /** HTML. A value other than the last reported one replaces the text. */
  value: string;
  onChange: (html: string) => void;
  onBlur?: () => void;
  /** Ctrl-Enter. */
  onSubmit?: () => void;
  isInvalid?: boolean;
  short?: boolean;
  /** Puts the cursor at the end when the editor appears. */
  autoFocus?: boolean;
  /** Increased when the user's action appended text, such as a quote: moves the cursor after it. */
  additions?: number;
  id?: string;
  /** People whom an "@" may mention. */
  people?: readonly Mentionable[] | undefined;
  /** False in a form that undoes the changes of all its fields. */
  hasOwnUndo?: boolean;
}

const starterKit: Partial<StarterKitOptions> = {
  heading: false,
  horizontalRule: false,
  strike: false,
  link: { openOnClick: false, protocols: ["https", "http", "mailto"] },
};
const extensions = [StarterKit.configure(starterKit), ...keptMarkup];
const extensionsWithoutUndo = [StarterKit.configure({ ...starterKit, undoRedo: false }), ...keptMarkup];

/**
 * Browsers announce in a later task that a key moved the cursor. On a busy computer the next key is faster, and would take
 * effect where the cursor was before.
 */
function readCursor({ dom }: EditorView, { isComposing }: KeyboardEvent) {
  if (!isComposing) dom.ownerDocument.dispatchEvent(new Event("selectionchange"));
}

/** The editor would keep these keys from the form, and the browser would undo what the form replaced. */
const leaveUndoToForm = {
  keydown(view: EditorView, event: KeyboardEvent) {
    readCursor(view, event);
    return (event.ctrlKey || event.metaKey) && ["z", "y"].includes(event.key.toLowerCase());
  },
  beforeinput: (_view: unknown, event: InputEvent) => {
    if (event.inputType.startsWith("history")) event.preventDefault();
  },
};

const htmlOf = (editor: Editor) => (editor.isEmpty ? "" : editor.getHTML());

/** The editing surface. Use RichTextEditor, which loads it on demand. */
export function RichTextArea({
  label,
  value,
  onChange,
  onBlur,
  onSubmit,
  isInvalid,
  short,
  autoFocus,
  additions = 0,
  id,
  people,
  hasOwnUndo = true,
}: RichTextEditorProps) {
  const mentionKeys = useRef<(event: KeyboardEvent) => boolean>(() => false);
  const reported = useRef(value);
  const handlers = useRef({ onChange, onBlur, onSubmit });
  handlers.current = { onChange, onBlur, onSubmit };
  const [isLinking, setIsLinking] = useState(false);
  const editor = useEditor({
    extensions: hasOwnUndo ? extensions : extensionsWithoutUndo,
    content: value,
    injectCSS: false,
    autofocus: autoFocus ? "end" : false,
    editorProps: {
      attributes: {
        role: "textbox",
        dir: "auto",
        "aria-multiline": "true",
        "aria-label": label,
        ...(id ? { id } : {}),
      },
      handleDOMEvents: hasOwnUndo ? { keydown: readCursor } : leaveUndoToForm,
      handleKeyDown: (_view, event) => {
        if (mentionKeys.current(event)) return true;
        if (!(event.ctrlKey || event.metaKey)) return false;
        if (event.key === "k") {
          setIsLinking(true);
          return true;
        }
        if (event.key !== "Enter" || !handlers.current.onSubmit) return false;
        handlers.current.onSubmit();
        return true;
      },
    },
    onUpdate: ({ editor: changed }) => {
      reported.current = htmlOf(changed);
      handlers.current.onChange(reported.current);
    },
    onBlur: () => handlers.current.onBlur?.(),
  });
  // The library destroys an editor that is shown late, and makes another one. The effects run again for that one.
  // The editor takes the focus later: what is typed until then must not stand before the text.
  useLayoutEffect(() => {
    if (autoFocus && !editor.isDestroyed) editor.commands.setTextSelection(editor.state.doc.content.size);
  }, [autoFocus, editor]);
  useEffect(() => {
    if (value === reported.current || editor.isDestroyed) return;
    reported.current = value;
    replaceText(editor, value);
  }, [value, editor]);
  useEffect(() => {
    if (additions > 0 && !editor.isDestroyed) editor.commands.setTextSelection(editor.state.doc.content.size);
  }, [additions, editor]);
  return (
    <div className={`${styles.frame} ${isInvalid ? styles.invalid : ""}`}>
      <Tools editor={editor} isLinking={isLinking} onLinking={setIsLinking} />
      <div className={`${styles.area} ${styles.text} ${short ? styles.short : ""}`}>
        <EditorContent editor={editor} />
      </div>
      {people && people.length > 0 && <MentionSuggestions editor={editor} people={people} keys={mentionKeys} />}
    </div>
  );
}

interface ToolsProps {
  editor: Editor;
  isLinking: boolean;
  onLinking: (isLinking: boolean) => void;
}

function Tools({ editor, isLinking, onLinking }: ToolsProps) {
  const { t } = useTranslation();
  const linkTool = useRef<HTMLButtonElement>(null);
  const on = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      bold: current.isActive("bold"),
      italic: current.isActive("italic"),
      code: current.isActive("code"),
      bulletList: current.isActive("bulletList"),
      orderedList: current.isActive("orderedList"),
      blockquote: current.isActive("blockquote"),
      link: current.isActive("link"),
    }),
  });
  const chain = () => editor.chain().focus();
  return (
    <Toolbar className={styles.tools ?? ""} aria-label={t("editor.tools")}>
      <Tool label={t("editor.bold")} icon={Bold} isOn={on.bold} onPress={() => chain().toggleBold().run()} />
      <Tool label={t("editor.italic")} icon={Italic} isOn={on.italic} onPress={() => chain().toggleItalic().run()} />
      <Tool label={t("editor.code")} icon={Code} isOn={on.code} onPress={() => chain().toggleCode().run()} />
      <Tool label={t("editor.link")} icon={Link2} isOn={on.link} onPress={() => onLinking(true)} ref={linkTool} />
      <LinkPopover editor={editor} trigger={linkTool} isOpen={isLinking} onOpenChange={onLinking} />
      <Tool
        label={t("editor.list")}
        icon={List}
        isOn={on.bulletList}
        onPress={() => chain().toggleBulletList().run()}
      />
      <Tool
        label={t("editor.numbers")}
        icon={ListOrdered}
        isOn={on.orderedList}
        onPress={() => chain().toggleOrderedList().run()}
      />
      <Tool
        label={t("editor.quote")}
        icon={Quote}
        isOn={on.blockquote}
        onPress={() => chain().toggleBlockquote().run()}
      />
    </Toolbar>
  );
}

function Tool({
  label,
  icon: Icon,
  isOn,
  onPress,
  ref,
}: {
  label: string;
  icon: LucideIcon;
  isOn: boolean;
  onPress: () => void;
  ref?: Ref<HTMLButtonElement>;
}) {
  return (
    <ToggleButton ref={ref} className={styles.tool ?? ""} aria-label={label} isSelected={isOn} onChange={onPress}>
      <Icon size={14} strokeWidth={1.9} aria-hidden="true" />
    </ToggleButton>
  );
}
