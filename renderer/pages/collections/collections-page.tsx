import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { OnServer } from "../../components/server-needed.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import styles from "../people/people.module.css";
import { CollectionList } from "./collection-list.tsx";

const route = getRouteApi("/me/collections");

/** Collections at `/me/collections`; `?edit=` opens one for editing, as the public pages link to it. */
export function CollectionsPage() {
  const { t } = useTranslation();
  const { edit } = route.useSearch();
  usePageTitle({ label: t("place.collections") });
  return (
    <div className={styles.page}>
      <h1>{t("place.collections")}</h1>
      <OnServer>
        <CollectionList first={edit} />
      </OnServer>
    </div>
  );
}
