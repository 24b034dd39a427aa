import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Bell,
  FilePlus2,
  Inbox,
  Keyboard,
  Layers,
  LibraryBig,
  Monitor,
  Moon,
  Pause,
  Play,
  RefreshCw,
  Rows3,
  Search,
  Settings,
  Sun,
  Users,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { has } from "../api-client/host.ts";
import { pauseSync, resumeSync, runSync, syncStatusQuery } from "../api-client/sync.ts";
import { showFailure } from "../components/toast-queue.ts";
import { useAppearance } from "./appearance.ts";
import type { Command } from "./command-list.ts";
import { useKeepsCollections } from "./keeps-collections.ts";
import { useNewDraft } from "./new-draft.ts";

export interface Openers {
  openPalette: () => void;
  openSheet: () => void;
}

const orTell = (work: Promise<unknown>) => void work.catch(showFailure);

/** Commands of every page. */
export function useGlobalCommands({ openPalette, openSheet }: Openers): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const keepsCollections = useKeepsCollections();
  const places: Command[] = (
    [
      ["library", "/me/uploads", LibraryBig, "g l"],
      ["requests", "/me/requests", Inbox, "g r"],
      ["activity", "/activity", Bell, "g a"],
      ...(keepsCollections ? ([["collections", "/me/collections", Layers, "g c"]] as const) : []),
      ["people", "/people", Users, "g p"],
      ["settings", "/settings", Settings, "g s"],
    ] as const
  ).map(([place, to, icon, keys]) => ({
    id: `go.${place}`,
    group: "go",
    label: t("palette.go", { place: t(`place.${place}`) }),
    icon,
    keys,
    run: () => void navigate({ to }),
  }));
  const toSync: Command = {
    id: "go.sync",
    group: "go",
    label: t("palette.go", { place: t("sync.title") }),
    icon: RefreshCw,
    keys: "g y",
    run: () => void navigate({ to: "/sync" }),
  };
  const newDraft = useNewDraft();
  return [
    { id: "palette", group: "do", label: t("palette.open"), icon: Search, keys: "mod+k", run: openPalette },
    {
      id: "search",
      group: "do",
      label: t("palette.find"),
      icon: Search,
      keys: "/",
      run: () => focusSearch(openPalette),
    },
    {
      id: "new",
      group: "do",
      label: t("library.new"),
      icon: FilePlus2,
      keys: "n",
      run: () => newDraft.mutate(undefined),
    },
    ...places,
    ...(has("sync") ? [toSync] : []),
    ...useSyncCommands(),
    ...useLookCommands(),
    { id: "keys", group: "look", label: t("palette.keys"), icon: Keyboard, keys: "?", run: openSheet },
  ];
}

function focusSearch(otherwise: () => void) {
  const own = document.querySelector<HTMLInputElement>("main input.search-input");
  if (!own) return otherwise();
  own.focus();
  own.select();
}

function useSyncCommands(): Command[] {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  // Resuming would answer a question of the sync panel.
  if (!has("sync") || !status || status.state === "local" || status.asks === "removal") return [];
  const [label, icon, work] = status.paused
    ? ([t("palette.resume"), Play, resumeSync] as const)
    : ([t("palette.pause"), Pause, pauseSync] as const);
  return [
    { id: "sync", group: "do", label: t("sync.now"), icon: RefreshCw, run: () => orTell(runSync()) },
    { id: "pause", group: "do", label, icon, run: () => orTell(work()) },
  ];
}

function useLookCommands(): Command[] {
  const { t } = useTranslation();
  const { density, setTheme, setDensity } = useAppearance();
  const themes = [
    ["light", Sun],
    ["dark", Moon],
    ["system", Monitor],
  ] as const;
  const other = density === "compact" ? "comfortable" : "compact";
  return [
    ...themes.map(([theme, icon]) => ({
      id: `theme.${theme}`,
      group: "look" as const,
      label: `${t("settings.theme")}: ${t(`settings.theme_${theme}`)}`,
      icon,
      run: () => setTheme(theme),
    })),
    {
      id: "density",
      group: "look",
      label: `${t("settings.density")}: ${t(`settings.density_${other}`)}`,
      icon: Rows3,
      run: () => setDensity(other),
    },
  ];
}
