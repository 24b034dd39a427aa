import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { keepTemplate, templatesQuery } from "../../api-client/templates.ts";
import { NameDialog } from "../../components/name-dialog.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { useContent } from "./draft-context.ts";

/** Keeps the draft as it is now as a template, under a name. */
export function KeepTemplateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { content } = useContent();
  const { data: templates = [] } = useQuery(templatesQuery);
  const keep = useChange((name: string) => keepTemplate(name, content), {
    onDone: () => {
      showToast({ tone: "ok", text: t("templates.kept") });
      onClose();
    },
  });
  return (
    <NameDialog
      title={t("templates.keep")}
      label={t("templates.name")}
      description={t("templates.keep_help")}
      name={content.metadata.title ?? ""}
      taken={templates.map(({ value }) => value.name)}
      isPending={keep.isPending}
      onSave={(name) => keep.mutate(name)}
      onClose={onClose}
    />
  );
}
