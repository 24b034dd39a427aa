import { Redo2, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Command, useCommands } from "../../shell/command-list.ts";
import { useDraftPart, useDraftSession } from "./draft-context.ts";
import { hasOwnSteps, useOwnTextSteps } from "./own-text-steps.ts";

type OfferedCommand = Command & { isOffered: boolean };

/** Undo and redo as commands, after others of the draft. */
export function useUndoCommands(others: OfferedCommand[] = []) {
  const { t } = useTranslation();
  const session = useDraftSession();
  const canUndo = useDraftPart((view) => view.canUndo);
  const canRedo = useDraftPart((view) => view.canRedo);
  const offered: OfferedCommand[] = [
    ...others,
    {
      id: "undo",
      group: "page",
      label: t("draft.undo"),
      icon: Undo2,
      keys: "mod+z",
      yieldsTo: hasOwnSteps,
      run: session.undo,
      isOffered: canUndo,
    },
    {
      id: "redo",
      group: "page",
      label: t("draft.redo"),
      icon: Redo2,
      keys: "mod+shift+z",
      alsoKeys: "mod+y",
      yieldsTo: hasOwnSteps,
      run: session.redo,
      isOffered: canRedo,
    },
  ];
  useOwnTextSteps(session);
  useCommands(offered.filter(({ isOffered }) => isOffered));
}
