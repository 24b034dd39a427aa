import { GripVertical } from "lucide-react";
import { useRef, useState } from "react";
import {
  Button as AriaButton,
  DropIndicator,
  GridList,
  GridListItem,
  ListLayout,
  useDragAndDrop,
  Virtualizer,
} from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Creator } from "../../../api-client/record-types.ts";
import { MenuButton } from "../../../components/menu.tsx";
import { personName, titleText } from "../../../format/names.ts";
import styles from "./creators.module.css";
import { type KeyedPerson, withKeys } from "./keyed-people.ts";

export interface CreatorListProps {
  label: string;
  people: Creator[];
  onEdit: (person: Creator) => void;
  onReorder: (from: number, to: number) => void;
  onRemove: (person: Creator) => void;
}

const layout = { estimatedRowSize: 45, dropIndicatorThickness: 2 };

/** An ordered list of people. Only the visible rows are in the page. A row keeps the focus when it moves. */
export function CreatorList({ label, people, onEdit, onReorder, onRemove }: CreatorListProps) {
  // Elements of unchanged rows are kept, so what they call must find the people of now.
  const known = useRef<{ people: Creator[]; rows: KeyedPerson[] }>({ people: [], rows: [] });
  if (known.current.people !== people) known.current = { people, rows: withKeys(people, known.current.rows) };
  const indexOf = (key: unknown) => known.current.rows.findIndex(({ id }) => id === key);
  const nameOf = (key: unknown) => personName(known.current.rows[indexOf(key)]?.person.person_or_org);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": nameOf(key) })),
    renderDropIndicator: (target) => <DropIndicator target={target} className={styles.drop ?? ""} />,
    onReorder: ({ keys, target }) => {
      const from = indexOf([...keys][0]);
      const at = indexOf(target.key) + (target.dropPosition === "after" ? 1 : 0);
      onReorder(from, from < at ? at - 1 : at);
    },
  });
  const placeOf = (id: number) => ({ index: indexOf(id), last: known.current.rows.length - 1 });
  const move = (id: number, by: 1 | -1) => {
    const { index, last } = placeOf(id);
    if (index >= 0) onReorder(index, Math.min(last, Math.max(0, index + by)));
  };
  return (
    <Virtualizer layout={ListLayout} layoutOptions={layout}>
      <GridList
        aria-label={label}
        className={styles.list ?? ""}
        items={known.current.rows}
        dragAndDropHooks={dragAndDropHooks}
        onAction={(key) => {
          const row = known.current.rows[indexOf(key)];
          if (row) onEdit(row.person);
        }}
      >
        {(row) => (
          <GridListItem id={row.id} textValue={personName(row.person.person_or_org)} className={styles.row ?? ""}>
            <PersonRow row={row} placeOf={placeOf} onEdit={onEdit} onMove={move} onRemove={onRemove} />
          </GridListItem>
        )}
      </GridList>
    </Virtualizer>
  );
}

interface PersonRowProps {
  row: KeyedPerson;
  placeOf: (id: number) => { index: number; last: number };
  onEdit: (person: Creator) => void;
  onMove: (id: number, by: 1 | -1) => void;
  onRemove: (person: Creator) => void;
}

function PersonRow({ row: { id, person }, placeOf, onEdit, onMove, onRemove }: PersonRowProps) {
  const { t } = useTranslation();
  // Others may move rows while the menu is open, so it keeps the person it was opened for.
  const [asked, setAsked] = useState({ person, index: 0, last: 0 });
  const { person_or_org, affiliations = [], role } = person;
  const name = personName(person_or_org);
  const details = [
    ...affiliations.map((one) => one.name ?? one.id ?? ""),
    role ? titleText(role.title, role.id) : "",
  ].filter(Boolean);
  const identifiers = person_or_org?.identifiers ?? [];
  const { index, last } = asked;
  return (
    <>
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
        onOpen={() => setAsked({ person, ...placeOf(id) })}
        actions={[
          { id: "edit", label: t("action.edit"), onAction: () => onEdit(asked.person) },
          { id: "up", label: t("action.move_up"), isDisabled: index === 0, onAction: () => onMove(id, -1) },
          { id: "down", label: t("action.move_down"), isDisabled: index === last, onAction: () => onMove(id, 1) },
          { id: "remove", label: t("action.remove"), isDangerous: true, onAction: () => onRemove(asked.person) },
        ]}
      />
    </>
  );
}
