import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./virtual-list.module.css";

export interface VirtualListProps<Item> {
  label: string;
  items: Item[];
  keyOf: (item: Item) => string;
  /** Height of a row before it is measured, in pixels. */
  estimatePx: number;
  children: (item: Item, index: number) => ReactNode;
  /** Called when the last rows become visible; fetch the next page. */
  onEnd?: () => void;
  /** Total number of rows, for screen readers. */
  total?: number;
  /** Key of a row that is scrolled to. */
  toward?: string | undefined;
}

/** A long list; only visible rows are rendered. The parent must have a height. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, keyOf, estimatePx, children, onEnd, total, toward } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => estimatePx,
    getItemKey: (index) => (items[index] === undefined ? index : keyOf(items[index])),
    overscan: 8,
  });
  const visible = rows.getVirtualItems();
  const last = visible.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEnd && last >= items.length - 5) onEnd();
  }, [last, items.length, onEnd]);
  const target = toward === undefined ? -1 : items.findIndex((item) => keyOf(item) === toward);
  useEffect(() => {
    if (target >= 0) rows.scrollToIndex(target, { align: "center" });
  }, [target, rows]);
  return (
    <div ref={scroll} className={styles.scroll}>
      <ul className={styles.canvas} aria-label={label} style={{ height: rows.getTotalSize() }}>
        {visible.map(({ key, index, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className={styles.item}
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={total ?? items.length}
            >
              {children(item, index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
