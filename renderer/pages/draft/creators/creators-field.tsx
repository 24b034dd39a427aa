import { ClipboardPaste, UserPlus } from "lucide-react";
import { memo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Creator } from "../../../api-client/record-types.ts";
import { Button } from "../../../components/button.tsx";
import { personName } from "../../../format/names.ts";
import { isSame } from "../draft-content.ts";
import { CreatorDialog } from "./creator-dialog.tsx";
import { CreatorList } from "./creator-list.tsx";
import styles from "./creators.module.css";
import { PasteDialog } from "./paste-dialog.tsx";

export interface CreatorsFieldProps {
  label: string;
  roles: "creatorsroles" | "contributorsroles";
  people: Creator[];
  onChange: (people: Creator[]) => void;
}

function moved<T>(list: T[], from: number, to: number): T[] {
  const next = [...list];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(to, 0, item);
  return next;
}

/** Current position of a person, whom others may have moved or changed; -1 if removed. */
function placeOf(people: Creator[], person: Creator): number {
  const same = people.findIndex((one) => isSame(one, person));
  const name = personName(person.person_or_org);
  return same >= 0 ? same : people.findIndex(({ person_or_org }) => personName(person_or_org) === name);
}

/**
 * An ordered list of people. Reorder by dragging, by the handle with the keyboard, or by a row's menu. A key typed in
 * another field does not render it again.
 */
export const CreatorsField = memo(function CreatorsField({ label, roles, people, onChange }: CreatorsFieldProps) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<Creator | "new" | null>(null);
  /** The text in the open paste dialog. */
  const [pasted, setPasted] = useState<string>();
  // A row's open menu may still call what an earlier render gave it.
  const latest = useRef(people);
  latest.current = people;
  const keep = (person: Creator) => {
    const now = latest.current;
    const at = edited === null || edited === "new" ? -1 : placeOf(now, edited);
    onChange(at < 0 ? [...now, person] : now.with(at, person));
    setEdited(null);
  };
  const reorder = (from: number, to: number) => {
    if (from !== to) onChange(moved(latest.current, from, to));
  };
  const remove = (person: Creator) => {
    const at = placeOf(latest.current, person);
    onChange(latest.current.filter((_, index) => index !== at));
  };
  return (
    <>
      {people.length > 0 && (
        <CreatorList label={label} people={people} onEdit={setEdited} onReorder={reorder} onRemove={remove} />
      )}
      <div className={styles.tools}>
        <Button icon={UserPlus} onPress={() => setEdited("new")}>
          {t("creators.add")}
        </Button>
        <Button variant="quiet" icon={ClipboardPaste} onPress={() => setPasted("")}>
          {t("creators.paste")}
        </Button>
      </div>
      {edited !== null && (
        <CreatorDialog
          roles={roles}
          person={edited === "new" ? undefined : edited}
          onSave={keep}
          onPasteMany={(text) => {
            setEdited(null);
            setPasted(text);
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {pasted !== undefined && (
        <PasteDialog
          pasted={pasted}
          onAdd={(added) => onChange([...people, ...added])}
          onClose={() => setPasted(undefined)}
        />
      )}
    </>
  );
});
