import { Download, FileSearch } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type ContainerDirectory, type ContainerEntry, memberAddress } from "../../api-client/containers.ts";
import { DownloadLink } from "../../components/button.tsx";
import { EmptyState, InlineNotice } from "../../components/notice.tsx";
import { FilePreview } from "../../components/preview/file-preview.tsx";
import { formatBytes, formatCount } from "../../format/amounts.ts";
import { splitPath } from "../../format/names.ts";
import { translateRefusal } from "../../locales/refusals.ts";
import styles from "./container.module.css";
import type { Node } from "./container-rows.tsx";

/** Details, preview and download of the selected member or folder. */
export function EntryPane({ base, node, fileKey }: { base: string; node: Node | undefined; fileKey: string }) {
  const { t } = useTranslation();
  if (!node || node.kind === "more")
    return (
      <EmptyState icon={FileSearch} title={t("container.choose")}>
        {t("container.choose_help")}
      </EmptyState>
    );
  return node.kind === "folder" ? (
    <FolderEntry base={base} folder={node.at} />
  ) : (
    <FileEntryPane base={base} entry={node.at} fileKey={fileKey} />
  );
}

function EntryHead({ path, children }: { path: string; children?: ReactNode }) {
  return (
    <div className={styles.entryHead}>
      <div>
        <h2>{splitPath(path).name}</h2>
        <code className={styles.path}>{path}</code>
      </div>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}

function FolderEntry({ base, folder }: { base: string; folder: ContainerDirectory }) {
  const { t } = useTranslation();
  const { name } = splitPath(folder.key);
  return (
    <>
      <EntryHead path={folder.key}>
        <DownloadLink icon={Download} href={memberAddress(base, `${folder.key}/`)} name={`${name}.zip`}>
          {t("container.save_folder")}
        </DownloadLink>
      </EntryHead>
      <dl className={styles.facts}>
        {folder.count !== undefined && (
          <>
            <dt>{t("files.title")}</dt>
            <dd>{formatCount(folder.count)}</dd>
          </>
        )}
        {folder.size !== undefined && (
          <>
            <dt>{t("container.size")}</dt>
            <dd>{formatBytes(folder.size)}</dd>
          </>
        )}
      </dl>
    </>
  );
}

function FileEntryPane({ base, entry, fileKey }: { base: string; entry: ContainerEntry; fileKey: string }) {
  const { t } = useTranslation();
  const href = memberAddress(base, entry.key);
  if (entry.metadata)
    return (
      <>
        <EntryHead path={entry.key} />
        <InlineNotice tone="warn">{translateRefusal(entry.metadata.error)}</InlineNotice>
      </>
    );
  return (
    <>
      <EntryHead path={entry.key}>
        <DownloadLink icon={Download} href={href} name={splitPath(entry.key).name}>
          {t("action.download")}
        </DownloadLink>
      </EntryHead>
      <FilePreview
        key={`${fileKey}/${entry.key}/${entry.checksum}`}
        name={entry.key}
        url={`${href}?version=${entry.checksum}`}
        size={entry.size}
        isBounded={false}
        urlOf={(path) => memberAddress(base, path)}
      />
      <dl className={styles.facts}>
        <dt>{t("container.size")}</dt>
        <dd>{formatBytes(entry.size)}</dd>
        <dt>{t("container.packed")}</dt>
        <dd>{formatBytes(entry.compressed_size)}</dd>
        <dt>{t("container.type")}</dt>
        <dd>{entry.mimetype}</dd>
        <dt>{t("container.checksum")}</dt>
        <dd>
          <code>{entry.checksum}</code>
        </dd>
      </dl>
    </>
  );
}
