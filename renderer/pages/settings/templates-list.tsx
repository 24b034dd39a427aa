import { useQuery } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dropTemplate, renameTemplate, type Template, templatesQuery } from "../../api-client/templates.ts";
import { IconButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { NameDialog } from "../../components/name-dialog.tsx";
import { useChange } from "../../components/use-change.ts";
import styles from "./settings.module.css";

type OpenDialog = { template: Template; what: "rename" | "remove" } | null;

/** The templates of drafts: rename, remove. */
export function TemplatesList() {
  const { t } = useTranslation();
  const { data: templates = [] } = useQuery(templatesQuery);
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const close = () => setOpenDialog(null);
  const rename = useChange(
    ({ template, name }: { template: Template; name: string }) => renameTemplate(template, name),
    {
      onDone: close,
    },
  );
  const remove = useChange(dropTemplate, { onDone: close });
  return (
    <section className={styles.templates} aria-labelledby="templates-head">
      <h3 id="templates-head">{t("templates.title")}</h3>
      <p className={styles.help}>{t("templates.help")}</p>
      {templates.length === 0 ? (
        <p className={styles.help}>{t("templates.none")}</p>
      ) : (
        <ul className={styles.templateList}>
          {templates.map((template) => (
            <li key={template.key}>
              <span dir="auto">{template.value.name}</span>
              <IconButton
                small
                icon={Pencil}
                label={t("templates.rename", { name: template.value.name })}
                onPress={() => setOpenDialog({ template, what: "rename" })}
              />
              <IconButton
                small
                icon={Trash2}
                label={t("templates.remove", { name: template.value.name })}
                onPress={() => setOpenDialog({ template, what: "remove" })}
              />
            </li>
          ))}
        </ul>
      )}
      {openDialog?.what === "rename" && (
        <NameDialog
          title={t("templates.rename_title")}
          label={t("templates.name")}
          name={openDialog.template.value.name}
          taken={templates.filter(({ key }) => key !== openDialog.template.key).map(({ value }) => value.name)}
          isPending={rename.isPending}
          onSave={(name) => rename.mutate({ template: openDialog.template, name })}
          onClose={close}
        />
      )}
      <ConfirmDialog
        title={t("templates.remove_title")}
        isOpen={openDialog?.what === "remove"}
        onClose={close}
        onConfirm={() => openDialog && remove.mutate(openDialog.template.key)}
        confirmLabel={t("templates.remove_confirm")}
        isPending={remove.isPending}
        isDangerous
      >
        {t("templates.remove_body")}
      </ConfirmDialog>
    </section>
  );
}
