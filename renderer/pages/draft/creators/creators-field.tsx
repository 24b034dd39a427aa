import { ClipboardPaste, GripVertical, UserPlus } from "lucide-react";
import { memo, useRef, useState } from "react";
import { Button as AriaButton, DropIndicator, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Creator } from "../../../api-client/record-types.ts";
import { Button } from "../../../components/button.tsx";
import { MenuButton } from "../../../components/menu.tsx";
import { personName, titleText } from "../../../format/names.ts";
import { isSame } from "../draft-content.ts";
import { CreatorDialog } from "./creator-dialog.tsx";
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
 * another field does not render it again, which takes seconds with thousands of people.
 */
export const CreatorsField = memo(function CreatorsField({ label, roles, people, onChange }: CreatorsFieldProps) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<Creator | "new" | null>(null);
  const [isPasting, setPasting] = useState(false);
  // A row's open menu may still call what an earlier render gave it.
  const latest = useRef(people);
  latest.current = people;
  const rows = people.map((person, index) => ({ id: index, person }));
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      [...keys].map((key) => ({
        "text/plain": personName(people[Number(key)]?.person_or_org),
      })),
    renderDropIndicator: (target) => <DropIndicator target={target} className={styles.drop ?? ""} />,
    onReorder: ({ keys, target }) => {
      const from = Number([...keys][0]);
      const at = Number(target.key) + (target.dropPosition === "after" ? 1 : 0);
      onChange(moved(people, from, from < at ? at - 1 : at));
    },
  });
  const keep = (person: Creator) => {
    const now = latest.current;
    const at = edited === null || edited === "new" ? -1 : placeOf(now, edited);
    onChange(at < 0 ? [...now, person] : now.with(at, person));
    setEdited(null);
  };
  const move = (person: Creator, by: 1 | -1) => {
    const at = placeOf(latest.current, person);
    if (at >= 0) onChange(moved(latest.current, at, Math.max(0, at + by)));
  };
  const remove = (person: Creator) => {
    const at = placeOf(latest.current, person);
    onChange(latest.current.filter((_, index) => index !== at));
  };
  return (
    <>
      {people.length > 0 && (
        <GridList
          aria-label={label}
          className={styles.list ?? ""}
          items={rows}
          dragAndDropHooks={dragAndDropHooks}
          onAction={(key) => setEdited(people[Number(key)] ?? null)}
        >
          {({ id, person }) => (
            <PersonRow
              id={id}
              person={person}
              last={people.length - 1}
              onEdit={setEdited}
              onMove={move}
              onRemove={remove}
            />
          )}
        </GridList>
      )}
      <div style={{ display: "flex", gap: "var(--s-8)" }}>
        <Button icon={UserPlus} onPress={() => setEdited("new")}>
          {t("creators.add")}
        </Button>
        <Button variant="quiet" icon={ClipboardPaste} onPress={() => setPasting(true)}>
          {t("creators.paste")}
        </Button>
      </div>
      {edited !== null && (
        <CreatorDialog
          roles={roles}
          person={edited === "new" ? undefined : edited}
          onSave={keep}
          onClose={() => setEdited(null)}
        />
      )}
      {isPasting && (
        <PasteDialog onAdd={(added) => onChange([...people, ...added])} onClose={() => setPasting(false)} />
      )}
    </>
  );
});

interface PersonRowProps {
  id: number;
  person: Creator;
  last: number;
  onEdit: (person: Creator) => void;
  onMove: (person: Creator, by: 1 | -1) => void;
  onRemove: (person: Creator) => void;
}

function PersonRow({ id, person, last, onEdit, onMove, onRemove }: PersonRowProps) {
  const { t } = useTranslation();
  // Others may move rows while the menu is open, so it keeps the person it was opened for.
  const [asked, setAsked] = useState(person);
  const { person_or_org, affiliations = [], role } = person;
  const name = personName(person_or_org);
  const details = [
    ...affiliations.map((one) => one.name ?? one.id ?? ""),
    role ? titleText(role.title, role.id) : "",
  ].filter(Boolean);
  const identifiers = person_or_org?.identifiers ?? [];
  return (
    <GridListItem id={id} textValue={name} className={styles.row ?? ""}>
      <AriaButton slot="drag" className={styles.handle ?? ""}>
        <GripVertical size={14} aria-hidden="true" />
      </AriaButton>
      <div className={styles.words}>
        <div className={styles.name}>
          {name}
          {identifiers.map(({ scheme, identifier }) => (
            <code key={scheme} className={styles.orcid}>
              {scheme === "orcid" ? identifier : `${scheme} ${identifier}`}
            </code>
          ))}
        </div>
        {details.length > 0 && <div className={styles.more}>{details.join(" · ")}</div>}
      </div>
      <MenuButton
        label={t("creators.more", { name })}
        onOpen={() => setAsked(person)}
        actions={[
          { id: "edit", label: t("action.edit"), onAction: () => onEdit(asked) },
          { id: "up", label: t("action.move_up"), isDisabled: id === 0, onAction: () => onMove(asked, -1) },
          { id: "down", label: t("action.move_down"), isDisabled: id === last, onAction: () => onMove(asked, 1) },
          { id: "remove", label: t("action.remove"), isDangerous: true, onAction: () => onRemove(asked) },
        ]}
      />
    </GridListItem>
  );
}
