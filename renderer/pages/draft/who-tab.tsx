import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type PresentUser, presenceQuery } from "../../api-client/presence.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { Button } from "../../components/button.tsx";
import { PeopleTab } from "../share/people-tab.tsx";
import styles from "./draft.module.css";
import { goToField } from "./draft-status.tsx";
import { useSeatWords } from "./people-here.tsx";

/** Users who have the draft open, and users with access. */
export function WhoTab({ body }: { body: RecordBody }) {
  const { t } = useTranslation();
  const { data: here } = useQuery(presenceQuery(body.id));
  return (
    <div className={styles.beside}>
      <section className={styles.sideBlock}>
        <h2>{t("draft.here_now")}</h2>
        {here.length === 0 && <p className={styles.quiet}>{t("draft.here_nobody")}</p>}
        {here.map((person) => (
          <Seat key={person.seat} person={person} />
        ))}
      </section>
      <section className={`${styles.sideBlock} ${styles.access}`}>
        <h2>{t("draft.may_open")}</h2>
        <PeopleTab id={body.id} />
      </section>
    </div>
  );
}

/** A user at the draft; leads to their field. */
function Seat({ person }: { person: PresentUser }) {
  const words = useSeatWords(person);
  const { field } = person;
  if (!field) return <p>{words}</p>;
  return (
    <span>
      <Button variant="link" onPress={() => goToField(field)}>
        {words}
      </Button>
    </span>
  );
}
