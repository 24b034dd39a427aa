import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { spokenLanguages } from "../../../shared/kernel/languages.schema.ts";
import { changeProfile, type Self, selfQuery } from "../../api-client/profile.ts";
import { ApiFailure, wordsOf } from "../../api-client/request.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { ServerNeeded } from "../../components/server-needed.tsx";
import { TextField } from "../../components/text-field.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { PictureRow } from "./picture-row.tsx";
import styles from "./settings.module.css";

/** No language of their own: the mails follow the repository. */
const siteLanguage = "site";

/** What the user says of themselves: name, affiliations, ORCID, and who sees it (app, Missing 11). */
export function ProfileSection() {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const site = status?.upstream;
  const { data: own } = useQuery({ ...selfQuery, enabled: status?.user != null && !site });
  const self = site ? undefined : own;
  return (
    <section className={styles.section} id="profile" aria-labelledby="profile-head">
      <h2 id="profile-head">{t("profile.title")}</h2>
      <p className={styles.help}>{t("profile.help")}</p>
      {site ? <InlineNotice>{t("upstream.profile", { name: site.name })}</InlineNotice> : <ServerNeeded />}
      {self && <PictureRow self={self} isAway={status?.online === false} />}
      {self && <ProfileForm key={JSON.stringify(fieldsOf(self))} self={self} isAway={status?.online === false} />}
    </section>
  );
}

/** What the form changes. A new picture leaves alone what is typed in it. */
const fieldsOf = (self: Self) => ({
  full_name: self.profile.full_name,
  affiliations: self.profile.affiliations,
  orcid: self.identities?.orcid ?? "",
  visibility: self.preferences?.visibility ?? ("public" as const),
  email_visibility: self.preferences?.email_visibility ?? ("restricted" as const),
  language: self.preferences?.language ?? null,
});

function ProfileForm({ self, isAway }: { self: Self; isAway: boolean }) {
  const { t } = useTranslation();
  const before = fieldsOf(self);
  const [now, setNow] = useState(before);
  const put = (change: Partial<typeof before>) => setNow((known) => ({ ...known, ...change }));
  const save = useChange(() => changeProfile({ ...now, orcid: now.orcid.trim() || null }), {
    showsErrorHere: true,
    onSuccess: () => showToast({ tone: "ok", text: t("profile.saved") }),
  });
  const problems = save.error instanceof ApiFailure ? save.error.problems : [];
  const problemOf = (name: string) => wordsOf(problems.find(({ field }) => field === name));
  return (
    <form
      className={styles.section}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextField
        label={t("people.full_name")}
        value={now.full_name}
        onChange={(full_name) => put({ full_name })}
        problem={problemOf("full_name")}
      />
      <TextField
        label={t("profile.affiliations")}
        value={now.affiliations}
        onChange={(affiliations) => put({ affiliations })}
        problem={problemOf("affiliations")}
      />
      <TextField
        label={t("creators.orcid")}
        mono
        value={now.orcid}
        onChange={(orcid) => put({ orcid })}
        problem={problemOf("orcid")}
        placeholder="0000-0002-1825-0097"
      />
      <Checkbox
        isSelected={now.visibility === "public"}
        onChange={(isPublic) => put({ visibility: isPublic ? "public" : "restricted" })}
        help={t("profile.public_help")}
      >
        {t("profile.public")}
      </Checkbox>
      <Checkbox
        isSelected={now.email_visibility === "public"}
        onChange={(isPublic) => put({ email_visibility: isPublic ? "public" : "restricted" })}
      >
        {t("profile.email_public")}
      </Checkbox>
      <Select
        label={t("profile.language")}
        description={t("profile.language_help")}
        value={now.language ?? siteLanguage}
        onChange={(id) => put({ language: spokenLanguages.find((language) => language === id) ?? null })}
        options={[
          { id: siteLanguage, label: t("profile.language_site") },
          { id: "en", label: "English" },
          { id: "de", label: "Deutsch" },
        ]}
      />
      {save.error && problems.length === 0 && <InlineNotice tone="danger">{save.error.message}</InlineNotice>}
      <div className={styles.actions}>
        <Button
          type="submit"
          isPending={save.isPending}
          isDisabled={isAway || JSON.stringify(now) === JSON.stringify(before)}
        >
          {t("action.save")}
        </Button>
      </div>
    </form>
  );
}
