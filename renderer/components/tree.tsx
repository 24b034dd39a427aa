import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { TickBox } from "./choice.tsx";
import styles from "./tree.module.css";
import { moveInTree, type TreeMove } from "./tree-keys.ts";

/** One visible row. The caller keeps the flat array, without children of closed folders. */
export interface TreeRow {
  id: string;
  name: string;
  level: number;
  isFolder: boolean;
  isOpen: boolean;
  setSize: number;
  position: number;
  icon?: ReactNode;
  aside?: ReactNode;
}

type CheckState = boolean | "mixed" | undefined;

export interface TreeChecks {
  stateOf: (row: TreeRow) => CheckState;
  onToggle: (row: TreeRow) => void;
}

export interface TreeProps {
  label: string;
  rows: TreeRow[];
  selected: string | null;
  onSelect: (row: TreeRow) => void;
  onToggle: (row: TreeRow) => void;
  /** The last rows are visible: fetch more. */
  onEnd?: () => void;
  /** Rows with checkboxes (Space or pointer); undefined for a row without one. */
  checks?: TreeChecks;
}

/** A virtual tree (role tree, level, set size and position; arrows, Home, End, Enter, type-ahead). */
export function Tree({ label, rows, selected, onSelect, onToggle, onEnd, checks }: TreeProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const base = useId();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 28,
    overscan: 12,
  });
  const place = rows.findIndex(({ id }) => id === selected);
  const wasShown = useRef(false);
  useEffect(() => {
    if (place < 0 || wasShown.current) return;
    wasShown.current = true;
    setCurrent(place);
    virtual.scrollToIndex(place);
  }, [place, virtual]);
  const visible = virtual.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onEnd && last >= rows.length - 10) onEnd();
  }, [last, rows.length, onEnd]);
  const apply = (move: TreeMove) => {
    const row = rows[move.index];
    if (!row) return;
    setCurrent(move.index);
    virtual.scrollToIndex(move.index);
    if (move.does === "toggle") onToggle(row);
    if (move.does === "select") onSelect(row);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current];
    const ticks = event.key === " " && row && checks?.stateOf(row) !== undefined;
    const move = ticks ? undefined : moveInTree(rows, current, event.key);
    if (ticks) {
      event.preventDefault();
      checks?.onToggle(row);
    }
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    apply(move);
  };
  const isShown = visible.some((item) => item.index === current);
  return (
    <div
      ref={scroll}
      className={styles.scroll}
      role="tree"
      tabIndex={0}
      aria-label={label}
      onKeyDown={onKeyDown}
      {...(isShown ? { "aria-activedescendant": `${base}-${current}` } : {})}
    >
      <div className={styles.canvas} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index, start }) => {
          const row = rows[index];
          return row ? (
            <TreeItem
              key={row.id}
              id={`${base}-${index}`}
              row={row}
              start={start}
              isCurrent={index === current}
              isSelected={row.id === selected}
              {...(checks ? { check: { state: checks.stateOf(row), toggle: () => checks.onToggle(row) } } : {})}
              onPress={(toggles) => apply({ index, does: toggles ? "toggle" : "select" })}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

interface TreeItemProps {
  id: string;
  row: TreeRow;
  start: number;
  isCurrent: boolean;
  isSelected: boolean;
  check?: { state: CheckState; toggle: () => void };
  onPress: (toggles: boolean) => void;
}

function TreeItem({ id, row, start, isCurrent, isSelected, check, onPress }: TreeItemProps) {
  const className = [styles.row, isCurrent ? styles.current : "", isSelected ? styles.selected : ""].join(" ");
  return (
    // The tree itself has the focus and the keys; a row answers the pointer only.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the tree
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the tree, see aria-activedescendant
    <div
      id={id}
      role="treeitem"
      className={className}
      style={{ transform: `translateY(${start}px)`, paddingLeft: `${0.25 + (row.level - 1) * 1}rem` }}
      aria-level={row.level}
      aria-setsize={row.setSize}
      aria-posinset={row.position}
      aria-selected={isSelected}
      {...(row.isFolder ? { "aria-expanded": row.isOpen } : {})}
      {...(check?.state === undefined ? {} : { "aria-checked": check.state })}
      onClick={() => onPress(false)}
      onDoubleClick={() => row.isFolder && onPress(true)}
    >
      {check && <TreeCheck {...check} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys open and close for the keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the tree */}
      <span
        className={`${styles.chevron} ${row.isOpen ? styles.open : ""}`}
        onClick={(event) => {
          if (!row.isFolder) return;
          event.stopPropagation();
          onPress(true);
        }}
      >
        {row.isFolder && <ChevronRight size={14} aria-hidden="true" />}
      </span>
      {row.icon}
      <span className={styles.name} title={row.name}>
        {row.name}
      </span>
      {row.aside && <span className={styles.aside}>{row.aside}</span>}
    </div>
  );
}

function TreeCheck({ state, toggle }: { state: CheckState; toggle: () => void }) {
  if (state === undefined) return <span className={styles.check} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Space ticks for the keyboard, and the row tells
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the tree
    <span
      className={styles.check}
      onClick={(event) => {
        event.stopPropagation();
        toggle();
      }}
    >
      <TickBox state={state} />
    </span>
  );
}
