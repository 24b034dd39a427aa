import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell, Inbox, Layers, LibraryBig, type LucideIcon, Settings, ShieldCheck, Users } from "lucide-react";
import { Focusable, TooltipTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { overviewQuery, urgentIn } from "../api-client/administration.ts";
import { mutedQuery } from "../api-client/desk.ts";
import { isSuperuser, mayAdminister, personQuery } from "../api-client/people.ts";
import { waitingCountQuery } from "../api-client/requests.ts";
import { notificationsQuery } from "../api-client/sync.ts";
import { Tooltip } from "../components/tooltip.tsx";
import mark from "../mark.svg";
import { useKeepsCollections } from "./keeps-collections.ts";
import styles from "./shell.module.css";

interface RailLinkProps {
  to: string;
  label: string;
  icon: LucideIcon;
  count?: number;
  /** The count to show. */
  counts?: "unread" | "waiting" | "urgent";
  exact?: boolean;
}

function RailLink({ to, label, icon: Icon, count = 0, counts = "unread", exact = false }: RailLinkProps) {
  const { t } = useTranslation();
  const name = count > 0 ? t(`shell.with_${counts}`, { label, count }) : label;
  return (
    <TooltipTrigger delay={300} closeDelay={0}>
      <Focusable>
        <Link
          to={to}
          className={styles.railLink ?? ""}
          aria-label={name}
          activeOptions={{ exact, includeSearch: false }}
        >
          <Icon size={19} strokeWidth={1.6} aria-hidden="true" />
          {count > 0 && (
            <span className={styles.badge} aria-hidden="true">
              {count > 99 ? "99+" : count}
            </span>
          )}
        </Link>
      </Focusable>
      <Tooltip placement="right">{name}</Tooltip>
    </TooltipTrigger>
  );
}

/** With a count of what needs an administrator soon. */
function AdministrationLink() {
  const { t } = useTranslation();
  const { data } = useQuery(overviewQuery);
  const label = t("place.administration");
  return <RailLink to="/administration" label={label} icon={ShieldCheck} count={urgentIn(data)} counts="urgent" />;
}

/** The rail at the left: places of the app, with unread counts. */
export function Rail() {
  const { t } = useTranslation();
  const { data } = useQuery(notificationsQuery);
  const { data: muted = [] } = useQuery(mutedQuery);
  const hushed = data?.hits.hits.filter(({ read, request }) => !read && muted.includes(request ?? "")).length ?? 0;
  const { data: person } = useQuery(personQuery);
  const keepsCollections = useKeepsCollections();
  const waitingCount = useQuery({ ...waitingCountQuery(person?.id ?? ""), enabled: person !== undefined });
  return (
    <nav className={styles.rail} aria-label={t("shell.places")}>
      <img src={mark} alt="" className={styles.mark} />
      <RailLink to="/me/uploads" label={t("place.library")} icon={LibraryBig} exact />
      <RailLink
        to="/me/requests"
        label={t("place.requests")}
        icon={Inbox}
        count={waitingCount.data ?? 0}
        counts="waiting"
      />
      <RailLink to="/activity" label={t("place.activity")} icon={Bell} count={(data?.unread ?? 0) - hushed} />
      {keepsCollections && <RailLink to="/me/collections" label={t("place.collections")} icon={Layers} />}
      <span className={styles.push} />
      {mayAdminister(person) && <RailLink to="/people" label={t("place.people")} icon={Users} />}
      {isSuperuser(person) && <AdministrationLink />}
      <RailLink to="/settings" label={t("place.settings")} icon={Settings} />
    </nav>
  );
}
