import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";
import type { Creator, VocabularyRef } from "./record-types.ts";
import { ApiFailure, call, get } from "./request.ts";

/** What a new draft begins with, as the user set it. */
export interface DraftDefaults {
  hasDate: boolean;
  hasMe: boolean;
  hasLicence: boolean;
  hasPublisher: boolean;
  /** The user as creator; without it as the profile says. */
  me?: Creator;
  licence: VocabularyRef;
  /** Without it that of the user's latest record. */
  publisher?: string;
}

const standard: DraftDefaults = {
  hasDate: true,
  hasMe: true,
  hasLicence: true,
  hasPublisher: true,
  licence: { id: "cc-by-4.0", title: { en: "Creative Commons Attribution 4.0 International" } },
};

const path = "/api/sync/desk/defaults/draft";

export const defaultsQuery = queryOptions({
  queryKey: ["desk", "defaults"],
  queryFn: async (): Promise<DraftDefaults> => {
    try {
      return { ...standard, ...(await get<{ value: Partial<DraftDefaults> }>(path)).value };
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 404) return standard;
      throw error;
    }
  },
});

// Changes run one at a time, so that a quick second one does not write over the first.
let changing: Promise<unknown> = Promise.resolve();

/** Changes some of the defaults; `undefined` removes one. */
export function changeDefaults(part: Partial<{ [Key in keyof DraftDefaults]: DraftDefaults[Key] | undefined }>) {
  const changed = changing.then(async () => {
    const now = await queryClient.fetchQuery({ ...defaultsQuery, staleTime: 0 });
    await call("PUT", path, { body: { value: { ...now, ...part } } });
    await queryClient.invalidateQueries({ queryKey: defaultsQuery.queryKey });
  });
  changing = changed.catch(() => undefined);
  return changed;
}
