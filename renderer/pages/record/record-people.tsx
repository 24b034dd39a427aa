import { useQuery } from "@tanstack/react-query";
import { CalendarClock, Lock, LockOpen, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Creator, RecordBody } from "../../api-client/record-types.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Pill, type Tone } from "../../components/pill.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { personName, titleText } from "../../format/names.ts";
import { formatEdtf } from "../../format/times.ts";
import { workState } from "../library/work-state.ts";
import styles from "./record.module.css";
import peopleStyles from "./record-people.module.css";

const accessTones: Record<string, Tone> = { open: "ok", embargoed: "warn", restricted: "danger" };
const accessIcons: Record<string, LucideIcon> = { open: LockOpen, embargoed: CalendarClock, restricted: Lock };

/** Type, date, version, access, and a sync state that says something. */
export function RecordPills({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const { metadata, access, versions } = record;
  const level = access.status ?? (access.record === "restricted" ? "restricted" : "open");
  const state = workState(record.sync, status);
  return (
    <div className={styles.pills}>
      {metadata.resource_type && <span>{titleText(metadata.resource_type.title, metadata.resource_type.id)}</span>}
      {metadata.publication_date && <span>{formatEdtf(metadata.publication_date)}</span>}
      <span>{t("library.version", { index: metadata.version ?? versions.index })}</span>
      <Pill tone={accessTones[level] ?? "neutral"} icon={accessIcons[level]}>
        {t(`access.${level as "open"}`)}
      </Pill>
      {state !== "held" && <StateWord state={state} reason={record.sync?.message} />}
    </div>
  );
}

/** More are folded on the screen; on paper all are named. */
const maxPeople = 12;

/** Creators with numbers for their affiliations. */
export function RecordPeople({ people }: { people: Creator[] }) {
  const { t } = useTranslation();
  const [isFolded, setFolded] = useState(people.length > maxPeople);
  const names = [
    ...new Set(people.flatMap(({ affiliations = [] }) => affiliations.map(({ name, id }) => name ?? id ?? ""))),
  ];
  return (
    <div>
      <div className={peopleStyles.creators}>
        {people.map((person, index) => {
          const orcid = person.person_or_org?.identifiers?.find(({ scheme }) => scheme === "orcid")?.identifier;
          const marks = (person.affiliations ?? []).map(({ name, id }) => names.indexOf(name ?? id ?? "") + 1);
          const name = personName(person.person_or_org);
          return (
            <span
              key={`${name}${orcid ?? index}`}
              className={isFolded && index >= maxPeople ? peopleStyles.folded : undefined}
            >
              {orcid ? (
                <a
                  href={`https://orcid.org/${orcid}`}
                  target="_blank"
                  rel="noopener noreferrer"
                  title={`ORCID ${orcid}`}
                >
                  {name}
                </a>
              ) : (
                name
              )}
              {marks.length > 0 && <sup>{marks.join(",")}</sup>}
              {index < people.length - 1 && ";"}
            </span>
          );
        })}
        {isFolded && (
          <Button className={peopleStyles.more ?? ""} onPress={() => setFolded(false)}>
            {t("library.show_more_of", { count: people.length - maxPeople })}
          </Button>
        )}
      </div>
      {names.length > 0 && (
        <ol className={peopleStyles.affiliations}>
          {names.map((name, index) => (
            <li key={name}>
              <sup>{index + 1}</sup>
              {name}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
