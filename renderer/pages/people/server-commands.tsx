import { useTranslation } from "react-i18next";
import { CommandLine } from "./command-line.tsx";
import styles from "./people.module.css";

const commands = {
  check: "carrel check --data DIR",
  backup: "carrel backup --data DIR FILE",
  mail: "carrel mail list --data DIR",
  dois: "carrel dois list --data DIR",
  people: "carrel users list --data DIR",
  vocabularies: "carrel vocabularies import --data DIR subjects FILE",
} as const;
const names = Object.keys(commands) as (keyof typeof commands)[];

/** Commands that administer the server on its own computer. */
export function ServerCommands() {
  const { t } = useTranslation();
  return (
    <div className={styles.panel}>
      <p className={styles.note}>{t("people.server_help")}</p>
      {names.map((name) => (
        <CommandLine key={name} label={t(`people.server_command.${name}`)} command={commands[name]} />
      ))}
    </div>
  );
}
