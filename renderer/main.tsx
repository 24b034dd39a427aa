import "./no-eval.ts";
import "@fontsource-variable/inter/index.css";
import "@fontsource/ibm-plex-mono/400.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/code.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import i18next from "i18next";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { besidePublicPages } from "./address.ts";
import { has, startHost } from "./api-client/host.ts";
import { followEvents } from "./api-client/live-events.ts";
import { queryClient } from "./api-client/query-client.ts";
import { hasCode, startSession } from "./api-client/session.ts";
import { startLanguage } from "./locales/start.ts";
import { router } from "./routes.ts";
import { applyAppearance } from "./shell/appearance.ts";

applyAppearance();

const root = document.getElementById("root");
if (root) {
  // Before anything is read, so that no change after it is missed. A code must become a session first.
  const followsFirst = !hasCode();
  if (followsFirst) followEvents();
  await startHost();
  if (has("public_pages")) router.update({ ...router.options, rewrite: besidePublicPages });
  await Promise.all([startSession(), startLanguage()]);
  if (!followsFirst) followEvents();
  // Titles of vocabularies come in the language of the request.
  i18next.on("languageChanged", () => void queryClient.invalidateQueries());
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
