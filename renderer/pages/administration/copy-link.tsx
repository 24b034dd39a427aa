import { useTranslation } from "react-i18next";
import { TextToCopy } from "../../components/text-to-copy.tsx";

/** A link to hand over, with a button that copies it. */
export function CopyLink({ link }: { link: string }) {
  const { t } = useTranslation();
  return <TextToCopy text={link} copyLabel={t("administration.copy_link")} />;
}
