import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ChevronRight, UserPlus, UserSearch } from "lucide-react";
import { useTranslation } from "react-i18next";
import { peopleQuery } from "../../api-client/people.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { userName } from "../../format/names.ts";
import { useTypedText } from "../library/library-search.ts";
import styles from "./people.module.css";

const route = getRouteApi("/people");

/** Users with a public profile, by name. Others are found by id. */
export function PeopleList({ mayManage, mayInvite }: { mayManage: boolean; mayInvite: boolean }) {
  const { t } = useTranslation();
  const { q = "" } = route.useSearch();
  const navigate = useNavigate();
  const typed = useTypedText(q, (next) => void navigate({ to: "/people", search: { q: next }, replace: true }));
  const text = typed.value;
  const { data, error, refetch } = usePageQuery(peopleQuery(text));
  const found = data?.body.hits.hits ?? [];
  const total = data?.body.hits.total ?? 0;
  const number = /^\d+$/.exec(text.trim())?.[0];
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        <div className={styles.search}>
          <SearchField label={t("people.search")} {...typed} />
        </div>
        {mayInvite && (
          <Button
            icon={UserPlus}
            onPress={() => void navigate({ to: "/administration/{-$page}", params: { page: "people" } })}
          >
            {t("people.add")}
          </Button>
        )}
      </div>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Busy />}
      {data && found.length === 0 && number === undefined && (
        <EmptyState icon={UserSearch} title={t("people.none")}>
          {t("people.none_help")}
        </EmptyState>
      )}
      <ul aria-label={t("people.people")}>
        {number !== undefined && mayManage && (
          <li>
            <Link className={styles.row ?? ""} to="/people/$id" params={{ id: number }}>
              <span className={styles.words}>{t("people.by_number", { number })}</span>
              <ChevronRight size={16} aria-hidden="true" />
            </Link>
          </li>
        )}
        {found.map((one) => (
          <li key={one.id}>
            <Link className={styles.row ?? ""} to="/people/$id" params={{ id: one.id }}>
              <Avatar name={userName(one, one.id)} user={one} />
              <span className={styles.words}>
                <span className={styles.name}>{userName(one, one.id)}</span>
                <span className={styles.note}>
                  {[one.username, one.email, one.profile?.affiliations].filter(Boolean).join(" · ")}
                </span>
              </span>
              {one.is_current_user && <Pill>{t("people.you")}</Pill>}
              <ChevronRight size={16} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
      {total > found.length && found.length > 0 && (
        <p className={styles.count}>{t("people.more", { shown: found.length, total })}</p>
      )}
      {mayManage && <p className={styles.count}>{t("people.hidden")}</p>}
    </div>
  );
}
