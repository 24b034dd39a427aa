import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { ApiFailure } from "./request.ts";

const isFirstRead = ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching";

/**
 * A query client that misses no change during a first read. TanStack Query restarts later reads when invalidated, but
 * lets a first read finish with an old answer. This client then reads again.
 */
class FreshQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const firstReads = this.getQueryCache().findAll(filters).filter(isFirstRead);
    const answers = Promise.allSettled(firstReads.map((query) => query.fetch()));
    await super.invalidateQueries(filters, options);
    await answers;
    await Promise.all(firstReads.map(({ queryKey }) => super.invalidateQueries({ queryKey, exact: true }, options)));
  }
}

/**
 * The API is local, so queries never wait for a network (`networkMode`) and never become stale. The event stream
 * announces changes.
 */
export const queryClient = new FreshQueryClient({
  defaultOptions: {
    queries: {
      networkMode: "always",
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && error instanceof ApiFailure && error.status === 0,
    },
    mutations: { networkMode: "always" },
  },
});
