import { Ellipsis, type LucideIcon } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { IconButton } from "./button.tsx";
import styles from "./menu.module.css";

export interface MenuAction {
  id: string;
  label: string;
  icon?: LucideIcon;
  isDangerous?: boolean;
  isDisabled?: boolean;
  onAction: () => void;
}

interface MenuButtonProps {
  label: string;
  actions: MenuAction[];
  trigger?: ReactNode;
  onOpen?: () => void;
  /** The three-dots button. */
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a menu of actions. Without `trigger` the button is three dots named `label`. */
export function MenuButton({ label, actions, trigger, onOpen, ref }: MenuButtonProps) {
  return (
    <MenuTrigger onOpenChange={(isOpen) => isOpen && onOpen?.()}>
      {trigger ?? <IconButton ref={ref} label={label} icon={Ellipsis} small />}
      <Popover className={styles.popover ?? ""} offset={4} placement="bottom end">
        <AriaMenu className={styles.menu ?? ""} aria-label={label}>
          {actions.map(({ id, label: words, icon: Icon, isDangerous, isDisabled, onAction }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={words}
              isDisabled={isDisabled ?? false}
              onAction={onAction}
              className={`${styles.item} ${isDangerous ? styles.danger : ""}`}
            >
              {Icon && <Icon size={15} strokeWidth={1.75} aria-hidden="true" />}
              {words}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
