import { getRouteApi, useNavigate } from "@tanstack/react-router";

const route = getRouteApi("/administration/{-$page}");
type Search = ReturnType<typeof route.useSearch>;

/** The filters of a part of the administration, which only the address stores, so every view has a link. */
export function usePartSearch() {
  const navigate = useNavigate({ from: "/administration/{-$page}" });
  return {
    search: route.useSearch(),
    /** Starts from the address, which may be newer than the rendered page. Shows the first page unless it turns the page. */
    change: (part: Partial<Search>) =>
      void navigate({ search: (now: Search) => ({ ...now, page: undefined, ...part }), replace: true }),
  };
}
