import styles from "./avatar.module.css";

/** Initials in a circle. Hidden from screen readers, because the name is next to it. */
export function Avatar({ name, large = false }: { name: string; large?: boolean }) {
  const words = name.split(/[\s,]+/).filter(Boolean);
  const initials = [words[0], words.length > 1 ? words[words.length - 1] : ""].map((word) => word?.[0] ?? "").join("");
  return (
    <span
      className={`${styles.avatar} ${large ? styles.large : ""}`}
      data-initials={initials.toUpperCase() || "?"}
      aria-hidden="true"
    />
  );
}
