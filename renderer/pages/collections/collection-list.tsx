import { useQuery } from "@tanstack/react-query";
import { Layers, PencilLine, Plus, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Collection, collectionsQuery, deleteCollection } from "../../api-client/collections.ts";
import { isSuperuser, personQuery } from "../../api-client/people.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { useChange } from "../../components/use-change.ts";
import styles from "../people/people.module.css";
import { CollectionDialog } from "./collection-dialog.tsx";

/**
 * The collections of the server. Administrators create and delete them, members of their group edit them.
 * @param first the slug of the one whose dialog is open at first.
 */
export function CollectionList({ first }: { first?: string | undefined }) {
  const { t } = useTranslation();
  const { data, error, refetch } = usePageQuery(collectionsQuery);
  const { data: person } = useQuery(personQuery);
  const [doomed, setDoomed] = useState<Collection | null>(null);
  const remove = useChange(deleteCollection, { onSettled: () => setDoomed(null) });
  const [edited, setEdited] = useState<Collection | "new" | null>();
  const mayCreate = isSuperuser(person);
  const asked = data?.find(({ slug, permissions }) => slug === first && permissions.can_update);
  // What is edited stays as it was opened, so that a change of somebody else is noticed.
  const open = edited === undefined ? asked : edited;
  useEffect(() => {
    if (asked) setEdited((before) => (before === undefined ? asked : before));
  }, [asked]);
  return (
    <div className={styles.panel}>
      <p className={styles.note}>{t("collections.about")}</p>
      {mayCreate && (
        <div className={styles.tools}>
          <Button icon={Plus} onPress={() => setEdited("new")}>
            {t("collections.new")}
          </Button>
        </div>
      )}
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Busy />}
      {data?.length === 0 && (
        <EmptyState icon={Layers} title={t("collections.none")}>
          {t("collections.none_help")}
        </EmptyState>
      )}
      <ul aria-label={t("collections.collections")}>
        {data?.map((one) => (
          <CollectionRow
            key={one.slug}
            collection={one}
            onEdit={() => setEdited(one)}
            onDelete={() => setDoomed(one)}
          />
        ))}
      </ul>
      {open && (
        <CollectionDialog
          collection={open === "new" ? undefined : open}
          mayChooseGroup={mayCreate}
          onClose={() => setEdited(null)}
        />
      )}
      <ConfirmDialog
        title={t("collections.delete_title", { title: doomed?.title })}
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && remove.mutate(doomed)}
        isPending={remove.isPending}
        confirmLabel={t("action.delete")}
        isDangerous
      >
        {t("collections.delete_body")}
      </ConfirmDialog>
    </div>
  );
}

interface RowProps {
  collection: Collection;
  onEdit: () => void;
  onDelete: () => void;
}

function CollectionRow({ collection, onEdit, onDelete }: RowProps) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const { slug, title, text, group, is_fixed, permissions } = collection;
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <a
          className={styles.name}
          href={`${status?.server ?? ""}/collections/${slug}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {title}
        </a>
        <span className={styles.note}>{text}</span>
      </span>
      {group && <Pill>{group}</Pill>}
      {group === null && <Pill tone="warn">{t("collections.no_group")}</Pill>}
      {is_fixed && <Pill>{t("collections.fixed")}</Pill>}
      <span>
        {permissions.can_update && (
          <IconButton small icon={PencilLine} label={t("collections.edit", { title })} onPress={onEdit} />
        )}
        {permissions.can_delete && (
          <IconButton small icon={Trash2} label={t("collections.delete", { title })} onPress={onDelete} />
        )}
      </span>
    </li>
  );
}
