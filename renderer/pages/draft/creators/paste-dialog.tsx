import { ArrowLeftRight, TriangleAlert } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Creator } from "../../../api-client/record-types.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { VirtualList } from "../../../components/virtual-list.tsx";
import { personName } from "../../../format/names.ts";
import styles from "./creators.module.css";
import { type PastedPerson, parsePeople, withNamesSwapped } from "./parse-people.ts";

const rowPx = 37;

interface PasteDialogProps {
  /** Text of several people that the user pasted into the field of one person. */
  pasted: string;
  onAdd: (people: Creator[]) => void;
  onClose: () => void;
}

/** Adds a pasted list of names after showing how it was parsed. */
export function PasteDialog({ pasted, onAdd, onClose }: PasteDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(pasted);
  const people = useMemo(() => parsePeople(text), [text]);
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      keepsOpen={text !== pasted}
      title={t("creators.paste")}
      actions={
        <>
          <Button onPress={onClose}>{t("action.cancel")}</Button>
          <Button
            variant="primary"
            isDisabled={people.length === 0}
            onPress={() => {
              onAdd(people.map(({ wrongOrcid: _, ...person }) => person));
              onClose();
            }}
          >
            {t("creators.paste_add", { count: people.length })}
          </Button>
        </>
      }
    >
      <TextField
        label={t("creators.paste_label")}
        description={t("creators.paste_help")}
        rows={7}
        autoFocus
        value={text}
        onChange={setText}
      />
      {people.length > 0 && (
        <div className={styles.preview} style={{ height: `min(16rem, ${people.length * rowPx + 2}px)` }}>
          <VirtualList
            label={t("creators.paste_found")}
            items={people.map((person, index) => ({ person, index }))}
            keyOf={({ index }) => String(index)}
            estimatePx={rowPx}
          >
            {({ person, index }) => (
              <FoundPerson person={person} onSwap={() => setText(withNamesSwapped(people, index))} />
            )}
          </VirtualList>
        </div>
      )}
    </Dialog>
  );
}

function FoundPerson({ person, onSwap }: { person: PastedPerson; onSwap: () => void }) {
  const { t } = useTranslation();
  const name = personName(person.person_or_org);
  const details = [
    person.person_or_org?.identifiers?.[0]?.identifier,
    ...(person.affiliations ?? []).map((one) => one.name),
  ].filter(Boolean);
  return (
    <div className={styles.found}>
      <span>{name}</span>
      <span className={styles.more}>{details.join(" · ")}</span>
      {person.wrongOrcid && (
        <span className={styles.wrong}>
          <TriangleAlert size={14} aria-hidden="true" />
          {person.wrongOrcid}: {t("creators.orcid_wrong")}
        </span>
      )}
      {person.person_or_org?.given_name && (
        <IconButton small icon={ArrowLeftRight} label={t("creators.swap_names", { name })} onPress={onSwap} />
      )}
    </div>
  );
}
