import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Copy, CopyPlus, PencilLine, Trash2, UserPlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isSuperuser, personQuery } from "../../api-client/people.ts";
import type { Creator, RecordBody } from "../../api-client/record-types.ts";
import { copyToDraft, editRecord, newVersion } from "../../api-client/records.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { MenuButton } from "../../components/menu.tsx";
import { Pill, type Tone } from "../../components/pill.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { personName, titleText } from "../../format/names.ts";
import { formatEdtf } from "../../format/times.ts";
import { workState } from "../library/work-state.ts";
import { ShareDialog } from "../share/share-dialog.tsx";
import styles from "./record.module.css";
import { RemoveDialog } from "./remove-dialog.tsx";

const accessTones: Record<string, Tone> = { open: "ok", embargoed: "warn", restricted: "danger" };

/** Type, access, title, people, and what one may do with the record. */
export function RecordHead({ record, title }: { record: RecordBody; title: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: status } = useQuery(syncStatusQuery);
  const { data: person } = useQuery(personQuery);
  const [asked, setAsked] = useState<"share" | "remove" | null>(null);
  const { metadata, access, versions, parent } = record;
  const open = ({ id }: RecordBody) => navigate({ to: "/uploads/$id", params: { id } });
  const edit = useMutation({ mutationFn: () => editRecord(record.id), onSuccess: open, onError: showFailure });
  const next = useMutation({ mutationFn: () => newVersion(record.id), onSuccess: open, onError: showFailure });
  const copy = useMutation({ mutationFn: () => copyToDraft(record), onSuccess: open, onError: showFailure });
  const mayAll = isSuperuser(person);
  const mayChange = mayAll || parent.access.owned_by.user === (status?.user?.id ?? "local");
  const level = access.status ?? (access.record === "restricted" ? "restricted" : "open");
  return (
    <header className={styles.head}>
      <div className={styles.pills}>
        {metadata.resource_type && <Pill>{titleText(metadata.resource_type.title, metadata.resource_type.id)}</Pill>}
        <Pill tone={accessTones[level] ?? "neutral"}>{t(`access.${level as "open"}`)}</Pill>
        <Pill>{t("library.version", { index: metadata.version ?? versions.index })}</Pill>
        {metadata.publication_date && <span>{formatEdtf(metadata.publication_date)}</span>}
        <StateWord state={workState(record.sync, status)} reason={record.sync?.message} />
      </div>
      <h1 dir="auto">{title}</h1>
      <People people={metadata.creators ?? []} />
      <div className={styles.actions}>
        {mayChange && (
          <>
            <Button icon={PencilLine} isPending={edit.isPending} onPress={() => edit.mutate()}>
              {t("record.edit")}
            </Button>
            <Button icon={CopyPlus} isPending={next.isPending} onPress={() => next.mutate()}>
              {t("record.new_version")}
            </Button>
            <Button icon={UserPlus} onPress={() => setAsked("share")}>
              {t("share.title")}
            </Button>
          </>
        )}
        <Button icon={Copy} isPending={copy.isPending} onPress={() => copy.mutate()}>
          {t("record.copy")}
        </Button>
        {mayAll && (
          <MenuButton
            label={t("record.more")}
            actions={[
              {
                id: "remove",
                label: t("removal.delete"),
                icon: Trash2,
                isDangerous: true,
                onAction: () => setAsked("remove"),
              },
            ]}
          />
        )}
      </div>
      {asked === "share" && <ShareDialog record={record} onClose={() => setAsked(null)} />}
      {asked === "remove" && <RemoveDialog record={record} onClose={() => setAsked(null)} />}
    </header>
  );
}

/** Creators with numbers that point to their affiliations, each affiliation once. */
function People({ people }: { people: Creator[] }) {
  const names = [
    ...new Set(people.flatMap(({ affiliations = [] }) => affiliations.map(({ name, id }) => name ?? id ?? ""))),
  ];
  return (
    <div>
      <div className={styles.creators}>
        {people.map((person, index) => {
          const orcid = person.person_or_org.identifiers?.find(({ scheme }) => scheme === "orcid")?.identifier;
          const marks = (person.affiliations ?? []).map(({ name, id }) => names.indexOf(name ?? id ?? "") + 1);
          const name = personName(person.person_or_org);
          return (
            <span key={`${name}${orcid ?? index}`}>
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
      </div>
      {names.length > 0 && (
        <ol className={styles.affiliations}>
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
