import { useTranslation } from "react-i18next";
import { Checkbox } from "../components/choice.tsx";
import { Dialog } from "../components/dialog.tsx";
import { type Command, type CommandGroup, useCommandList } from "./command-list.ts";
import { Keys } from "./key-caps.tsx";
import { useLetterKeys } from "./keys.ts";
import styles from "./shortcut-sheet.module.css";

const groups: CommandGroup[] = ["page", "do", "go", "look"];

/** All commands with keys, those of the page first. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const commands = useCommandList();
  const [areLettersOn, setLetters] = useLetterKeys();
  return (
    <Dialog title={t("palette.keys")} isOpen onClose={onClose} wide>
      <div className={styles.columns}>
        {groups.map((group) => {
          const withKeys = commands.filter((one) => one.group === group && one.keys);
          return withKeys.length > 0 && <KeyList key={group} group={group} commands={withKeys} />;
        })}
      </div>
      <Checkbox isSelected={areLettersOn} onChange={setLetters} help={t("palette.letters_help")}>
        {t("palette.letters")}
      </Checkbox>
    </Dialog>
  );
}

function KeyList({ group, commands }: { group: CommandGroup; commands: Command[] }) {
  const { t } = useTranslation();
  return (
    <section>
      <h3>{t(`palette.group.${group}`)}</h3>
      <dl className={styles.list}>
        {commands.map(({ id, label, keys = "" }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
