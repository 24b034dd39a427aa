import { useQuery } from "@tanstack/react-query";
import { Button, TooltipTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { type PresentUser, presenceQuery } from "../../api-client/presence.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { userQuery } from "../../api-client/vocabularies.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Tooltip } from "../../components/tooltip.tsx";
import { useFieldLabel } from "../../components/use-field-label.ts";
import { goToField } from "./draft-status.tsx";
import styles from "./people-here.module.css";

/** The other users who have the draft open. Pressing one focuses the field that they are in. */
export function PeopleHere({ draftId }: { draftId: string }) {
  const { t } = useTranslation();
  const { data: people } = useQuery(presenceQuery(draftId));
  if (people.length === 0) return null;
  return (
    <ul className={styles.people} aria-label={t("draft.here")}>
      {people.map((person) => (
        <li key={person.seat}>
          <PersonSeat person={person} />
        </li>
      ))}
    </ul>
  );
}

/** Who is here and in which field: "Ana is here, in Title." */
export function useSeatWords({ id, name, field }: PresentUser): string {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const who = status?.user?.id === id ? t("draft.here_self") : name;
  const key = field?.replace("metadata.", "");
  const labelOf = useFieldLabel();
  const where = key && labelOf(key);
  return where ? t("draft.is_in", { name: who, field: where }) : t("draft.is_here", { name: who });
}

function PersonSeat({ person }: { person: PresentUser }) {
  const { name, field } = person;
  const words = useSeatWords(person);
  const { data: user } = useQuery(userQuery(person.id));
  return (
    <TooltipTrigger delay={200} closeDelay={0}>
      <Button className={styles.person ?? ""} aria-label={words} onPress={() => field && goToField(field)}>
        <Avatar name={name} user={user} />
      </Button>
      <Tooltip>{words}</Tooltip>
    </TooltipTrigger>
  );
}
