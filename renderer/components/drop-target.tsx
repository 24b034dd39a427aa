import { useEffect, useEffectEvent, useState } from "react";
import styles from "./drop-target.module.css";

interface DropTargetProps {
  /** Describes the drop, shown while something is dragged over the window. */
  words: string;
  /** Accepted types: `Files` or media types. */
  types: readonly string[];
  /** Called inside the event, because the data cannot be read later. */
  onDrop: (transfer: DataTransfer) => void;
}

/** Makes the whole page a drop target for things dragged from outside the window. */
export function DropTarget({ words, types, onDrop }: DropTargetProps) {
  const [isOver, setOver] = useState(false);
  const isTaken = useEffectEvent((transfer: DataTransfer | null) =>
    transfer?.types.some((type) => types.includes(type)),
  );
  const onTaken = useEffectEvent(onDrop);
  useEffect(() => {
    const listening = new AbortController();
    // Text and links dragged within the page go into its fields.
    let isOwn = false;
    const on = <Name extends "dragstart" | "dragend" | "dragover" | "dragleave" | "drop">(
      name: Name,
      act: (event: DragEvent) => void,
      // Captured, because lists whose rows can be dragged keep these events from the window.
    ) => addEventListener(name, act, { signal: listening.signal, capture: true });
    on("dragstart", () => {
      isOwn = true;
    });
    on("dragend", () => {
      isOwn = false;
    });
    on("dragover", (event) => {
      if (isOwn || !isTaken(event.dataTransfer)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(true);
    });
    on("dragleave", (event) => {
      if (event.relatedTarget === null) setOver(false);
    });
    on("drop", (event) => {
      setOver(false);
      if (isOwn || !event.dataTransfer || !isTaken(event.dataTransfer)) return;
      event.preventDefault();
      event.stopPropagation();
      onTaken(event.dataTransfer);
    });
    return () => listening.abort();
  }, []);
  return isOver ? <div className={styles.drop}>{words}</div> : null;
}
