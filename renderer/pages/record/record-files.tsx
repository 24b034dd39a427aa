import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { Download, Eye, EyeOff, FolderOpen, FolderTree, Hand } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { previewKind } from "../../../shared/previews/kind.ts";
import { ownerGoneQuery } from "../../api-client/access.ts";
import type { FileEntry, RecordBody } from "../../api-client/record-types.ts";
import { draftFilesQuery, recordFilesQuery } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button as ActionButton, DownloadLink, IconButton } from "../../components/button.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { EmptyState, InlineNotice } from "../../components/notice.tsx";
import { FilePreview } from "../../components/preview/file-preview.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { splitPath } from "../../format/names.ts";
import { fileIcon } from "../draft/files/file-icon.ts";
import { useRules } from "../settings/keeping-section.tsx";
import { AskDialog, takesRequests } from "./ask-access.tsx";
import type { Beside } from "./beside.ts";
import styles from "./record.module.css";
import { useShownPreview } from "./shown-preview.ts";

const manyRows = 40;

const pages = { records: "/records/$id/files/$", uploads: "/uploads/$id/files/$" } as const;
type Place = keyof typeof pages;

/** Makes this record's files available offline. */
function KeepHere({ id }: { id: string }) {
  const { t } = useTranslation();
  const { rules, change } = useRules();
  const { data: status } = useQuery(syncStatusQuery);
  if (!rules || !status?.server) return null;
  return (
    <Checkbox
      isSelected={rules.records.includes(id)}
      onChange={(isKept) =>
        change(({ records }) => {
          const others = records.filter((one) => one !== id);
          return { records: isKept ? [...others, id] : others };
        })
      }
    >
      {t("keeping.keep")}
    </Checkbox>
  );
}

interface RecordFilesProps {
  record: RecordBody;
  beside?: Beside;
  /** Name of a file that is scrolled to. */
  toward?: string | undefined;
}

/** Files of a record or draft: preview, archives, downloads. */
export function RecordFiles({ record, beside, toward }: RecordFilesProps) {
  const { t } = useTranslation();
  const place: Place = record.is_published ? "records" : "uploads";
  const filesQuery = record.is_published ? recordFilesQuery : draftFilesQuery;
  const { data, error } = useQuery({ ...filesQuery(record.id), enabled: record.files.enabled });
  const { shown, show } = useShownPreview(data?.default_preview ?? null);
  const isOffered = takesRequests(record);
  const { data: isOwnerGone, isError: isAway } = useQuery({
    ...ownerGoneQuery(record.id),
    enabled: isOffered && error !== null,
  });
  const mayAsk = isOffered && (isAway || isOwnerGone === false);
  // Beside the notice, which goes away while the files are asked for again.
  const [isAsking, setAsking] = useState(false);
  const entries = data?.entries ?? [];
  const bytes = entries.reduce((sum, { size = 0 }) => sum + size, 0);
  const addresses = new Map(entries.map(({ key, links }) => [key, links.content]));
  const urlOf = (path: string) => addresses.get(path);
  const row = (entry: FileEntry) => (
    <FileRow
      urlOf={urlOf}
      place={place}
      recordId={record.id}
      entry={entry}
      isOpen={entry.key === shown}
      onToggle={() => show(entry.key === shown ? null : entry.key)}
      beside={beside?.({ file: entry.key }, entry.key)}
    />
  );
  return (
    <section className={styles.section} aria-labelledby="files">
      <div className={styles.sectionHead}>
        <h2 id="files">
          {t("files.title")}{" "}
          {entries.length > 0 && (
            <span className={styles.amount}>
              {t("files.usage", { count: entries.length, size: formatBytes(bytes) })}
            </span>
          )}
        </h2>
        <span className={styles.tools}>
          {entries.length > 0 && <KeepHere id={record.id} />}
          {entries.length > 1 && data?.links.archive && (
            <DownloadLink small icon={Download} href={data.links.archive} name={`${record.id}.zip`}>
              {t("record.all_files")}
            </DownloadLink>
          )}
        </span>
      </div>
      {(!record.files.enabled || data?.entries?.length === 0) && (
        <EmptyState icon={FolderOpen} title={t("record.no_files")} />
      )}
      {error && (
        <InlineNotice
          tone="warn"
          actions={
            mayAsk && (
              <ActionButton icon={Hand} onPress={() => setAsking(true)}>
                {t("record.ask_access.open")}
              </ActionButton>
            )
          }
        >
          {error instanceof ApiFailure && error.status === 403 ? t("record.ask_access.restricted") : error.message}
          {isOwnerGone && ` ${t("record.ask_access.owner_gone")}`}
        </InlineNotice>
      )}
      {isAsking && <AskDialog record={record} onClose={() => setAsking(false)} />}
      {entries.length > manyRows ? (
        <div className={styles.files} style={{ height: "32rem", display: "flex" }}>
          <VirtualList
            label={t("files.title")}
            items={entries}
            keyOf={({ key }) => key}
            estimatePx={41}
            toward={toward}
          >
            {row}
          </VirtualList>
        </div>
      ) : (
        entries.length > 0 && (
          <ul className={styles.files}>
            {entries.map((entry) => (
              <li key={entry.key}>{row(entry)}</li>
            ))}
          </ul>
        )
      )}
    </section>
  );
}

function FileRow({
  place,
  recordId,
  entry,
  isOpen,
  onToggle,
  urlOf,
  beside,
}: {
  place: Place;
  recordId: string;
  entry: FileEntry;
  isOpen: boolean;
  onToggle: () => void;
  urlOf: (path: string) => string | undefined;
  beside?: ReactNode;
}) {
  const { t } = useTranslation();
  const { folder, name } = splitPath(entry.key);
  const Icon = fileIcon(entry.key);
  const isArchive = Boolean(entry.links.container) || /\.zip$/i.test(entry.key);
  const mayLook = previewKind(entry.key) !== "none";
  const { pathname } = useLocation();
  const review = /^\/me\/requests\/([^/]+)$/.exec(pathname)?.[1];
  const search = review ? { review } : {};
  const line = (
    <div className={styles.file}>
      <Icon size={15} strokeWidth={1.6} aria-hidden="true" />
      <span className={styles.fileName} title={`${entry.key}\n${entry.checksum ?? ""}`}>
        {folder && <span className={styles.folder}>{folder}</span>}
        {isArchive && (
          <Link to={pages[place]} params={{ id: recordId, _splat: entry.key }} search={search}>
            {name}
          </Link>
        )}
        {/* For the mouse; keys have the button behind. */}
        {!isArchive && mayLook && (
          <Button className={styles.lookIn ?? ""} excludeFromTabOrder onPress={onToggle}>
            {name}
          </Button>
        )}
        {!isArchive && !mayLook && <span>{name}</span>}
      </span>
      <span className={styles.size}>{formatBytes(entry.size ?? 0)}</span>
      <span className={styles.fileActions}>
        {isArchive && (
          <Link
            to={pages[place]}
            params={{ id: recordId, _splat: entry.key }}
            search={search}
            aria-label={t("record.browse", { name })}
            title={t("record.browse", { name })}
            style={{ display: "flex", alignItems: "center", padding: "0 0.3125rem" }}
          >
            <FolderTree size={14} aria-hidden="true" />
          </Link>
        )}
        {mayLook && (
          <IconButton
            small
            icon={isOpen ? EyeOff : Eye}
            label={t(isOpen ? "record.hide" : "record.look", { name })}
            aria-expanded={isOpen}
            onPress={onToggle}
          />
        )}
        <DownloadLink
          small
          icon={Download}
          href={`${entry.links.content}?download=1`}
          name={name}
          label={t("record.download", { name })}
        >
          {t("action.download")}
        </DownloadLink>
      </span>
    </div>
  );
  return (
    <>
      {beside ? (
        <div className={styles.besideFile}>
          {line}
          {beside}
        </div>
      ) : (
        line
      )}
      {isOpen && mayLook && (
        <div className={styles.preview}>
          <FilePreview name={entry.key} url={entry.links.content} size={entry.size ?? 0} urlOf={urlOf} />
        </div>
      )}
    </>
  );
}
