import { CircleHelp } from "lucide-react";
import { Button, Dialog, DialogTrigger, Heading, Popover } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { IconButton, Button as WordButton } from "../../components/button.tsx";
import styles from "./query-help.module.css";

/** Example queries: label key and query. */
const examples = [
  ["words", "sea temperature"],
  ["both", "sea AND temperature"],
  ["without", "sea -baltic"],
  ["phrase", '"sea surface"'],
  ["begins", "oceanogr*"],
  ["typo", "temprature~"],
  ["title", "metadata.title:anomalies"],
  ["person", "metadata.creators.person_or_org.name:Okonkwo"],
  ["years", "metadata.publication_date_range:[2020 TO 2023]"],
  ["file", "files.types:csv"],
  ["file_name", "files.entries.key:*.zip"],
  ["has", "_exists_:metadata.funding"],
  ["changed", "updated:>now-7d"],
] as const;

/** Query help by example; pressing one puts it into the box. */
export function QueryHelp({ onTry, isWorded = false }: { onTry: (query: string) => void; isWorded?: boolean }) {
  const { t } = useTranslation();
  return (
    <DialogTrigger>
      {isWorded ? (
        <WordButton small icon={CircleHelp}>
          {t("library.syntax")}
        </WordButton>
      ) : (
        <IconButton label={t("library.syntax")} icon={CircleHelp} />
      )}
      <Popover className={styles.popover ?? ""} placement={isWorded ? "bottom start" : "bottom end"} offset={6}>
        <Dialog className={styles.dialog ?? ""}>
          {({ close }) => (
            <>
              <Heading slot="title" level={2}>
                {t("library.syntax")}
              </Heading>
              <p className={styles.lead}>{t("library.syntax_lead")}</p>
              <ul className={styles.list}>
                {examples.map(([name, query]) => (
                  <li key={name}>
                    <Button
                      className={styles.example ?? ""}
                      onPress={() => {
                        close();
                        onTry(query);
                      }}
                    >
                      <code>{query}</code>
                      <span>{t(`library.example.${name}`)}</span>
                    </Button>
                  </li>
                ))}
              </ul>
              <p className={styles.foot}>{t("library.syntax_foot")}</p>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
