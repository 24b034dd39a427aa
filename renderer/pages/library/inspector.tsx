import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronRight, ExternalLink, X } from "lucide-react";
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { previewKind } from "../../../shared/previews/kind.ts";
import type { FileEntry, RecordBody } from "../../api-client/record-types.ts";
import { draftFileContent, draftFilesQuery, recordFilesQuery } from "../../api-client/records.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Cover } from "../../components/cover.tsx";
import { Drawer } from "../../components/dialog.tsx";
import { FilePreview } from "../../components/preview/file-preview.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { personName, titleText } from "../../format/names.ts";
import { formatEdtf } from "../../format/times.ts";
import { useCommands } from "../../shell/command-list.ts";
import styles from "./inspector.module.css";
import { useIsWide } from "./is-wide.ts";

interface InspectorProps {
  record: RecordBody;
  onClose: () => void;
}

/** Preview of a record: beside the list, and over it in a narrow window. */
export function Inspector({ record, onClose }: InspectorProps) {
  const { t } = useTranslation();
  const isWide = useIsWide();
  useCommands(
    isWide
      ? [{ id: "look.close", group: "page", label: t("library.look_close"), icon: X, keys: "escape", run: onClose }]
      : [],
  );
  if (!isWide)
    return (
      <Drawer title={t("library.look")} isOpen onClose={onClose}>
        <Content record={record} />
      </Drawer>
    );
  return (
    <aside className={styles.beside} aria-label={t("library.look")}>
      <div className={styles.close}>
        <IconButton small icon={X} label={t("library.look_close")} onPress={onClose} />
      </div>
      <Content key={record.id} record={record} />
    </aside>
  );
}

function Content({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { metadata } = record;
  const people = (metadata.creators ?? []).map(({ person_or_org }) => personName(person_or_org)).join("; ");
  const facts = [
    metadata.resource_type && titleText(metadata.resource_type.title, metadata.resource_type.id),
    metadata.publication_date && formatEdtf(metadata.publication_date),
    metadata.publisher,
    record.pids.doi?.identifier,
  ].filter(Boolean);
  const open = () =>
    void navigate({ to: record.is_published ? "/records/$id" : "/uploads/$id", params: { id: record.id } });
  return (
    <article className={styles.inspector}>
      <Cover record={record} size="page" />
      <h2 dir="auto">{metadata.title ?? t("library.untitled")}</h2>
      {people && <p>{people}</p>}
      <p className={styles.facts}>{facts.join(" · ")}</p>
      <Button icon={ExternalLink} onPress={open}>
        {t("action.open")}
      </Button>
      {metadata.description && <RichText html={metadata.description} />}
      {record.files.enabled && <Files record={record} />}
    </article>
  );
}

function Files({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const { data } = useQuery((record.is_published ? recordFilesQuery : draftFilesQuery)(record.id));
  const entries = (data?.entries ?? []).filter(({ status }) => status === "completed");
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="inspected-files">
      <h3 id="inspected-files" className={styles.head}>
        {t("files.title")}
      </h3>
      <ul className={styles.files}>
        {entries.map((entry) => (
          <li key={entry.key}>
            <FileRow
              entry={entry}
              url={record.is_published ? entry.links.content : draftFileContent(record.id, entry.key)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FileRow({ entry, url }: { entry: FileEntry; url: string }) {
  const [isOpen, setOpen] = useState(false);
  const { key, size = 0 } = entry;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const words = (
    <>
      <span className={styles.name}>{key}</span>
      <span className={styles.size}>{formatBytes(size)}</span>
    </>
  );
  if (previewKind(key) === "none") return <div className={styles.file}>{words}</div>;
  return (
    <>
      <AriaButton className={styles.file ?? ""} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <Chevron size={13} aria-hidden="true" />
        {words}
      </AriaButton>
      {isOpen && <FilePreview name={key} url={url} size={size} />}
    </>
  );
}
