import type { Editor } from "@tiptap/react";
import { ExternalLink, Unlink } from "lucide-react";
import { type RefObject, useState } from "react";
import { Dialog, Form, Popover } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "./button.tsx";
import styles from "./rich-text.module.css";
import { TextField } from "./text-field.tsx";

const protocols = ["https:", "http:", "mailto:"];

/** The address that a user means; undefined when it is none. A missing scheme is completed. */
function addressOf(typed: string): string | undefined {
  const text = typed.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);
  const isMail = /^[^\s/@]+@[^\s/@]+\.[^\s/@]+$/.test(text);
  const address = hasScheme ? text : `${isMail ? "mailto:" : "https://"}${text}`;
  if (text === "" || /\s/.test(text) || !URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  if (!protocols.includes(protocol)) return undefined;
  return protocol === "mailto:" || /[.:]|^localhost$/.test(hostname) ? address : undefined;
}

/** The address of the link at the cursor, else the selected text when it is an address. */
function addressAt(editor: Editor): string {
  const { href } = editor.getAttributes("link");
  if (typeof href === "string") return href;
  const { from, to } = editor.state.selection;
  const selected = editor.state.doc.textBetween(from, to);
  return /[.:]/.test(selected) && addressOf(selected) ? selected.trim() : "";
}

/** Links the selected text, the whole link at the cursor, or, where nothing is selected, the address itself. */
function setLink(editor: Editor, href: string): void {
  const chain = editor.chain().focus();
  if (editor.isActive("link") || !editor.state.selection.empty) {
    chain.extendMarkRange("link").setLink({ href }).run();
    return;
  }
  const text = href.replace(/^mailto:/, "");
  chain.insertContent({ type: "text", text, marks: [{ type: "link", attrs: { href } }] }).run();
}

export interface LinkPopoverProps {
  editor: Editor;
  /** What it stands beside. */
  trigger: RefObject<Element | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Asks for the address of a link; opens or removes the one that is there. */
export function LinkPopover({ editor, trigger, isOpen, onOpenChange }: LinkPopoverProps) {
  const { t } = useTranslation();
  return (
    <Popover
      triggerRef={trigger}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      className={styles.popover ?? ""}
      placement="bottom start"
      offset={4}
    >
      <Dialog className={styles.dialog ?? ""} aria-label={t("editor.link")}>
        <LinkForm
          editor={editor}
          onDone={() => {
            onOpenChange(false);
            editor.commands.focus();
          }}
        />
      </Dialog>
    </Popover>
  );
}

function LinkForm({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(() => addressAt(editor));
  const [wasRefused, setWasRefused] = useState(false);
  const address = addressOf(typed);
  const isLink = editor.isActive("link");
  return (
    <Form
      className={styles.link ?? ""}
      onSubmit={(event) => {
        event.preventDefault();
        // A form around the editor must not be sent by it.
        event.stopPropagation();
        setWasRefused(address === undefined);
        if (address === undefined) return;
        setLink(editor, address);
        onDone();
      }}
    >
      <TextField
        autoFocus
        label={t("editor.address")}
        placeholder="https://"
        value={typed}
        onChange={setTyped}
        problem={wasRefused && address === undefined ? t("editor.address_wrong") : undefined}
      />
      <div className={styles.linkActions}>
        <Button type="submit" variant="primary" small>
          {t(isLink ? "action.save" : "editor.add_link")}
        </Button>
        {address !== undefined && (
          <IconButton
            small
            label={t("editor.open_link")}
            icon={ExternalLink}
            onPress={() => window.open(address, "_blank", "noopener,noreferrer")}
          />
        )}
        {isLink && (
          <IconButton
            small
            label={t("editor.remove_link")}
            icon={Unlink}
            onPress={() => {
              editor.chain().focus().extendMarkRange("link").unsetLink().run();
              onDone();
            }}
          />
        )}
      </div>
    </Form>
  );
}
