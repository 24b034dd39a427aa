import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { foundQuery } from "../../api-client/collections.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { SearchFailure } from "../library/search-failure.tsx";
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

/** How many records a query finds while it is typed, or what is wrong with it. */
export function FoundRecords({ query, onTry }: { query: string; onTry: (query: string) => void }) {
  const { t } = useTranslation();
  const rested = useRested(query);
  const { data, error, refetch } = useQuery(foundQuery(rested));
  if (error instanceof ApiFailure && error.status === 400)
    return <SearchFailure error={error} q={rested} onTry={onTry} onRetry={() => void refetch()} />;
  return (
    <p className={styles.note} aria-live="polite">
      {data === undefined ? "" : t("collections.found", { count: data })}
    </p>
  );
}
