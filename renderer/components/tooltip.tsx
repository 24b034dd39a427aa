import type { ReactNode } from "react";
import { Tooltip as AriaTooltip } from "react-aria-components";
import styles from "./button.module.css";

/** Place it in React Aria's TooltipTrigger, after the control it explains. */
export function Tooltip({
  children,
  shortcut,
  placement = "bottom",
}: {
  children: ReactNode;
  shortcut?: string | undefined;
  placement?: "bottom" | "top" | "right";
}) {
  return (
    <AriaTooltip className={styles.tooltip ?? ""} offset={6} placement={placement}>
      {children}
      {shortcut && <kbd className={styles.key}>{shortcut}</kbd>}
    </AriaTooltip>
  );
}
