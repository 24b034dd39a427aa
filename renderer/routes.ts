import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { z } from "zod";
import type { HostFeature } from "../shared/host/host.schema.ts";
import { parseSearch, stringifySearch } from "./address.ts";
import { has } from "./api-client/host.ts";
import { personRoles, personSorts, personStates } from "./pages/administration/people-filters.ts";
import { PageBroken, PageUnknown } from "./pages/page-failure.tsx";
import { statusFilters } from "./pages/requests/status-filters.ts";
import { Shell } from "./shell/shell.tsx";

// Addresses of the contract's `self_html` links (records 9, requests 3).

const root = createRootRoute({ component: Shell, notFoundComponent: PageUnknown, errorComponent: PageBroken });
const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const;

const many = z.union([z.string().transform((value) => [value]), z.array(z.string())]).optional();
const librarySearch = z.object({
  view: z.enum(["mine", "published"]).optional().catch(undefined),
  q: z.string().optional(),
  sort: z.string().optional(),
  scope: z.enum(["server"]).optional().catch(undefined),
  access_status: many,
  resource_type: many,
  language: many,
  subject: many,
  file_type: many,
  publication_date: many,
  is_published: many,
  work: many,
  review: many,
});

// The file whose preview is open, or that none is.
const shownFile = { file: z.string().optional(), preview: z.enum(["none"]).optional().catch(undefined) };
const previewSearch = z.object(shownFile);
// Deep links may name a file and an archive entry.
const fileSearch = z.object({ ...shownFile, entry: z.string().optional() });
const containerSearch = z.object({
  ...{ path: z.string().optional(), q: z.string().optional() },
  // The request from which a reviewer opened the archive.
  review: z.uuid().optional().catch(undefined),
});
const requestsSearch = z.object({
  view: z.enum(["needs_me", "mine", "all"]).optional().catch(undefined),
  status: z.enum(statusFilters).optional().catch(undefined),
  q: z.string().optional(),
});

const requestSearch = z.object({
  ...shownFile,
  tab: z.enum(["record", "changes", "files"]).optional().catch(undefined),
});

const compareSearch = z.object({ since: z.enum(["review"]).optional().catch(undefined) });

const collectionsSearch = z.object({ edit: z.string().optional().catch(undefined) });

const peopleSearch = z.object({ view: z.enum(["groups"]).optional().catch(undefined), q: z.string().optional() });

// The filters of the lists of people, deleted records and the audit log.
const day = z.iso.date().optional().catch(undefined);
const administrationSearch = z.object({
  q: z.string().optional().catch(undefined),
  action: z.string().optional().catch(undefined),
  outcome: z.enum(["done", "refused"]).optional().catch(undefined),
  state: z.enum(personStates).optional().catch(undefined),
  role: z.enum(personRoles).optional().catch(undefined),
  sort: z.enum(personSorts).optional().catch(undefined),
  from: day,
  to: day,
  page: z.coerce.number().int().min(1).max(400).optional().catch(undefined),
});

/** For pages that a host has only with a feature. */
const only = (feature: HostFeature) => () => {
  if (!has(feature)) throw notFound();
};

/** For pages whose parts change in place: keeps the focus. */
const onePage = () => undefined;

const routeTree = root.addChildren([
  createRoute({
    ...at("/"),
    validateSearch: librarySearch,
    beforeLoad: ({ search }) => {
      throw redirect({ to: "/me/uploads", search, replace: true });
    },
  }),
  createRoute({
    ...at("/me/uploads"),
    validateSearch: librarySearch,
    component: lazyRouteComponent(() => import("./pages/library/library-page.tsx"), "LibraryPage"),
  }),
  // On a host with public pages, the router leads these addresses to the routes of records by itself.
  createRoute({
    ...at("/me/records/$"),
    beforeLoad: ({ params, location }) => {
      throw redirect({ href: `/records/${params._splat}${location.searchStr}`, replace: true });
    },
  }),
  createRoute({
    ...at("/welcome"),
    beforeLoad: only("sync"),
    component: lazyRouteComponent(() => import("./pages/welcome/welcome-page.tsx"), "WelcomePage"),
  }),
  createRoute({
    ...at("/uploads/$id"),
    validateSearch: fileSearch,
    component: lazyRouteComponent(() => import("./pages/draft/draft-page.tsx"), "DraftPage"),
  }),
  createRoute({
    ...at("/uploads/$id/preview"),
    validateSearch: previewSearch,
    component: lazyRouteComponent(() => import("./pages/record/draft-preview-page.tsx"), "DraftPreviewPage"),
  }),
  createRoute({
    ...at("/uploads/$id/files/$"),
    validateSearch: containerSearch,
    component: lazyRouteComponent(() => import("./pages/container/container-page.tsx"), "DraftContainerPage"),
  }),
  createRoute({
    ...at("/records/$id"),
    validateSearch: fileSearch,
    component: lazyRouteComponent(() => import("./pages/record/record-page.tsx"), "RecordPage"),
  }),
  createRoute({
    ...at("/records/$id/latest"),
    component: lazyRouteComponent(() => import("./pages/record/record-page.tsx"), "LatestPage"),
  }),
  createRoute({
    ...at("/records/$id/compare/$other"),
    remountDeps: onePage,
    validateSearch: compareSearch,
    component: lazyRouteComponent(() => import("./pages/compare/compare-page.tsx"), "ComparePage"),
  }),
  createRoute({
    ...at("/records/$id/files/$"),
    validateSearch: containerSearch,
    component: lazyRouteComponent(() => import("./pages/container/container-page.tsx"), "RecordContainerPage"),
  }),
  createRoute({
    ...at("/me/requests"),
    validateSearch: requestsSearch,
    component: lazyRouteComponent(() => import("./pages/requests/requests-page.tsx"), "RequestsPage"),
  }),
  createRoute({
    ...at("/me/requests/$id"),
    validateSearch: requestSearch,
    component: lazyRouteComponent(() => import("./pages/request/request-page.tsx"), "RequestPage"),
  }),
  createRoute({
    ...at("/me/collections"),
    validateSearch: collectionsSearch,
    component: lazyRouteComponent(() => import("./pages/collections/collections-page.tsx"), "CollectionsPage"),
  }),
  createRoute({
    ...at("/activity"),
    component: lazyRouteComponent(() => import("./pages/activity/activity-page.tsx"), "ActivityPage"),
  }),
  createRoute({
    ...at("/sync"),
    beforeLoad: only("sync"),
    component: lazyRouteComponent(() => import("./pages/sync/sync-page.tsx"), "SyncPage"),
  }),
  createRoute({
    ...at("/people"),
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import("./pages/people/people-page.tsx"), "PeoplePage"),
  }),
  createRoute({
    ...at("/people/$id"),
    component: lazyRouteComponent(() => import("./pages/people/person-page.tsx"), "PersonPage"),
  }),
  createRoute({
    ...at("/administration/{-$page}"),
    remountDeps: onePage,
    validateSearch: administrationSearch,
    component: lazyRouteComponent(() => import("./pages/administration/administration-page.tsx"), "AdministrationPage"),
  }),
  createRoute({
    ...at("/settings/{-$page}"),
    remountDeps: onePage,
    component: lazyRouteComponent(() => import("./pages/settings/settings-page.tsx"), "SettingsPage"),
  }),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  scrollRestoration: true,
  // State of one object's page must not carry over to another's.
  defaultRemountDeps: ({ params }) => params,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The draft was created by this step: its title has the focus. */
    isNew?: boolean;
    /** A preview was opened or closed by this step: the step before it has the page as it was. */
    isPreview?: boolean;
  }
}
