import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useRouter } from "@tanstack/react-router";
import {
  ArrowLeft,
  ArrowRight,
  ChevronRight,
  CircleUserRound,
  Globe,
  Inbox,
  Laptop,
  LogOut,
  RefreshCw,
  Search,
  Settings,
} from "lucide-react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { has } from "../api-client/host.ts";
import { selfQuery } from "../api-client/profile.ts";
import { signOut } from "../api-client/session.ts";
import { syncStatusQuery } from "../api-client/sync.ts";
import { Avatar } from "../components/avatar.tsx";
import { IconButton } from "../components/button.tsx";
import { MenuButton } from "../components/menu.tsx";
import { showFailure } from "../components/toast-queue.ts";
import { userName } from "../format/names.ts";
import { useOpenPalette } from "./command-centre.tsx";
import { Keys } from "./key-caps.tsx";
import { useCrumbs } from "./page-title.ts";
import styles from "./shell.module.css";
import { SyncPill } from "./sync-pill.tsx";

function Breadcrumb() {
  const { t } = useTranslation();
  const crumbs = useCrumbs();
  return (
    <nav className={styles.crumbs} aria-label={t("shell.breadcrumb")}>
      <ol>
        {crumbs.map((crumb, index) => (
          <li key={`${crumb.label}${crumb.to ?? ""}`} className={styles.crumb}>
            {index > 0 && <ChevronRight size={13} aria-hidden="true" />}
            {crumb.to ? (
              <Link to={crumb.to} dir="auto">
                {crumb.label}
              </Link>
            ) : (
              <span className={styles.here} dir="auto" aria-current="page" title={crumb.label}>
                {crumb.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Looks like a search box, opens the palette. */
function QuickSearch() {
  const { t } = useTranslation();
  const open = useOpenPalette();
  return (
    <Button className={styles.search ?? ""} onPress={open}>
      <Search size={15} strokeWidth={1.75} aria-hidden="true" />
      <span>{t("palette.open")}</span>
      <Keys keys="mod+k" />
    </Button>
  );
}

function Profile() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: status } = useQuery(syncStatusQuery);
  const { data: self } = useQuery({ ...selfQuery, enabled: status?.user != null });
  const name = status?.user?.username ?? t("shell.this_computer");
  return (
    <MenuButton
      label={t("shell.profile", { name })}
      trigger={
        <Button className={styles.profile ?? ""} aria-label={t("shell.profile", { name })}>
          {status?.user ? (
            <Avatar name={userName(self, name)} user={self} />
          ) : (
            <Laptop size={18} strokeWidth={1.6} aria-hidden="true" />
          )}
        </Button>
      }
      actions={[
        {
          id: "requests",
          label: t("place.requests"),
          icon: Inbox,
          onAction: () => void navigate({ to: "/me/requests" }),
        },
        ...(status?.user
          ? [
              {
                id: "profile",
                label: t("profile.title"),
                icon: CircleUserRound,
                onAction: () => void navigate({ to: "/settings/{-$page}", params: { page: "profile" } }),
              },
            ]
          : []),
        ...(has("sync")
          ? [{ id: "sync", label: t("sync.title"), icon: RefreshCw, onAction: () => void navigate({ to: "/sync" }) }]
          : []),
        {
          id: "settings",
          label: t("place.settings"),
          icon: Settings,
          onAction: () => void navigate({ to: "/settings" }),
        },
        ...(has("public_pages")
          ? [{ id: "public", label: t("shell.public_pages"), icon: Globe, onAction: () => location.assign("/") }]
          : []),
        ...(has("sign_in")
          ? [{ id: "out", label: t("shell.sign_out"), icon: LogOut, onAction: () => void signOut().catch(showFailure) }]
          : []),
      ]}
    />
  );
}

/** Back, forward, breadcrumbs, search, sync pill, user. */
export function TopBar() {
  const { t } = useTranslation();
  const { history } = useRouter();
  return (
    <header className={styles.top}>
      <span className={styles.history}>
        <IconButton small label={t("action.back")} icon={ArrowLeft} onPress={() => history.back()} />
        <IconButton small label={t("action.forward")} icon={ArrowRight} onPress={() => history.forward()} />
      </span>
      <Breadcrumb />
      <QuickSearch />
      {has("sync") && <SyncPill />}
      <Profile />
    </header>
  );
}
