import { useTranslation } from "react-i18next";
import { Checkbox, RadioChoice } from "../../components/choice.tsx";
import { TextField } from "../../components/text-field.tsx";
import styles from "./draft.module.css";
import { useContentPart, useReported, useShownProblems } from "./draft-context.ts";

const until = "access.embargo.until";

/** Who may see the record and its files, and the embargo. */
export function AccessSection() {
  const { t } = useTranslation();
  const { isShown, touch } = useShownProblems();
  const [access, change] = useContentPart("access");
  const value = access.record === "restricted" ? "restricted" : access.files === "restricted" ? "files" : "public";
  // A newly ticked embargo has no date. That is reported once the user has left the field.
  const problem = useReported("access", isShown(until));
  const choose = (next: string) => {
    const closed = next !== "public";
    change({
      record: next === "restricted" ? "restricted" : "public",
      files: closed ? "restricted" : "public",
      embargo: closed ? access.embargo : { active: false, reason: null },
    });
  };
  return (
    <div id="field-access" className={styles.section} tabIndex={-1}>
      <RadioChoice
        label={t("draft.visibility")}
        hideLabel
        look="large"
        value={value}
        onChange={choose}
        options={[
          { id: "public", label: t("draft.visible_public"), help: t("draft.visible_public_help") },
          { id: "files", label: t("draft.visible_files"), help: t("draft.visible_files_help") },
          { id: "restricted", label: t("draft.visible_restricted"), help: t("draft.visible_restricted_help") },
        ]}
      />
      {value !== "public" && (
        <>
          <Checkbox
            isSelected={access.embargo.active}
            onChange={(active) => change({ embargo: { active, reason: access.embargo.reason } })}
            help={t("draft.embargo_help")}
          >
            {t("draft.embargo")}
          </Checkbox>
          {access.embargo.active && (
            <div className={styles.pair}>
              <TextField
                label={t("draft.embargo_until")}
                type="date"
                isRequired
                value={access.embargo.until ?? ""}
                onChange={(date) => change({ embargo: { ...access.embargo, until: date } })}
                onBlur={() => touch(until)}
                problem={problem}
              />
              <TextField
                label={t("draft.embargo_reason")}
                value={access.embargo.reason ?? ""}
                onChange={(reason) => change({ embargo: { ...access.embargo, reason: reason || null } })}
              />
            </div>
          )}
        </>
      )}
    </div>
  );
}
