import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/button.tsx";
import fields from "./fields.module.css";

/** Thousands of chips would stop the page for seconds. */
const shownAtOnce = 200;

/** Chosen values as chips with remove buttons. Of many, the last ones are shown, where added ones appear. */
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
  const [maxShown, setMaxShown] = useState(shownAtOnce);
  const hidden = Math.max(0, tags.length - maxShown);
  if (tags.length === 0) return null;
  return (
    <ul className={fields.tags} aria-label={label}>
      {hidden > 0 && (
        <li className={fields.moreTags}>
          <Button small variant="quiet" onPress={() => setMaxShown(maxShown + shownAtOnce)}>
            {t("draft.show_earlier", { count: Math.min(hidden, shownAtOnce), total: tags.length })}
          </Button>
        </li>
      )}
      {tags.slice(hidden).map((tag, index) => (
        <li key={tag.id} className={fields.tag}>
          <span>{tag.label}</span>
          <IconButton
            small
            icon={X}
            label={t("draft.remove_item", { label: tag.label })}
            onPress={() => onRemove(hidden + index)}
          />
        </li>
      ))}
    </ul>
  );
}
