import { useTranslation } from "react-i18next";
import { CreatorsField } from "./creators/creators-field.tsx";
import { useField } from "./draft-context.ts";
import { FieldBlock } from "./fields/field-block.tsx";

/** Creators and contributors. */
export function PeopleSection() {
  const { t } = useTranslation();
  const creators = useField("creators");
  const contributors = useField("contributors");
  return (
    <>
      <FieldBlock id={creators.id} label={t("draft.creators")} isRequired problem={creators.problem}>
        <CreatorsField
          label={t("draft.creators")}
          roles="creatorsroles"
          people={creators.value ?? []}
          onChange={creators.set}
        />
      </FieldBlock>
      <FieldBlock
        id={contributors.id}
        label={t("draft.contributors")}
        help={t("draft.contributors_help")}
        problem={contributors.problem}
      >
        <CreatorsField
          label={t("draft.contributors")}
          roles="contributorsroles"
          people={contributors.value ?? []}
          onChange={contributors.set}
        />
      </FieldBlock>
    </>
  );
}
