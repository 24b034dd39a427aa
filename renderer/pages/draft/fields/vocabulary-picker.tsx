import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { VocabularyEntry, VocabularyRef } from "../../../api-client/record-types.ts";
import { vocabularyQuery } from "../../../api-client/vocabularies.ts";
import { ComboBox } from "../../../components/combo-box.tsx";
import { titleText } from "../../../format/names.ts";

type VocabularyType = Parameters<typeof vocabularyQuery>[0];

export interface VocabularyPickerProps {
  type: VocabularyType;
  label: string;
  hideLabel?: boolean;
  value: VocabularyRef | undefined;
  onChange: (value: VocabularyRef | undefined) => void;
  /** A long list: search in the API instead of loading everything. */
  isLong?: boolean;
  placeholder?: string;
  description?: string;
  problem?: string | undefined;
  isRequired?: boolean;
  onBlur?: () => void;
}

/** Rank of a match: 0 title starts with the text, 1 title contains it, 2 only the id does, 3 none. */
function distance(entry: VocabularyEntry, text: string): number {
  const [title, wanted] = [titleText(entry.title, entry.id).toLowerCase(), text.toLowerCase()];
  if (title.startsWith(wanted)) return 0;
  if (title.includes(wanted)) return 1;
  return entry.id.includes(wanted) ? 2 : 3;
}

const nearest = (entries: VocabularyEntry[], text: string) =>
  entries
    .map((entry) => ({ entry, far: distance(entry, text) }))
    .filter(({ far }) => far < 3)
    .sort((a, b) => a.far - b.far)
    .map(({ entry }) => entry);

/** Picks a vocabulary entry by typing. Clearing the box removes it. */
export function VocabularyPicker({ type, value, onChange, isLong = false, ...props }: VocabularyPickerProps) {
  const shown = value ? titleText(value.title, value.id) : "";
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const typed = text === shown ? "" : text;
  const { data = [], isFetching } = useQuery(vocabularyQuery(type, isLong ? typed : ""));
  const found = isLong ? data : nearest(data, typed);
  return (
    <ComboBox
      {...props}
      options={found.map((entry) => ({ id: entry.id, label: titleText(entry.title, entry.id) }))}
      selected={value?.id ?? null}
      inputValue={text}
      isLoading={isFetching}
      onInputChange={(next) => {
        setText(next);
        if (next === "" && value) onChange(undefined);
      }}
      onChoose={(id) => {
        const entry = data.find((one) => one.id === id);
        if (!entry) return;
        setText(titleText(entry.title, id));
        onChange({ id, title: entry.title });
      }}
      onBlur={() => {
        setText(shown);
        props.onBlur?.();
      }}
    />
  );
}
