import { QueryClient } from "@tanstack/react-query";
import { ApiFailure } from "./request.ts";

/**
 * The API is on this computer: it answers without a network, so queries never wait for one
 * (`networkMode`), nothing grows stale by itself, and a change is told by the event stream.
 */
export const queryClient = new QueryClient({
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
