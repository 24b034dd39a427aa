import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";
import styles from "./tabs.module.css";

export interface TabItem {
  id: string;
  label: string;
  count?: number | undefined;
  content: ReactNode;
}

/** Tabs over panels. Without `selected` they keep their own state. */
export function Tabs({
  label,
  items,
  selected,
  onSelect,
}: {
  label: string;
  items: TabItem[];
  selected?: string;
  onSelect?: (id: string) => void;
}) {
  const control = selected === undefined ? {} : { selectedKey: selected };
  return (
    <AriaTabs {...control} onSelectionChange={(key) => onSelect?.(String(key))} className={styles.tabs ?? ""}>
      <TabList aria-label={label} className={styles.list ?? ""}>
        {items.map((item) => (
          <Tab key={item.id} id={item.id} className={styles.tab ?? ""}>
            {item.label}
            {item.count !== undefined && <span className={styles.count}>{item.count}</span>}
          </Tab>
        ))}
      </TabList>
      {items.map((item) => (
        <TabPanel key={item.id} id={item.id} className={styles.panel ?? ""}>
          {item.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
