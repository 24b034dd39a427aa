import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { VocabularyRef } from "../../../api-client/record-types.ts";
import { recommendedQuery, vocabularyQuery } from "../../../api-client/vocabularies.ts";
import { ComboBox } from "../../../components/combo-box.tsx";
import { titleText } from "../../../format/names.ts";
import { helpOf, inFamilies, nearest, recommendedFirst } from "./vocabulary-order.ts";

type VocabularyType = Parameters<typeof vocabularyQuery>[0];

export interface VocabularyPickerProps {
  type: VocabularyType;
  label: string;
  hideLabel?: boolean;
  value: VocabularyRef | undefined;
  onChange: (value: VocabularyRef | undefined) => void;
  /** A long list: search in the API instead of loading everything. */
  isLong?: boolean;
  /** An empty box suggests the recommended entries alone; they also come first among what fits a text. */
  hasRecommended?: boolean;
  placeholder?: string;
  description?: string;
  problem?: string | undefined;
  isRequired?: boolean;
  onBlur?: () => void;
}

/** Picks a vocabulary entry by typing. Clearing the box removes it. */
export function VocabularyPicker(asked: VocabularyPickerProps) {
  const { type, value, onChange, isLong = false, hasRecommended = false, ...props } = asked;
  const shown = value ? titleText(value.title, value.id) : "";
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const typed = text === shown ? "" : text;
  const { data = [], isFetching } = useQuery(vocabularyQuery(type, isLong ? typed : ""));
  const { data: recommended = [] } = useQuery({ ...recommendedQuery(type), enabled: hasRecommended });
  const suggest = () => {
    if (hasRecommended) return recommendedFirst(recommended, data, typed);
    if (isLong) return data;
    return typed ? nearest(data, typed) : inFamilies(data);
  };
  const found = suggest();
  return (
    <ComboBox
      {...props}
      options={found.map((entry) => ({
        id: entry.id,
        label: titleText(entry.title, entry.id),
        help: helpOf(entry, data),
      }))}
      selected={value?.id ?? null}
      inputValue={text}
      isListOnly
      isLoading={isFetching}
      onInputChange={(next) => {
        setText(next);
        if (next === "" && value) onChange(undefined);
      }}
      onChoose={(id) => {
        const entry = found.find((one) => one.id === id);
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
