import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { groupChange, groupName, protectedNames } from "../../../shared/groups/group.schema.ts";
import { createGroup, describeGroup, type Group } from "../../api-client/people.ts";
import { ApiFailure, wordsOf } from "../../api-client/request.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useChange } from "../../components/use-change.ts";
import styles from "../people/people.module.css";

/** Creates or describes a group. The name cannot change. */
export function GroupDialog({ group, onClose }: { group: Group | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useId();
  const [name, setName] = useState(group?.name ?? "");
  const [description, setDescription] = useState(group?.description ?? "");
  const save = useChange(() => (group ? describeGroup(group, description) : createGroup(name, description)), {
    showsErrorHere: true,
    onDone: onClose,
  });
  const problemOf = (field: string) =>
    save.error instanceof ApiFailure ? wordsOf(save.error.problems.find((one) => one.field === field)) : undefined;
  const nameProblem = () => {
    if (group || name === "") return undefined;
    if (protectedNames.includes(name)) return t("people.name_protected");
    return groupName.safeParse(name).success ? problemOf("name") : t("people.name_shape");
  };
  const problem = nameProblem();
  const fits = groupChange.safeParse({ description }).success;
  const tooLong = fits ? problemOf("description") : t("people.too_long", { count: 255 });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen={name !== (group?.name ?? "") || description !== (group?.description ?? "")}
      isPending={save.isPending}
      title={group ? t("people.describe", { name: group.name }) : t("people.new_group")}
      actions={
        <>
          <Button isDisabled={save.isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            isDisabled={name === "" || (problem !== undefined && problemOf("name") === undefined) || Boolean(tooLong)}
            isPending={save.isPending}
          >
            {t(group ? "action.save" : "people.create_group")}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        {!group && (
          <TextField
            label={t("people.group_name")}
            description={t("people.group_name_help")}
            value={name}
            onChange={(next) => {
              setName(next);
              save.reset();
            }}
            problem={problem}
            autoFocus
          />
        )}
        <TextField
          label={t("people.description")}
          value={description}
          onChange={setDescription}
          rows={3}
          problem={tooLong}
        />
        {save.error && !problemOf("name") && !problemOf("description") && (
          <InlineNotice tone="danger">
            {save.error instanceof ApiFailure && save.error.status === 412
              ? t("people.changed_meanwhile")
              : save.error.message}
          </InlineNotice>
        )}
      </form>
    </Dialog>
  );
}
