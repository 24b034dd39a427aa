import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { BadgeCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type AdministeredPerson, administeredPersonQuery } from "../../api-client/administration.ts";
import { isSuperuser, personQuery } from "../../api-client/people.ts";
import type { UserView } from "../../api-client/request-types.ts";
import { userQuery } from "../../api-client/vocabularies.ts";
import { Avatar } from "../../components/avatar.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { OnServer } from "../../components/server-needed.tsx";
import { userName } from "../../format/names.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { Memberships } from "./memberships.tsx";
import styles from "./people.module.css";
import { PersonAdministration } from "./person-administration.tsx";

const route = getRouteApi("/people/$id");

/** The user's ORCID iD, and whether ORCID itself vouched for it. */
function Orcid({ iD, isVerified }: { iD: string; isVerified: boolean }) {
  const { t } = useTranslation();
  return (
    <p className={styles.note}>
      <a href={`https://orcid.org/${iD}`} target="_blank" rel="noreferrer">
        ORCID {iD}
      </a>
      {isVerified && (
        <>
          {" "}
          <Pill icon={BadgeCheck} tone="ok">
            {t("people.orcid_verified")}
          </Pill>
        </>
      )}
    </p>
  );
}

/** Whether the server shows the profile (requests 12). */
const isShown = ({ visibility, state, is_current_user }: AdministeredPerson) =>
  is_current_user || (visibility === "public" && state === "active");

/** One user: profile, groups, and what administrators may change. */
export function PersonPage() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const { data: me } = useQuery(personQuery);
  const isAdministrator = isSuperuser(me);
  const { data: administered, error: away } = useQuery({ ...administeredPersonQuery(id), enabled: isAdministrator });
  // The server refuses superusers a hidden profile like everybody else, and records it. Offline, this computer answers.
  const mayAsk = isAdministrator ? (administered ? isShown(administered) : away !== null) : me !== undefined;
  const { data: shown, error } = useQuery({ ...userQuery(id), enabled: mayAsk });
  // Private and deactivated profiles are shown to administrators only.
  const user: UserView | undefined = shown ?? administered;
  const name = userName(user, t("people.number", { number: id }));
  usePageTitle({ label: t("place.people"), to: "/people" }, { label: name });
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Avatar name={name} user={user} size="profile" />
        <div className={styles.who}>
          <h1>
            {name} {me?.id === id && <Pill>{t("people.you")}</Pill>}
            {administered && administered.state !== "active" && (
              <Pill tone="warn">{t(`administration.people.state_name.${administered.state}`)}</Pill>
            )}
          </h1>
          <p className={styles.note}>
            {[user?.username, user?.email, user?.profile?.affiliations, user && t("people.number", { number: id })]
              .filter(Boolean)
              .join(" · ")}
          </p>
          {user?.identities && (
            <Orcid iD={user.identities.orcid} isVerified={user.identities.orcid_verified === true} />
          )}
        </div>
      </header>
      {error && !isAdministrator && <InlineNotice>{t("people.not_shown")}</InlineNotice>}
      <OnServer>
        <Memberships id={id} me={me} name={name} />
        {isAdministrator && <PersonAdministration id={id} />}
      </OnServer>
    </div>
  );
}
