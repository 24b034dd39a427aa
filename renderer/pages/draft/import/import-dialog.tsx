import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { fold } from "../../../../shared/search/language/analysis.ts";
import type { Creator, VocabularyEntry } from "../../../api-client/record-types.ts";
import { vocabularyQuery } from "../../../api-client/vocabularies.ts";
import { Button } from "../../../components/button.tsx";
import { Checkbox } from "../../../components/choice.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { InlineNotice } from "../../../components/notice.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { useCustomLabels } from "../../../components/use-custom-labels.ts";
import { useFieldLabel } from "../../../components/use-field-label.ts";
import { type Leaf, leafPath, leafValue, withLeaf } from "../../../format/custom-fields.ts";
import { htmlWords } from "../../../format/html-words.ts";
import { personName } from "../../../format/names.ts";
import { wordsOf } from "../../compare/compare-records.ts";
import type { DraftContent } from "../draft-content.ts";
import { useContent } from "../draft-context.ts";
import type { CitedFields } from "./appeared.ts";
import styles from "./import.module.css";
import { readWork } from "./read-work.ts";
import type { ReadWork } from "./work.ts";

const mostBytes = 1024 * 1024;

/** A field of a citation; `key` is `doi` for the DOI. */
interface Offer {
  key: string;
  present: string;
  next: string;
  apply: (content: Imported) => void;
}

type Imported = Pick<DraftContent, "metadata" | "custom_fields">;

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
function offersOf(work: ReadWork, { metadata, custom_fields }: Imported): Offer[] {
  const own = Object.entries(work.metadata).map(([key, value]): Offer => {
    const present = metadata[key];
    const next = Array.isArray(value) && Array.isArray(present) ? joined(present, value) : value;
    return { key, present: shown(present), next: shown(next), apply: (into) => (into.metadata[key] = next) };
  });
  const custom = leavesIn(work.custom_fields).map(({ leaf, value }): Offer => {
    const apply = (into: Imported) => {
      into.custom_fields = withLeaf(into.custom_fields, leaf, value);
    };
    return {
      key: `custom_fields.${leafPath(leaf)}`,
      present: shown(leafValue(custom_fields, leaf)),
      next: value,
      apply,
    };
  });
  return [...own, ...custom];
}

const leavesIn = (fields: CitedFields): { leaf: Pick<Leaf, "name" | "member">; value: string }[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "string"
      ? [{ leaf: { name }, value }]
      : Object.entries(value).map(([member, inner]) => ({ leaf: { name, member }, value: inner })),
  );

/** Without fields that this repository does not declare: what they would hold has no place. */
function placedHere(work: ReadWork, isDeclared: (path: string) => boolean): ReadWork {
  const leaves = leavesIn(work.custom_fields);
  const [placed, others] = [true, false].map((isWanted) =>
    leaves.filter(({ leaf }) => isDeclared(leafPath(leaf)) === isWanted),
  );
  return {
    ...work,
    custom_fields: (placed ?? []).reduce<Record<string, unknown>>(
      (fields, { leaf, value }) => withLeaf(fields, leaf, value),
      {},
    ) as CitedFields,
    unplaced: [
      ...work.unplaced,
      ...(others ?? []).map(({ leaf, value }) => ({ name: leaf.member ?? leaf.name, value })),
    ],
  };
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
  const { labelOfPath } = useCustomLabels();
  const labelOf = useFieldLabel();
  const read = withTitles(readWork(text), types);
  const work = read && placedHere(read, (path) => labelOfPath(path) !== undefined);
  const offers = work ? offersOf(work, content) : [];
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
    const imported = { metadata: { ...content.metadata }, custom_fields: content.custom_fields };
    for (const offer of chosen) offer.apply(imported);
    const pids = chosen.some(({ key }) => key === "pids")
      ? { ...content.pids, doi: { identifier: work?.doi ?? "", provider: "external" } }
      : content.pids;
    change({ ...imported, pids });
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
                {labelOf(offer.key)}
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      {work && work.unplaced.length > 0 && (
        <InlineNotice tone="warn">
          {t("import.unplaced", { fields: work.unplaced.map(({ name, value }) => `${name} (${value})`).join(", ") })}
        </InlineNotice>
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
