import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { leafPath, leafValue } from "../../../../shared/metadata/custom-field-groups.ts";
import { fold } from "../../../../shared/search/language/analysis.ts";
import { findWork, lookupQuery } from "../../../api-client/lookup.ts";
import type { Creator, Metadata } from "../../../api-client/record-types.ts";
import { Button } from "../../../components/button.tsx";
import { Checkbox } from "../../../components/choice.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { InlineNotice } from "../../../components/notice.tsx";
import { Select } from "../../../components/select.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { useChange } from "../../../components/use-change.ts";
import { useFieldLabel } from "../../../components/use-field-label.ts";
import { withLeaf } from "../../../format/custom-fields.ts";
import { htmlWords } from "../../../format/html-words.ts";
import { personName } from "../../../format/names.ts";
import { wordsOf } from "../../compare/compare-records.ts";
import { type DraftContent, isSame } from "../draft-content.ts";
import { useContent } from "../draft-context.ts";
import { newDraftMetadataQuery } from "../new-draft-content.ts";
import { CitationFiles } from "./citation-files.tsx";
import styles from "./import.module.css";
import { leavesIn, useReadWorks } from "./placed-works.ts";
import type { ReadWork } from "./work.ts";

/** A field of a citation; `key` is `doi` for the DOI. */
interface Offer {
  key: string;
  present: string;
  next: string;
  /** The present value is what a new draft begins with, so the citation knows better. */
  isDefault?: boolean;
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
function offersOf(work: ReadWork, { metadata, custom_fields }: Imported, defaults: Metadata): Offer[] {
  const own = Object.entries(work.metadata).map(([key, value]): Offer => {
    const present = metadata[key];
    const isDefault = present !== undefined && isSame(present, defaults[key]);
    const next = Array.isArray(value) && Array.isArray(present) && !isDefault ? joined(present, value) : value;
    const apply = (into: Imported) => (into.metadata[key] = next);
    return { key, present: shown(present), next: shown(next), isDefault, apply };
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

/** Imports a pasted citation or a file, with a choice for each field. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { content, change } = useContent();
  const [text, setText] = useState("");
  const [entry, setEntry] = useState(0);
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const { data: defaults = {} } = useQuery(newDraftMetadataQuery);
  const works = useReadWorks(text);
  const work = works[entry];
  const offers = work ? offersOf(work, content, defaults) : [];
  const mayHaveDoi = work?.doi && content.pids.doi?.identifier !== work.doi && content.pids.doi?.provider !== "carrel";
  const doi: Offer[] =
    mayHaveDoi && work.doi
      ? [{ key: "pids", present: content.pids.doi?.identifier ?? "", next: work.doi, apply: () => undefined }]
      : [];
  const all = [...offers, ...doi].filter(({ present, next }) => present !== next);
  // Replacements are off by default.
  const isChosen = ({ key, present, isDefault = false }: Offer) => (present === "" || isDefault) !== turned.has(key);
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
      keepsOpen={text !== ""}
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
          setEntry(0);
          setTurned(new Set());
        }}
      />
      <CitationFiles onTexts={([first = ""]) => setText(first)} />
      {works.length > 1 && (
        <EntryChoice
          works={works}
          entry={entry}
          onChoose={(next) => {
            setEntry(next);
            setTurned(new Set());
          }}
        />
      )}
      {text.trim() !== "" && !work && <InlineNotice tone="warn">{t("import.unknown")}</InlineNotice>}
      {work && all.length === 0 && <InlineNotice tone="ok">{t("import.nothing_new")}</InlineNotice>}
      {work?.doi && offers.length === 0 && <FromDoi doi={work.doi} onText={setText} />}
      {all.length > 0 && <OfferList offers={all} isChosen={isChosen} onToggle={toggle} />}
      {work && <NotImported work={work} />}
    </Dialog>
  );
}

/** What the citation says and the draft does not get. */
function NotImported({ work: { unplaced, wrongOrcids } }: { work: ReadWork }) {
  const { t } = useTranslation();
  return (
    <>
      {wrongOrcids?.map((one) => (
        <InlineNotice key={one} tone="warn">
          {one}: {t("creators.orcid_wrong")}
        </InlineNotice>
      ))}
      {unplaced.length > 0 && (
        <InlineNotice tone="warn">
          {t("import.unplaced", { fields: unplaced.map(({ name, value }) => `${name} (${value})`).join(", ") })}
        </InlineNotice>
      )}
    </>
  );
}

/** Reads the rest of a work that is named by its DOI alone, where the server can look it up. */
function FromDoi({ doi, onText }: { doi: string; onText: (text: string) => void }) {
  const { t } = useTranslation();
  const { data: kinds = [] } = useQuery(lookupQuery);
  const fetched = useChange(() => findWork(doi), {
    onDone: (found) => onText(JSON.stringify({ DOI: doi, ...found }, null, 2)),
  });
  if (!kinds.includes("doi")) return <InlineNotice>{t("import.only_doi")}</InlineNotice>;
  return (
    <span>
      <Button icon={Search} isPending={fetched.isPending} onPress={() => fetched.mutate()}>
        {t("import.from_doi")}
      </Button>
    </span>
  );
}

interface EntryChoiceProps {
  works: ReadWork[];
  entry: number;
  onChoose: (entry: number) => void;
}

function EntryChoice({ works, entry, onChoose }: EntryChoiceProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("import.which", { count: works.length })}
      description={t("import.which_help")}
      value={String(entry)}
      onChange={(next) => onChoose(Number(next))}
      options={works.map(({ metadata, doi }, index) => ({
        id: String(index),
        label: metadata.title ?? doi ?? t("library.untitled"),
      }))}
    />
  );
}

interface OfferListProps {
  offers: Offer[];
  isChosen: (offer: Offer) => boolean;
  onToggle: (key: string) => void;
}

function OfferList({ offers, isChosen, onToggle }: OfferListProps) {
  const labelOf = useFieldLabel();
  return (
    <ul className={styles.offers}>
      {offers.map((offer) => (
        <li key={offer.key}>
          <Checkbox
            isSelected={isChosen(offer)}
            onChange={() => onToggle(offer.key)}
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
  );
}
