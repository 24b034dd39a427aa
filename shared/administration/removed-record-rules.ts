import type { SearchRules } from "../search/search-parameters.ts";

/** `GET /api/administration/removed-records`: pages only. */
export const removedRecordRules: SearchRules = {
  sorts: ["newest"],
  defaultSort: "newest",
  defaultSortWithQuery: "newest",
  defaultSize: 25,
  maxSize: 200,
};
