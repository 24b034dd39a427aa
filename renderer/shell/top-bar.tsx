import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useRouter } from "@tanstack/react-router";
import { ArrowLeft, ArrowRight, ChevronRight, Inbox, Laptop, RefreshCw, Settings } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { syncStatusQuery } from "../api-client/sync.ts";
import { Avatar } from "../components/avatar.tsx";
import { IconButton } from "../components/button.tsx";
import { MenuButton } from "../components/menu.tsx";
import { SearchField } from "../components/text-field.tsx";
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
              <Link to={crumb.to}>{crumb.label}</Link>
            ) : (
              <span className={styles.here} aria-current="page" title={crumb.label}>
                {crumb.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

const isMac = navigator.platform.startsWith("Mac");

/** Search from anywhere; Ctrl-K (Cmd-K) puts the cursor here. The library has a box of its own. */
function QuickSearch() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(isMac ? event.metaKey : event.ctrlKey)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <search className={styles.search}>
      <SearchField
        label={t("shell.search")}
        placeholder={t("shell.search_hint", { key: isMac ? "⌘K" : "Ctrl K" })}
        value={text}
        onChange={setText}
        inputRef={input}
        onSubmit={(q) => void navigate({ to: "/", search: q ? { q } : {} })}
      />
    </search>
  );
}

function Profile() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: status } = useQuery(syncStatusQuery);
  const name = status?.user?.username ?? t("shell.this_computer");
  return (
    <MenuButton
      label={t("shell.profile", { name })}
      trigger={
        <Button className={styles.profile ?? ""} aria-label={t("shell.profile", { name })}>
          {status?.user ? <Avatar name={name} /> : <Laptop size={18} strokeWidth={1.6} aria-hidden="true" />}
        </Button>
      }
      actions={[
        {
          id: "requests",
          label: t("place.requests"),
          icon: Inbox,
          onAction: () => void navigate({ to: "/me/requests" }),
        },
        { id: "sync", label: t("sync.title"), icon: RefreshCw, onAction: () => void navigate({ to: "/sync" }) },
        {
          id: "settings",
          label: t("place.settings"),
          icon: Settings,
          onAction: () => void navigate({ to: "/settings" }),
        },
      ]}
    />
  );
}

/** Back, forward, where one is, search, the sync pill, the person. */
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
      <SyncPill />
      <Profile />
    </header>
  );
}
