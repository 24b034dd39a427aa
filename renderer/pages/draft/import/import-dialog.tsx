import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { fold } from "../../../../shared/search/language/analysis.ts";
import type { Creator, Metadata, VocabularyEntry } from "../../../api-client/record-types.ts";
import { vocabularyQuery } from "../../../api-client/vocabularies.ts";
import { Button } from "../../../components/button.tsx";
import { Checkbox } from "../../../components/choice.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { InlineNotice } from "../../../components/notice.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { htmlWords } from "../../../format/html-words.ts";
import { personName } from "../../../format/names.ts";
import { wordsOf } from "../../compare/compare-records.ts";
import { useContent } from "../draft-context.ts";
import styles from "./import.module.css";
import { type ReadWork, readWork } from "./read-work.ts";

const mostBytes = 1024 * 1024;

/** A field of a citation; `key` is `doi` for the DOI. */
interface Offer {
  key: string;
  present: string;
  next: string;
  apply: (metadata: Metadata) => void;
}

const shown = (value: unknown) => htmlWords(wordsOf(value).replaceAll("\n", "; "));

/** Identity of a list item: a person's name, else all its text. */
function nameOf(item: unknown): string {
  const { person_or_org } = (item ?? {}) as Partial<Creator>;
  return fold(person_or_org ? personName(person_or_org) : wordsOf(item));
}

/** The current items, then the other items that are new. */
function joined(present: unknown[], others: unknown[]): unknown[] {
  const names = new Set(present.map(nameOf));
  return [...present, ...others.filter((item) => !names.has(nameOf(item)))];
}

/** Lists gain missing items; other fields are replaced. */
function offersOf(work: ReadWork, metadata: Metadata): Offer[] {
  return Object.entries(work.metadata).map(([key, value]) => {
    const present = metadata[key];
    const next = Array.isArray(value) && Array.isArray(present) ? joined(present, value) : value;
    return { key, present: shown(present), next: shown(next), apply: (into) => (into[key] = next) };
  });
}

/** Adds the title of the resource type, which a citation names by id. */
function withTitles(work: ReadWork | undefined, types: VocabularyEntry[]): ReadWork | undefined {
  const type = types.find(({ id }) => id === work?.metadata.resource_type?.id);
  if (!work || !type) return work;
  return { ...work, metadata: { ...work.metadata, resource_type: { id: type.id, title: type.title } } };
}

/** Imports a pasted citation or a file, with a choice for each field. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { content, change } = useContent();
  // Set if the user dropped the citation on the library.
  const brought = useRouterState({ select: ({ location }) => location.state.citation });
  const [text, setText] = useState(brought ?? "");
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const { data: types = [] } = useQuery(vocabularyQuery("resourcetypes"));
  const work = withTitles(readWork(text), types);
  const offers = work ? offersOf(work, content.metadata) : [];
  const mayHaveDoi = work?.doi && content.pids.doi?.identifier !== work.doi && content.pids.doi?.provider !== "carrel";
  const doi: Offer[] =
    mayHaveDoi && work.doi
      ? [{ key: "pids", present: content.pids.doi?.identifier ?? "", next: work.doi, apply: () => undefined }]
      : [];
  const all = [...offers, ...doi].filter(({ present, next }) => present !== next);
  // Replacements are off by default.
  const isChosen = ({ key, present }: Offer) => (present === "") !== turned.has(key);
  const chosen = all.filter(isChosen);
  const toggle = (key: string) =>
    setTurned((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]));
  const apply = () => {
    const metadata = { ...content.metadata };
    for (const offer of chosen) offer.apply(metadata);
    const pids = chosen.some(({ key }) => key === "pids")
      ? { ...content.pids, doi: { identifier: work?.doi ?? "", provider: "external" } }
      : content.pids;
    change({ metadata, pids });
    onClose();
  };
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={t("import.title")}
      actions={
        <>
          <Button onPress={onClose}>{t("action.cancel")}</Button>
          <Button variant="primary" isDisabled={chosen.length === 0} onPress={apply}>
            {t("import.apply", { count: chosen.length })}
          </Button>
        </>
      }
    >
      <TextField
        label={t("import.text")}
        description={t("import.help")}
        rows={7}
        mono
        autoFocus
        value={text}
        onChange={(next) => {
          setText(next);
          setTurned(new Set());
        }}
      />
      <FileChoice onText={setText} />
      {text.trim() !== "" && !work && <InlineNotice tone="warn">{t("import.unknown")}</InlineNotice>}
      {work && all.length === 0 && <InlineNotice tone="ok">{t("import.nothing_new")}</InlineNotice>}
      {work?.doi && offers.length === 0 && <InlineNotice>{t("import.only_doi")}</InlineNotice>}
      {all.length > 0 && (
        <ul className={styles.offers}>
          {all.map((offer) => (
            <li key={offer.key}>
              <Checkbox
                isSelected={isChosen(offer)}
                onChange={() => toggle(offer.key)}
                help={
                  <>
                    {offer.present && <del className={styles.present}>{offer.present}</del>}
                    <span className={styles.next}>{offer.next}</span>
                  </>
                }
              >
                {t(`draft.field.${offer.key as "title"}`, { defaultValue: offer.key })}
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function FileChoice({ onText }: { onText: (text: string) => void }) {
  const { t } = useTranslation();
  const read = async (file: File | undefined) => {
    if (file) onText(await file.slice(0, mostBytes).text());
  };
  return (
    <div>
      <FileTrigger
        acceptedFileTypes={[".bib", ".ris", ".json", ".cff", ".txt"]}
        onSelect={(files) => void read(files?.[0])}
      >
        <Button icon={FileUp}>{t("import.file")}</Button>
      </FileTrigger>
    </div>
  );
}
