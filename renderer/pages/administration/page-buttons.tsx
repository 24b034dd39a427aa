import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { keepFocus } from "../../components/focus-back.ts";
import styles from "./administration.module.css";

/** Steps through the pages of a list; nothing when one page holds all. Goes back when the last page is gone. */
export function PageButtons({
  page,
  size,
  total,
  onPage,
}: {
  page: number;
  size: number;
  total: number;
  onPage: (page: number) => void;
}) {
  const { t } = useTranslation();
  const last = Math.ceil(total / size);
  const isGone = last > 0 && page > last;
  useEffect(() => {
    if (isGone) onPage(last);
  });
  if (total <= size) return null;
  const turnTo = (next: number) => {
    const giveFocusBack = keepFocus();
    onPage(next);
    giveFocusBack();
  };
  return (
    <div className={styles.tools}>
      <Button isDisabled={page === 1} onPress={() => turnTo(page - 1)}>
        {t("administration.page_before")}
      </Button>
      <Button isDisabled={page * size >= total} onPress={() => turnTo(page + 1)}>
        {t("administration.page_after")}
      </Button>
      <span className={styles.meta}>
        {t("administration.shown", { from: (page - 1) * size + 1, to: Math.min(page * size, total), total })}
      </span>
    </div>
  );
}
