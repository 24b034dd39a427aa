import { Link } from "@tanstack/react-router";
import { UserPlus, UserSearch } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type AdministeredPerson,
  administeredPeopleQuery,
  type PeopleFilter,
  peoplePageSize,
} from "../../api-client/administration.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { Select } from "../../components/select.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { formatAgo } from "../../format/times.ts";
import { useTypedText } from "../library/library-search.ts";
import styles from "./administration.module.css";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { PageButtons } from "./page-buttons.tsx";
import { usePartSearch } from "./part-search.ts";
import { personRoles, personSorts, personStates } from "./people-filters.ts";

/** The id of the choice "no filter". */
const any = "any";

/** All users of the server, with search and filters; a person's own page has the actions. */
export function PeoplePart() {
  const { t } = useTranslation();
  const { search, change } = usePartSearch();
  const { q = "", state = "", role = "", sort = "name", page = 1 } = search;
  const filter: PeopleFilter = { q, state, role, sort, page };
  const text = useTypedText(q, (next) => change({ q: next || undefined }));
  const [isInviting, setInviting] = useState(false);
  const { data, error, refetch } = usePageQuery(administeredPeopleQuery(filter));
  const people = data?.hits.hits ?? [];
  const total = data?.hits.total ?? 0;
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        <div className={styles.search}>
          <SearchField label={t("people.search")} {...text} />
        </div>
        <Button variant="primary" icon={UserPlus} onPress={() => setInviting(true)}>
          {t("administration.invite.action")}
        </Button>
      </div>
      <Filters filter={filter} onChange={change} />
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Busy />}
      {data && people.length === 0 && (
        <EmptyState icon={UserSearch} title={t("people.none")}>
          {t("administration.people.none_help")}
        </EmptyState>
      )}
      <ul aria-label={t("people.people")}>
        {people.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </ul>
      <PageButtons page={page} size={peoplePageSize} total={total} onPage={(next) => change({ page: next })} />
      <Invitations />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </div>
  );
}

interface FiltersProps {
  filter: PeopleFilter;
  onChange: ReturnType<typeof usePartSearch>["change"];
}

function Filters({ filter, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const anything = { id: any, label: t("administration.people.all") };
  return (
    <div className={styles.tools}>
      <Select
        label={t("administration.people.state")}
        look="bare"
        value={filter.state || any}
        onChange={(state) => onChange({ state: personStates.find((one) => one === state) })}
        options={[anything, ...personStates.map((id) => ({ id, label: t(`administration.people.state_name.${id}`) }))]}
      />
      <Select
        label={t("people.role")}
        look="bare"
        value={filter.role || any}
        onChange={(role) => onChange({ role: personRoles.find((one) => one === role) })}
        options={[anything, ...personRoles.map((id) => ({ id, label: t(`people.role_name.${id}`) }))]}
      />
      <Select
        label={t("administration.people.sort")}
        look="bare"
        value={filter.sort}
        onChange={(sort) => onChange({ sort: personSorts.find((one) => one === sort) })}
        options={personSorts.map((id) => ({ id, label: t(`administration.people.sort_name.${id}`) }))}
      />
    </div>
  );
}

function PersonRow({ person }: { person: AdministeredPerson }) {
  const { t } = useTranslation();
  const { profile, username, email, storage, last_seen, state } = person;
  const name = profile.full_name || username;
  const role = personRoles.find((one) => person.roles.includes(one));
  return (
    <li>
      <Link to="/people/$id" params={{ id: person.id }} className={styles.row ?? ""}>
        <Avatar name={name} user={person} />
        <span className={styles.words}>
          <span className={styles.name}>{name}</span>
          <span className={styles.note}>{[username, email, profile.affiliations].filter(Boolean).join(" · ")}</span>
        </span>
        {person.is_current_user && <Pill>{t("people.you")}</Pill>}
        {role && <Pill tone="accent">{t(`people.role_name.${role}`)}</Pill>}
        {state !== "active" && <Pill tone="warn">{t(`administration.people.state_name.${state}`)}</Pill>}
        <span className={styles.aside}>
          <span>{formatBytes(storage.used_bytes)}</span>
          <br />
          <span>{last_seen ? formatAgo(last_seen) : t("administration.never")}</span>
        </span>
      </Link>
    </li>
  );
}
