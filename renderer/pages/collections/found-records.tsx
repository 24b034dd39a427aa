import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { foundQuery } from "../../api-client/collections.ts";
import { ApiFailure } from "../../api-client/request.ts";
import styles from "../people/people.module.css";

const typingMs = 400;

/** The text once the user has stopped typing. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** How many records a query finds, while it is typed. */
export function FoundRecords({ query }: { query: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(foundQuery(useRested(query)));
  const isWrong = error instanceof ApiFailure && error.status === 400;
  const found = data === undefined ? "" : t("collections.found", { count: data });
  return (
    <p className={styles.note} aria-live="polite">
      {isWrong ? error.message : found}
    </p>
  );
}
