import { useTranslation } from "react-i18next";
import type { Creator } from "../../api-client/record-types.ts";
import { CreatorsField } from "./creators/creators-field.tsx";
import { useField } from "./draft-context.ts";
import { FieldBlock } from "./fields/field-block.tsx";

const nobody: Creator[] = [];

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
          people={creators.value ?? nobody}
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
          people={contributors.value ?? nobody}
          onChange={contributors.set}
        />
      </FieldBlock>
    </>
  );
}
