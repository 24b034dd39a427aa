import { queryOptions } from "@tanstack/react-query";
import { hostAddress } from "./host.ts";
import { queryClient } from "./query-client.ts";
import { getText } from "./request.ts";
import { syncStatusQuery } from "./sync.ts";

/** A text about a record for use elsewhere. It names the server, because others cannot reach this computer. */
async function quotableText(path: string, mediaType: string, signal?: AbortSignal): Promise<string> {
  const text = await getText(path, mediaType, signal);
  const { server } = await queryClient.ensureQueryData(syncStatusQuery);
  return server ? text.replaceAll(`${hostAddress()}/`, `${server}/`) : text;
}

/** One representation of a record, such as BibTeX (records 10). */
export const exportQuery = (id: string, mediaType: string) =>
  queryOptions({
    queryKey: ["record", id, "export", mediaType],
    queryFn: ({ signal }) => quotableText(`/api/records/${id}`, mediaType, signal),
    retry: false,
  });

/** The citation of a published record in a style that the host knows, in the language of the app. */
export const citationQuery = (id: string, style: string) =>
  queryOptions({
    queryKey: ["record", id, "citation", style],
    queryFn: async ({ signal }) =>
      (await quotableText(`/api/records/${id}?style=${style}`, "text/x-bibliography", signal)).trim(),
    retry: false,
  });

/** BibTeX of published records, joined. */
export async function citationsOf(ids: string[]): Promise<string> {
  const citations: string[] = [];
  for (const id of ids) citations.push((await quotableText(`/api/records/${id}`, "application/x-bibtex")).trim());
  return `${citations.join("\n\n")}\n`;
}
