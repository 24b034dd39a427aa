import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { changeDefaults, type DraftDefaults, defaultsQuery } from "../../api-client/draft-defaults.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { personName } from "../../format/names.ts";
import { CreatorDialog } from "../draft/creators/creator-dialog.tsx";
import { VocabularyPicker } from "../draft/fields/vocabulary-picker.tsx";
import { profileCreatorQuery } from "../draft/new-draft-content.ts";
import styles from "./settings.module.css";
import { TemplatesList } from "./templates-list.tsx";

type Change = (part: Parameters<typeof changeDefaults>[0]) => void;

/** What a new draft begins with. */
export function DraftsSection() {
  const { t } = useTranslation();
  const { data: on } = useQuery(defaultsQuery);
  if (!on) return null;
  const change: Change = (part) => void changeDefaults(part).catch(showFailure);
  return (
    <section className={styles.section} id="drafts" aria-labelledby="drafts-head">
      <h2 id="drafts-head">{t("defaults.title")}</h2>
      <p className={styles.help}>{t("defaults.help")}</p>
      <Checkbox isSelected={on.hasDate} onChange={(hasDate) => change({ hasDate })}>
        {t("defaults.date")}
      </Checkbox>
      <Me on={on} change={change} />
      <Checkbox isSelected={on.hasLicence} onChange={(hasLicence) => change({ hasLicence })}>
        {t("defaults.licence")}
      </Checkbox>
      {on.hasLicence && (
        <div className={styles.under}>
          <VocabularyPicker
            type="licenses"
            isLong
            hasRecommended
            hideLabel
            label={t("defaults.licence")}
            value={on.licence}
            onChange={(licence) => licence && change({ licence })}
          />
        </div>
      )}
      <Publisher on={on} change={change} />
      <TemplatesList />
    </section>
  );
}

function Me({ on, change }: { on: DraftDefaults; change: Change }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: fromProfile } = useQuery(profileCreatorQuery);
  const me = on.me ?? fromProfile ?? undefined;
  const orcid = me?.person_or_org?.identifiers?.find(({ scheme }) => scheme === "orcid")?.identifier;
  const words = [personName(me?.person_or_org), orcid, ...(me?.affiliations ?? []).map(({ name }) => name)];
  return (
    <>
      <Checkbox isSelected={on.hasMe} onChange={(hasMe) => change({ hasMe })}>
        {t("defaults.me")}
      </Checkbox>
      {on.hasMe && (
        <div className={`${styles.under} ${styles.me}`}>
          <span>{me ? words.filter(Boolean).join(" · ") : t("defaults.me_unknown")}</span>
          <Button small onPress={() => setOpen(true)}>
            {t("defaults.me_edit")}
          </Button>
          {on.me && (
            <Button small variant="quiet" onPress={() => change({ me: undefined })}>
              {t("defaults.me_reset")}
            </Button>
          )}
        </div>
      )}
      {isOpen && (
        <CreatorDialog
          roles="creatorsroles"
          person={me}
          onSave={(person) => {
            change({ me: person });
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Publisher({ on, change }: { on: DraftDefaults; change: Change }) {
  const { t } = useTranslation();
  const [text, setText] = useState(on.publisher ?? "");
  const save = () => {
    if (text.trim() !== (on.publisher ?? "")) change({ publisher: text.trim() || undefined });
  };
  return (
    <>
      <Checkbox isSelected={on.hasPublisher} onChange={(hasPublisher) => change({ hasPublisher })}>
        {t("defaults.publisher")}
      </Checkbox>
      {on.hasPublisher && (
        <div className={styles.under}>
          <TextField
            aria-label={t("defaults.publisher")}
            placeholder={t("defaults.publisher_latest")}
            value={text}
            onChange={setText}
            onBlur={save}
            onKeyDown={(event) => event.key === "Enter" && save()}
          />
        </div>
      )}
    </>
  );
}
