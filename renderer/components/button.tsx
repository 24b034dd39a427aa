import type { LucideIcon } from "lucide-react";
import type { MouseEvent, ReactNode, Ref } from "react";
import { Button as AriaButton, type ButtonProps as AriaProps, TooltipTrigger } from "react-aria-components";
import styles from "./button.module.css";
import { saveFile } from "./save-file.ts";
import { Tooltip } from "./tooltip.tsx";

type Variant = "primary" | "secondary" | "quiet" | "danger" | "link";

export interface ButtonProps extends Omit<AriaProps, "className" | "children"> {
  variant?: Variant;
  small?: boolean;
  icon?: LucideIcon;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

/** A button with text. While `isPending` it keeps its text, shows a spinner and cannot be pressed. */
export function Button({ variant = "secondary", small = false, icon: Icon, children, ...props }: ButtonProps) {
  const className = [styles.button, styles[variant], small ? styles.small : ""].join(" ");
  return (
    <AriaButton {...props} className={className}>
      {props.isPending ? (
        <span className={styles.spinner} aria-hidden="true" />
      ) : (
        Icon && <Icon size={small ? 14 : 16} strokeWidth={1.75} aria-hidden="true" />
      )}
      {children}
    </AriaButton>
  );
}

export interface IconButtonProps extends Omit<AriaProps, "className" | "children" | "aria-label"> {
  /** For screen readers and the tooltip. */
  label: string;
  icon: LucideIcon;
  shortcut?: string;
  variant?: Variant;
  small?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A square icon button; its label is the tooltip. */
export function IconButton({
  label,
  icon: Icon,
  shortcut,
  variant = "quiet",
  small = false,
  ...props
}: IconButtonProps) {
  const className = [styles.button, styles[variant], styles.icon, small ? styles.small : ""].join(" ");
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <AriaButton {...props} aria-label={label} className={className}>
        <Icon size={small ? 14 : 16} strokeWidth={1.75} aria-hidden="true" />
      </AriaButton>
      <Tooltip shortcut={shortcut}>{label}</Tooltip>
    </TooltipTrigger>
  );
}

/** A download link that looks like a button. */
export function DownloadLink({
  href,
  name,
  icon: Icon,
  small = false,
  label,
  children,
}: {
  href: string;
  name: string;
  /** Read by screen readers in place of the words, which it begins with. */
  label?: string;
  icon?: LucideIcon;
  small?: boolean;
  children: ReactNode;
}) {
  const onClick = (event: MouseEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void saveFile(href, name);
  };
  return (
    <a
      className={[styles.button, styles.secondary, styles.anchor, small ? styles.small : ""].join(" ")}
      href={href}
      download={name}
      aria-label={label}
      onClick={onClick}
    >
      {Icon && <Icon size={small ? 14 : 16} strokeWidth={1.75} aria-hidden="true" />}
      {children}
    </a>
  );
}
