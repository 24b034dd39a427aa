import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { RouterProvider as AriaRouter, I18nProvider } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { has } from "../api-client/host.ts";
import { queryClient } from "../api-client/query-client.ts";
import { ApiFailure } from "../api-client/request.ts";
import { onRefusal } from "../api-client/session.ts";
import { reachQuery } from "../api-client/sync.ts";
import { ToastRegion } from "../components/toast.tsx";
import { language } from "../locales/language.ts";
import { DamagedPage } from "../pages/damaged/damaged-page.tsx";
import { PageFailure } from "../pages/page-failure.tsx";
import { CommandCentre } from "./command-centre.tsx";
import { Rail } from "./rail.tsx";
import styles from "./shell.module.css";
import { syncWhenOnline } from "./sync-when-online.ts";
import { useNewsNotices } from "./system-notices.ts";
import { TopBar } from "./top-bar.tsx";

/** A refusal may mean that the session has ended. A read under way goes on: its own refusal must not start it again. */
const readReach = () => void queryClient.invalidateQueries({ queryKey: reachQuery.queryKey }, { cancelRefetch: false });

/** The frame of every page. Moves the focus to the start of a new page, or to the title of a new draft. */
export function Shell() {
  const { t } = useTranslation();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);
  useEffect(syncWhenOnline, []);
  useEffect(() => onRefusal(readReach), []);
  useNewsNotices();
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    if (state.isNew) return;
    main.current?.focus({ preventScroll: true });
    main.current?.scrollTo(0, 0);
  }, [pathname, state.isNew]);
  const { data: reach } = useQuery(reachQuery);
  const inPlace =
    reach === 401 ? (
      <PageFailure error={new ApiFailure(401, "")} />
    ) : reach === 503 && has("salvage") ? (
      <DamagedPage />
    ) : null;
  return (
    <I18nProvider locale={language()}>
      <AriaRouter navigate={(to) => void navigate({ to })}>
        {inPlace || pathname === "/welcome" ? (
          (inPlace ?? <Outlet />)
        ) : (
          <CommandCentre>
            <div className={styles.shell}>
              <a className={styles.skip} href="#main">
                {t("shell.skip")}
              </a>
              <Rail />
              <TopBar />
              <main id="main" ref={main} className={styles.main} tabIndex={-1}>
                <Outlet />
              </main>
            </div>
          </CommandCentre>
        )}
        <ToastRegion />
      </AriaRouter>
    </I18nProvider>
  );
}
