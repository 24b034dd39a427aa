import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { type Overview, overviewQuery } from "../../api-client/administration.ts";
import { has } from "../../api-client/host.ts";
import { isSuperuser, personQuery, waitsForFactorQuery } from "../../api-client/people.ts";
import { Busy, EmptyState } from "../../components/notice.tsx";
import { OnServer } from "../../components/server-needed.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { AuditLog } from "../audit/audit-log.tsx";
import { CollectionList } from "../collections/collection-list.tsx";
import { GroupList } from "../groups/group-list.tsx";
import styles from "./administration.module.css";
import { BackupsPart } from "./backups-part.tsx";
import { OverviewPart } from "./overview-part.tsx";
import { PeoplePart } from "./people-part.tsx";
import { DoisPart, MailPart } from "./queues-part.tsx";
import { RecordsPart } from "./records-part.tsx";
import { StoragePart } from "./storage-part.tsx";

const route = getRouteApi("/administration/{-$page}");

function GroupsPart() {
  const { data: person } = useQuery(personQuery);
  return <GroupList mayChange person={person} />;
}

const CollectionsPart = () => <CollectionList />;

type Kind = Overview["attention"][number]["kind"];

/** The parts, and the kinds of trouble that each one is about. */
const parts = [
  { id: "overview", part: OverviewPart, about: [] },
  { id: "people", part: PeoplePart, about: [] },
  { id: "groups", part: GroupsPart, about: [] },
  { id: "collections", part: CollectionsPart, about: [] },
  { id: "records", part: RecordsPart, about: [] },
  { id: "storage", part: StoragePart, about: ["disk_nearly_full", "quota_nearly_full"] },
  { id: "backups", part: BackupsPart, about: ["backup_failed", "backup_overdue"] },
  { id: "mail", part: MailPart, about: ["mail_failed"] },
  { id: "dois", part: DoisPart, about: ["doi_failed"] },
  { id: "audit", part: AuditLog, about: [] },
] as const satisfies { id: string; part: ComponentType; about: readonly Kind[] }[];

function PartLink({ id, about }: { id: (typeof parts)[number]["id"]; about: readonly Kind[] }) {
  const { t } = useTranslation();
  const { data } = useQuery(overviewQuery);
  const count =
    data?.attention.filter(({ kind }) => about.includes(kind)).reduce((sum, one) => sum + one.count, 0) ?? 0;
  return (
    <Link
      to="/administration/{-$page}"
      params={{ page: id === "overview" ? undefined : id }}
      activeOptions={{ exact: true, includeSearch: false }}
      className={styles.part ?? ""}
    >
      {t(`administration.part.${id}`)}
      {count > 0 && (
        <span className={styles.badge}>
          {count}
          <span className="visually-hidden"> {t("administration.problems")}</span>
        </span>
      )}
    </Link>
  );
}

/** For who is no administrator, or not yet: the server may demand a second factor. */
function Denied() {
  const { t } = useTranslation();
  const { data: waits } = useQuery(waitsForFactorQuery);
  const title = waits ? t("administration.waits") : t("administration.denied");
  return (
    <div className={styles.page}>
      <h1>{t("place.administration")}</h1>
      <EmptyState
        icon={ShieldCheck}
        title={title}
        actions={waits && has("sign_in") && <a href="/account">{t("account.open")}</a>}
      >
        {waits ? t("administration.waits_help") : t("administration.denied_help")}
      </EmptyState>
    </div>
  );
}

/** What administrators see and do on their server (app, Missing 10). */
export function AdministrationPage() {
  const { t } = useTranslation();
  const { page = "overview" } = route.useParams();
  const { data: person } = useQuery(personQuery);
  const chosen = parts.find(({ id }) => id === page) ?? parts[0];
  const title = t(`administration.part.${chosen.id}`);
  const isStart = chosen.id === "overview";
  usePageTitle(
    { label: t("place.administration"), ...(isStart ? {} : { to: "/administration" }) },
    ...(isStart ? [] : [{ label: title }]),
  );
  if (!person) return <Busy />;
  if (!isSuperuser(person)) return <Denied />;
  const { part: Part } = chosen;
  return (
    <div className={styles.layout}>
      <nav className={styles.parts} aria-label={t("administration.parts")}>
        {parts.map(({ id, about }) => (
          <PartLink key={id} id={id} about={about} />
        ))}
      </nav>
      <div className={styles.page}>
        <h1>{isStart ? t("place.administration") : title}</h1>
        <OnServer>
          <Part />
        </OnServer>
      </div>
    </div>
  );
}
