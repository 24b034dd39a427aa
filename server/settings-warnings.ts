import type { Logger } from "pino";
import type { Services } from "../shared/api.ts";
import { catalogueOf, unknownFields } from "../shared/collections/collection-query.ts";
import type { Host } from "../shared/kernel/host.ts";

/**
 * Warns of names in the settings that nothing here has. They do not stop the start: the group may be created later, and a
 * field that is unknown matches nothing (search-and-conventions 5).
 */
export async function warnOfSettings({ db, settings }: Host, groups: Services["groups"], log: Logger) {
  for (const { id, groups_claim } of settings.sign_in.providers) {
    for (const group of new Set(Object.values(groups_claim?.groups ?? {}))) {
      if (await groups.find(db, group)) continue;
      log.warn(
        { provider: id, group },
        "the group in groups_claim does not exist; nobody gets it before it is created",
      );
    }
  }
  for (const { slug, query } of settings.collections) {
    const fields = unknownFields(query, catalogueOf(settings));
    if (fields.length > 0) log.warn({ collection: slug, fields }, "the query of a collection names unknown fields");
  }
}
