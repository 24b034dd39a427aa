import { useNavigate } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/notice.tsx";
import { usePageTitle } from "../shell/page-title.ts";

function Lost({ title, words }: { title: string; words: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  usePageTitle({ label: title });
  return (
    <EmptyState
      icon={Compass}
      title={title}
      actions={<Button onPress={() => void navigate({ to: "/" })}>{t("page.to_library")}</Button>}
    >
      {words}
    </EmptyState>
  );
}

/** For an address that leads nowhere. */
export function PageUnknown() {
  const { t } = useTranslation();
  return <Lost title={t("page.unknown")} words={t("page.unknown_help")} />;
}

/** For a page that broke while being shown. */
export function PageBroken({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return <Lost title={t("page.broken")} words={error instanceof Error ? error.message : String(error)} />;
}
