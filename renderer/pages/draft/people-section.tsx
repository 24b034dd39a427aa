import { useTranslation } from "react-i18next";
import type { Creator } from "../../api-client/record-types.ts";
import { personName } from "../../format/names.ts";
import { CreatorsField } from "./creators/creators-field.tsx";
import { useField } from "./draft-context.ts";
import { FieldBlock } from "./fields/field-block.tsx";
import { FoldedGroup, FoldedGroups } from "./fields/folded-group.tsx";

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
      <FoldedGroups>
        <FoldedGroup
          heading={t("draft.contributors")}
          filled={(contributors.value ?? nobody).map(({ person_or_org }) => personName(person_or_org))}
          hint={t("draft.contributors_help")}
          fields={["metadata.contributors"]}
        >
          <FieldBlock id={contributors.id} label={t("draft.contributors")} hideLabel problem={contributors.problem}>
            <CreatorsField
              label={t("draft.contributors")}
              roles="contributorsroles"
              people={contributors.value ?? nobody}
              onChange={contributors.set}
            />
          </FieldBlock>
        </FoldedGroup>
      </FoldedGroups>
    </>
  );
}
