import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { findDataFolder } from "../../shared/kernel/data-folder.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { optionOrVariable, parseSearch } from "../config.ts";
import { openRows } from "../open-rows.ts";
import { recordConsoleEvent } from "../with-services.ts";

const options = { data: { type: "string" }, search: { type: "string" } } as const;

/** `carrel reindex`: builds the search index in OpenSearch again. */
export const reindexCommand: CliCommand = {
  help: `carrel reindex --data DIR --search opensearch+http://host:9200/name

Builds the search index in OpenSearch again, beside the one that is searched, and puts it in its place. Servers go on
meanwhile, and no change is lost. Before an update, run it with the new program: its servers then find their index.
CARREL_SEARCH may name the address instead, with user:password@.
Prints {"event":"reindexed","data":…,"families":…}.
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const data = required(values.data, "data");
    const address = required(optionOrVariable(parseSearch, values.search, "CARREL_SEARCH"), "search");
    const { rebuildSearchIndex } = await import("../opensearch/opensearch-index.ts");
    const rows = await openRows(findDataFolder(data));
    let families: number;
    try {
      families = await rebuildSearchIndex(rows.db, address, createLog("info"));
    } finally {
      await rows.close();
    }
    await recordConsoleEvent(data, { action: "search.rebuild", details: { families } });
    printJson({ event: "reindexed", data, families });
  },
};
