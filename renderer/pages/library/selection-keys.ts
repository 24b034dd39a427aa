import { ArrowDown, ArrowUp, ListChecks } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { useCommands } from "../../shell/command-list.ts";
import { goToRow, rowHere } from "../../shell/row-keys.ts";
import { rowKey, useSelection } from "./selection.ts";

/** Adds keys to `useSelection`: j and k move, x selects, Escape ends. */
export function useLibrarySelection(address: string, held: RecordBody[]) {
  const { t } = useTranslation();
  const chooser = useSelection(address);
  const { selection, begin } = chooser;
  const beginHere = () => begin(held.find((record) => rowKey(record) === rowHere()));
  const page = { group: "page" } as const;
  useCommands(
    selection
      ? [
          {
            ...page,
            id: "rows.end",
            label: t("library.select.end"),
            icon: ListChecks,
            keys: "escape",
            run: selection.end,
          },
        ]
      : [
          { ...page, id: "rows.next", label: t("library.next"), icon: ArrowDown, keys: "j", run: () => goToRow(1) },
          { ...page, id: "rows.last", label: t("library.last"), icon: ArrowUp, keys: "k", run: () => goToRow(-1) },
          {
            ...page,
            id: "rows.select",
            label: t("library.select.several"),
            icon: ListChecks,
            keys: "x",
            run: beginHere,
          },
        ],
  );
  return chooser;
}
