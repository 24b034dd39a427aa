import { ArrowLeftRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Creator } from "../../../api-client/record-types.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { personName } from "../../../format/names.ts";
import styles from "./creators.module.css";
import { parsePeople, withNamesSwapped } from "./parse-people.ts";

/** Adds a pasted list of names after showing how it was parsed. */
export function PasteDialog({ onAdd, onClose }: { onAdd: (people: Creator[]) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const people = parsePeople(text);
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={t("creators.paste")}
      actions={
        <>
          <Button onPress={onClose}>{t("action.cancel")}</Button>
          <Button
            variant="primary"
            isDisabled={people.length === 0}
            onPress={() => {
              onAdd(people);
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
        <ol className={styles.preview}>
          {people.map((person, index) => {
            const details = [
              person.person_or_org?.identifiers?.[0]?.identifier,
              ...(person.affiliations ?? []).map(({ name }) => name),
            ].filter(Boolean);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no identity but their place
              <li key={index}>
                <span>{personName(person.person_or_org)}</span>
                <span className={styles.more}>{details.join(" · ")}</span>
                {person.person_or_org?.given_name && (
                  <IconButton
                    small
                    icon={ArrowLeftRight}
                    label={t("creators.swap_names", { name: personName(person.person_or_org) })}
                    onPress={() => setText(withNamesSwapped(people, index))}
                  />
                )}
              </li>
            );
          })}
        </ol>
      )}
    </Dialog>
  );
}
