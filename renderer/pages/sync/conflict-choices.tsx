import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { chooseConflict, syncStatusQuery } from "../../api-client/sync.ts";
import type { Conflict } from "../../api-client/sync-types.ts";
import { Button } from "../../components/button.tsx";
import { useChange } from "../../components/use-change.ts";
import { hasRoomForBoth, keepBoth } from "./keep-both.ts";

const ways = { mine: "keep_mine", theirs: "use_theirs", both: "keep_both" } as const;
type Way = keyof typeof ways;

/** The choices for a conflict; texts can keep both values. */
export function ConflictChoices({ conflict }: { conflict: Conflict }) {
  const { t } = useTranslation();
  const choose = useChange((way: Way) => (way === "both" ? keepBoth(conflict) : chooseConflict(conflict.id, way)));
  const { data: status } = useQuery(syncStatusQuery);
  const isOwn = conflict.theirs_by !== null && conflict.theirs_by === status?.user?.id;
  const offered: Way[] = hasRoomForBoth(conflict) ? ["mine", "theirs", "both"] : ["mine", "theirs"];
  return offered.map((way) => (
    <Button
      key={way}
      small
      isDisabled={choose.isPending && choose.variables !== way}
      isPending={choose.isPending && choose.variables === way}
      onPress={() => choose.mutate(way)}
    >
      {t(`sync.${way === "theirs" && isOwn ? "use_other" : ways[way]}`)}
    </Button>
  ));
}
