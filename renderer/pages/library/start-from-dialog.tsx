import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText, LayoutTemplate, type LucideIcon } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Button as Row } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { ownWorksQuery, type StartingPoint, templatesQuery } from "../../api-client/templates.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { personName, titleText } from "../../format/names.ts";
import { useNewDraft } from "../../shell/new-draft.ts";
import { stageOf } from "./record-stage.ts";
import styles from "./start-from.module.css";

const factsOf = ({ metadata: { creators = [], resource_type: type, publication_date: date } }: StartingPoint) => [
  creators.length > 2
    ? `${personName(creators[0]?.person_or_org)} +${creators.length - 1}`
    : creators.map(({ person_or_org }) => personName(person_or_org)).join("; "),
  type && titleText(type.title, type.id),
  date,
];

/** Lists templates, and the user's own records and drafts; the chosen one begins a draft (app, missing 7). */
export function StartFromDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const words = useDeferredValue(text.trim());
  const { data: templates = [] } = useQuery(templatesQuery);
  const { data: works = [] } = useQuery(ownWorksQuery(words));
  const create = useNewDraft();
  const shown = templates.filter(({ value }) => value.name.toLowerCase().includes(words.toLowerCase()));
  const titleOf = ({ metadata }: RecordBody) => metadata.title ?? t("library.untitled");
  const start = (from: StartingPoint) => create.mutate(from);
  return (
    <Dialog
      isOpen
      wide
      isPending={create.isPending}
      onClose={onClose}
      title={t("start_from.title")}
      actions={
        <Button isDisabled={create.isPending} onPress={onClose}>
          {t("action.cancel")}
        </Button>
      }
    >
      <p>{t("start_from.help")}</p>
      <SearchField label={t("start_from.search")} value={text} onChange={setText} autoFocus />
      <Choices
        heading={t("templates.title")}
        icon={LayoutTemplate}
        choices={shown.map(({ key, value }) => ({ key, title: value.name, facts: factsOf(value), from: value }))}
        none={t(words ? "library.no_hits" : "templates.none")}
        isDisabled={create.isPending}
        onChoose={start}
      />
      <Choices
        heading={t("start_from.own")}
        icon={FileText}
        choices={works.map((work) => ({
          key: `${work.id} ${work.is_published}`,
          title: titleOf(work),
          facts: [t(stageOf(work)), ...factsOf(work)],
          from: work,
        }))}
        none={t(words ? "library.no_hits" : "start_from.no_own")}
        isDisabled={create.isPending}
        onChoose={start}
      />
      <p className={styles.foot}>
        <Link to="/settings/{-$page}" params={{ page: "drafts" }}>
          {t("templates.manage")}
        </Link>
      </p>
    </Dialog>
  );
}

interface ChoicesProps {
  heading: string;
  icon: LucideIcon;
  choices: { key: string; title: string; facts: (string | undefined)[]; from: StartingPoint }[];
  none: string;
  isDisabled: boolean;
  onChoose: (from: StartingPoint) => void;
}

function Choices({ heading, icon: Icon, choices, none, isDisabled, onChoose }: ChoicesProps) {
  return (
    <section className={styles.group} aria-label={heading}>
      <h3>{heading}</h3>
      {choices.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <ul className={styles.list}>
          {choices.map(({ key, title, facts, from }) => (
            <li key={key}>
              <Row className={styles.row ?? ""} isDisabled={isDisabled} onPress={() => onChoose(from)}>
                <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                <span className={styles.words}>
                  <span className={styles.title} dir="auto">
                    {title}
                  </span>
                  <span className={styles.facts}>{facts.filter(Boolean).join(" · ")}</span>
                </span>
              </Row>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
