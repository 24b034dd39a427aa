import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Collection } from "../../api-client/collections.ts";
import { groupsQuery } from "../../api-client/people.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { TextField } from "../../components/text-field.tsx";
import styles from "../people/people.module.css";
import { FoundRecords } from "./found-records.tsx";
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
  const { save, failure, isComplete } = form;
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
        {mayChooseGroup && <GroupChoice form={form} />}
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
function Fields({ form: { values, set, isSlug, problemOf }, isNew }: { form: CollectionForm; isNew: boolean }) {
  const { t } = useTranslation();
  const { slug, title, text, query } = values;
  const wrongSlug = slug !== "" && !isSlug ? t("collections.slug_shape") : undefined;
  return (
    <>
      <TextField
        label={t("collections.title")}
        value={title}
        onChange={set("title")}
        problem={problemOf("title")}
        maxLength={200}
        autoFocus
      />
      {isNew && (
        <TextField
          label={t("collections.slug")}
          description={t("collections.slug_help", { slug: slug || "…" })}
          value={slug}
          onChange={set("slug")}
          problem={problemOf("slug") ?? wrongSlug}
        />
      )}
      <TextField
        label={t("collections.text")}
        description={t("collections.text_help")}
        value={text}
        onChange={set("text")}
        rows={3}
        problem={problemOf("text")}
        maxLength={5000}
      />
      <TextField
        label={t("collections.query")}
        description={t("collections.query_help")}
        value={query}
        onChange={set("query")}
        rows={2}
        problem={problemOf("query")}
      />
      {!problemOf("query") && <FoundRecords query={query} />}
    </>
  );
}

function GroupChoice({ form: { values, set, problemOf } }: { form: CollectionForm }) {
  const { t } = useTranslation();
  const { data } = useQuery(groupsQuery(""));
  return (
    <Select
      label={t("collections.group")}
      description={t("collections.group_help")}
      placeholder={t("people.choose_group")}
      options={(data?.body.hits.hits ?? []).map(({ name }) => ({ id: name, label: name }))}
      value={values.group}
      onChange={set("group")}
      problem={problemOf("group")}
    />
  );
}
