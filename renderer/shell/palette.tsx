import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileText, History, type LucideIcon, Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Autocomplete, Dialog, Header, Menu, MenuItem, MenuSection, Modal, ModalOverlay } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { fold } from "../../shared/search/language/analysis.ts";
import { quickFindQuery } from "../api-client/records.ts";
import { SearchField } from "../components/text-field.tsx";
import { useCommandList } from "./command-list.ts";
import { Keys } from "./key-caps.tsx";
import styles from "./palette.module.css";
import { recentPages } from "./recent.ts";

interface Entry {
  id: string;
  label: string;
  help?: string;
  icon: LucideIcon;
  keys?: string;
  run: () => void;
}

interface Group {
  id: "page" | "go" | "do" | "look" | "recent" | "search" | "found";
  entries: Entry[];
}

/** Only the newest of pages with the same title: a draft, its record and its versions. */
const withoutTwins = <One extends { label: string }>(entries: One[]): One[] =>
  entries.filter(({ label }, index) => entries.findIndex((other) => other.label === label) === index);

const order = ["page", "do", "go", "look"] as const;

/** Palette entries for a text: matching commands, a search, and found records. */
function useGroups(text: string): Group[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const commands = useCommandList();
  const query = useDeferredValue(text.trim());
  const { data: found = [] } = useQuery(quickFindQuery(query));
  const words = fold(text).split(/\s+/).filter(Boolean);
  const fits = (label: string) => words.every((word) => fold(label).includes(word));
  const groups: Group[] = order.map((id) => ({
    id,
    entries: commands.filter((one) => one.group === id && one.id !== "palette" && fits(one.label)),
  }));
  const recent = recentPages()
    .filter(({ label }) => fits(label))
    .map(({ path, label }) => ({
      id: `recent ${path}`,
      label,
      icon: History,
      run: () => void navigate({ to: path }),
    }));
  if (!query) return [{ id: "recent", entries: withoutTwins(recent) }, ...groups];
  const search = {
    id: "search for",
    label: t("palette.search_for", { text: query }),
    icon: Search,
    run: () => void navigate({ to: "/me/uploads", search: { q: query } }),
  };
  const records = found.map(({ id, is_published, metadata, versions }) => ({
    id: `found ${id}`,
    label: metadata.title ?? t("library.untitled"),
    help: [
      t(is_published ? "record_status.published" : "record_status.draft"),
      versions.index > 1 && t("library.version", { index: metadata.version ?? versions.index }),
    ]
      .filter(Boolean)
      .join(" · "),
    icon: FileText,
    run: () => void navigate({ to: is_published ? "/records/$id" : "/uploads/$id", params: { id } }),
  }));
  const others = recent.filter(({ id }) => !found.some((record) => id.endsWith(`/${record.id}`)));
  return [
    ...groups,
    { id: "search", entries: [search] },
    { id: "recent", entries: withoutTwins(others) },
    { id: "found", entries: records },
  ];
}

/** All commands and places by name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const groups = useGroups(text).filter(({ entries }) => entries.length > 0);
  const entries = groups.flatMap((group) => group.entries);
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()} className={styles.overlay ?? ""}>
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label={t("palette.open")} className={styles.dialog ?? ""}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <div className={styles.box}>
              <SearchField label={t("palette.open")} placeholder={t("palette.hint")} autoFocus />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list must be scrollable by keyboard */}
            <div className={styles.scroll} tabIndex={0}>
              <Menu
                aria-label={t("palette.open")}
                className={styles.menu ?? ""}
                onAction={(key) => {
                  onClose();
                  entries.find(({ id }) => id === key)?.run();
                }}
              >
                {groups.map(({ id, entries: ofGroup }) => (
                  <MenuSection key={id}>
                    <Header className={styles.header ?? ""}>{t(`palette.group.${id}`)}</Header>
                    {ofGroup.map((entry) => (
                      <EntryRow key={entry.id} entry={entry} />
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function EntryRow({ entry: { id, label, help, icon: Icon, keys } }: { entry: Entry }) {
  return (
    <MenuItem id={id} textValue={label} className={styles.item ?? ""}>
      <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
      <span className={styles.label}>{label}</span>
      {help && <span className={styles.help}>{help}</span>}
      {keys && <Keys keys={keys} />}
    </MenuItem>
  );
}
