import { type FormEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Collection } from "../../api-client/collections.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import styles from "../people/people.module.css";
import { FoundRecords } from "./found-records.tsx";
import { GroupChoice } from "./group-choice.tsx";
import { type CollectionForm, useCollectionForm } from "./use-collection-form.ts";

interface CollectionDialogProps {
  /** Undefined: a new one. */
  collection: Collection | undefined;
  /** Administrators choose the group. */
  mayChooseGroup: boolean;
  onClose: () => void;
}

/** Creates or edits a collection. */
export function CollectionDialog({ collection, mayChooseGroup, onClose }: CollectionDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const form = useCollectionForm({ collection, mayChooseGroup, onClose });
  const { save, values, set, problemOf, failure, isComplete, isChanged } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) save.mutate();
  };
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      isPending={save.isPending}
      keepsOpen={isChanged}
      title={collection ? t("collections.edit", { title: collection.title }) : t("collections.new")}
      actions={
        <>
          <Button isDisabled={save.isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button type="submit" form={id} variant="primary" isDisabled={!isComplete} isPending={save.isPending}>
            {t(collection ? "action.save" : "collections.create")}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={submit}>
        <Fields form={form} isNew={collection === undefined} />
        {mayChooseGroup && <GroupChoice value={values.group} onChange={set("group")} problem={problemOf("group")} />}
        {failure && (
          <InlineNotice tone="danger">
            {failure.status === 412 ? t("collections.changed_meanwhile") : failure.message}
          </InlineNotice>
        )}
      </form>
    </Dialog>
  );
}

/** The address cannot change later, since others link to it. */
function Fields({ form: { values, set, isSlug, problemOf, save }, isNew }: { form: CollectionForm; isNew: boolean }) {
  const { t } = useTranslation();
  const { slug, title, text, query } = values;
  const wrongSlug = title !== "" && !isSlug ? t("collections.slug_shape") : undefined;
  return (
    <>
      <TextField
        isReadOnly={save.isPending}
        label={t("collections.title")}
        value={title}
        onChange={set("title")}
        problem={problemOf("title")}
        maxLength={200}
        autoFocus
      />
      {isNew && (
        <TextField
          isReadOnly={save.isPending}
          label={t("collections.slug")}
          description={t("collections.slug_help", { slug: slug || "…" })}
          value={slug}
          onChange={set("slug")}
          problem={problemOf("slug") ?? wrongSlug}
        />
      )}
      <TextField
        isReadOnly={save.isPending}
        label={t("collections.text")}
        description={t("collections.text_help")}
        value={text}
        onChange={set("text")}
        rows={3}
        problem={problemOf("text")}
        maxLength={5000}
      />
      <TextField
        isReadOnly={save.isPending}
        label={t("collections.query")}
        description={t("collections.query_help")}
        value={query}
        onChange={set("query")}
        rows={2}
        problem={problemOf("query")}
      />
      {!problemOf("query") && <FoundRecords query={query} onTry={set("query")} />}
    </>
  );
}
