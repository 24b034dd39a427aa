import { useTranslation } from "react-i18next";
import styles from "./draft.module.css";
import { useDraftPart } from "./draft-context.ts";

/** The draft's title as the heading of its page. */
export function HeadTitle() {
  const { t } = useTranslation();
  const title = useDraftPart(({ content }) => content.metadata.title);
  return (
    <h1 dir="auto" className={title ? "" : styles.untitled}>
      {title || t("library.untitled")}
    </h1>
  );
}
