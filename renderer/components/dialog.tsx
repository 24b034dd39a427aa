import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "./button.tsx";
import styles from "./dialog.module.css";
import { useFocusBack } from "./focus-back.ts";

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, primary last. */
  actions?: ReactNode;
  wide?: boolean;
  /** As large as the window allows. */
  isLarge?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
  role?: "dialog" | "alertdialog";
  /** The action is under way: the dialog stays open until the answer. */
  isPending?: boolean;
  /** Closing it by chance would lose something, such as typed words or a link that is shown once: only its buttons do. */
  keepsOpen?: boolean;
}

const doubleClickMs = 500;

/** Whether a press outside closes: not the second one of a double click, whose first one opened the dialog. */
function useOutsidePress(isOpen: boolean): () => boolean {
  const openedMs = useRef(0);
  useLayoutEffect(() => {
    if (isOpen) openedMs.current = performance.now();
  }, [isOpen]);
  return () => performance.now() - openedMs.current > doubleClickMs;
}

/** Stands in an open dialog only. */
function FocusBack() {
  useFocusBack();
  return null;
}

/** A modal dialog. Escape and a press outside close it. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  actions,
  wide = false,
  isLarge = false,
  onKeyDown,
  role = "dialog",
  isPending = false,
  keepsOpen = false,
}: DialogProps) {
  const closesOutside = useOutsidePress(isOpen);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && !isPending && !keepsOpen && onClose()}
      isDismissable={role === "dialog"}
      shouldCloseOnInteractOutside={closesOutside}
      className={`${styles.overlay} ${isLarge ? styles.aroundLarge : ""}`}
    >
      <Modal className={`${styles.modal} ${wide ? styles.wide : ""} ${isLarge ? styles.large : ""}`}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the dialog inside */}
        <div className={styles.keys} onKeyDown={onKeyDown}>
          <AriaDialog role={role} className={styles.dialog ?? ""}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <FocusBack />
            <div className={styles.body}>{children}</div>
            {actions && <div className={styles.actions}>{actions}</div>}
          </AriaDialog>
        </div>
      </Modal>
    </ModalOverlay>
  );
}

export interface ConfirmDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** Says what is lost and what is kept. */
  children: ReactNode;
  confirmLabel: string;
  isDangerous?: boolean;
  isPending?: boolean;
  isDisabled?: boolean;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog({
  children,
  confirmLabel,
  isDangerous,
  isPending = false,
  isDisabled = false,
  onConfirm,
  ...props
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      {...props}
      isPending={isPending}
      role="alertdialog"
      actions={
        <>
          <Button isDisabled={isPending} onPress={props.onClose}>
            {t("action.cancel")}
          </Button>
          <Button
            variant={isDangerous ? "danger" : "primary"}
            isPending={isPending}
            isDisabled={isDisabled}
            onPress={onConfirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

export interface DrawerProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Shown in the header, left of the close button. */
  tools?: ReactNode;
}

/** A panel at the right edge, 420 px wide. */
export function Drawer({ title, isOpen, onClose, children, tools }: DrawerProps) {
  const { t } = useTranslation();
  const closesOutside = useOutsidePress(isOpen);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
      shouldCloseOnInteractOutside={closesOutside}
      className={styles.drawerOverlay ?? ""}
    >
      <Modal className={styles.drawer ?? ""}>
        <AriaDialog className={styles.drawerDialog ?? ""}>
          <FocusBack />
          <div className={styles.drawerHead}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <span>
              {tools}
              <IconButton label={t("action.close")} icon={X} onPress={onClose} />
            </span>
          </div>
          <div className={styles.drawerBody}>{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
