import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/button.tsx";
import fields from "./fields.module.css";

/** Chosen values as chips with remove buttons. */
export function TagList({
  label,
  tags,
  onRemove,
}: {
  label: string;
  tags: { id: string; label: string }[];
  onRemove: (index: number) => void;
}) {
  const { t } = useTranslation();
  if (tags.length === 0) return null;
  return (
    <ul className={fields.tags} aria-label={label}>
      {tags.map((tag, index) => (
        <li key={tag.id} className={fields.tag}>
          <span>{tag.label}</span>
          <IconButton
            small
            icon={X}
            label={t("draft.remove_item", { label: tag.label })}
            onPress={() => onRemove(index)}
          />
        </li>
      ))}
    </ul>
  );
}
