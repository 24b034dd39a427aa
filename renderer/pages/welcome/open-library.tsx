import { type ReactNode, useState } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ApiFailure, wordsOf } from "../../api-client/request.ts";
import { openLibrary } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useChange } from "../../components/use-change.ts";
import styles from "./open-library.module.css";
import { setWelcomed } from "./welcomed.ts";

/** Opens another library of this computer in place of the current one (app M21). */
export function OpenLibrary({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  const [folder, setFolder] = useState("");
  const open = useChange(openLibrary, {
    showsErrorHere: true,
    onSuccess: () => {
      setWelcomed();
      // Nothing of the former library may stay in the page.
      location.assign("/");
    },
  });
  const problem =
    open.error instanceof ApiFailure
      ? (wordsOf(open.error.problems.find(({ field }) => field === "folder")) ?? open.error.message)
      : open.error?.message;
  return (
    <Form
      className={styles.form ?? ""}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        open.mutate(folder.trim());
      }}
    >
      <TextField
        label={t("welcome.folder")}
        description={t("welcome.folder_help")}
        value={folder}
        onChange={setFolder}
        problem={problem}
        mono
      />
      {children}
      <div className={styles.foot}>
        <Button type="submit" variant="primary" isDisabled={folder.trim() === ""} isPending={open.isPending}>
          {t("welcome.open_existing")}
        </Button>
        {open.isPending && <span role="status">{t("welcome.opening")}</span>}
      </div>
    </Form>
  );
}
