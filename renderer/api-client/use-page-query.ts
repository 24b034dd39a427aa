import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { blockingError } from "./blocking-error.ts";

/** Reads what a page or a part of one shows. After a refusal, there is an error and no data. */
export function usePageQuery<Answer, Data, Key extends QueryKey>(options: UseQueryOptions<Answer, Error, Data, Key>) {
  const query = useQuery(options);
  const error = blockingError(query);
  return { data: error ? undefined : query.data, error, isPending: query.isPending, refetch: query.refetch };
}
