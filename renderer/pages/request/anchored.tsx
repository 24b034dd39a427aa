import { type ReactNode, useEffect, useRef } from "react";
import styles from "./request.module.css";

/** A timeline event with an anchor. The one in the address is scrolled to, highlighted and focused. */
export function Anchored({
  id,
  target,
  className,
  children,
}: {
  id: string;
  target: string | undefined;
  className: string | undefined;
  children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const isTarget = target === id;
  useEffect(() => {
    if (!isTarget) return;
    place.current?.scrollIntoView({ block: "center" });
    place.current?.focus({ preventScroll: true });
  }, [isTarget]);
  return (
    <div
      ref={place}
      id={`commentevent-${id}`}
      tabIndex={-1}
      className={`${className ?? ""} ${isTarget ? styles.highlight : ""}`}
    >
      {children}
    </div>
  );
}
