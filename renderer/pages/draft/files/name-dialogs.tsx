import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiFailure, wordsOf } from "../../../api-client/request.ts";
import { Button } from "../../../components/button.tsx";
import { ComboBox } from "../../../components/combo-box.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { useChange } from "../../../components/use-change.ts";
import type { OnRename } from "./file-actions.ts";
import { type FileNode, idUnder, mayMoveTo, namesAfterMove, namesAfterRename, parentOf } from "./file-tree.ts";

const refusalOf = (error: unknown): string | undefined => {
  if (error instanceof ApiFailure) return wordsOf(error.problems[0]) ?? error.message;
  return error instanceof Error ? error.message : undefined;
};

interface NameDialogProps {
  onRename: OnRename;
  onClose: () => void;
}

/** Renames a file or a folder. */
export function RenameDialog({ node, onRename, onClose }: NameDialogProps & { node: FileNode }) {
  const { t } = useTranslation();
  const [name, setName] = useState(node.name);
  const rename = useChange(
    () => {
      const ids = [idUnder(node, parentOf(node), name.trim())];
      return onRename(namesAfterRename(node, name.trim()), { folder: "", ids });
    },
    { showsErrorHere: true, onDone: onClose },
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) rename.mutate();
  };
  return (
    <Dialog
      isOpen
      title={t(node.kind === "folder" ? "files.rename_folder" : "files.rename_file", { name: node.name })}
      onClose={onClose}
      isPending={rename.isPending}
      actions={
        <>
          <Button onPress={onClose}>{t("action.cancel")}</Button>
          <Button
            variant="primary"
            isDisabled={!name.trim()}
            isPending={rename.isPending}
            onPress={() => rename.mutate()}
          >
            {t("files.rename")}
          </Button>
        </>
      }
    >
      <form onSubmit={onSubmit}>
        <TextField
          autoFocus
          label={t("files.new_name")}
          description={node.kind === "folder" ? t("files.rename_folder_help", { count: node.count }) : undefined}
          value={name}
          onChange={setName}
          problem={refusalOf(rename.error)}
        />
      </form>
    </Dialog>
  );
}

/** Moves files and folders to a folder that exists, or to a new one. */
export function MoveDialog({
  nodes,
  folders,
  onRename,
  onClose,
}: NameDialogProps & { nodes: FileNode[]; folders: string[] }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [first] = nodes;
  const here = first ? parentOf(first) : "";
  const fits = folders.filter(
    (path) => mayMoveTo(nodes, path) && path !== here && path.toLowerCase().includes(text.trim().toLowerCase()),
  );
  const move = useChange(
    (given: string) => {
      const path = given.trim().replace(/\/+$/, "");
      const folder = path === "" ? "" : `${path}/`;
      const ids = nodes.map((node) => idUnder(node, folder));
      return onRename(namesAfterMove(nodes, folder), { folder, ids });
    },
    { showsErrorHere: true, onDone: onClose },
  );
  const mayMove = text.trim() !== "" && mayMoveTo(nodes, `${text.trim()}/`);
  const options = fits.map((path) => ({ id: path, label: path.slice(0, -1) }));
  return (
    <Dialog
      isOpen
      title={t("files.move_title", { count: nodes.length, name: first?.name ?? "" })}
      onClose={onClose}
      isPending={move.isPending}
      actions={
        <>
          <Button onPress={onClose}>{t("action.cancel")}</Button>
          {here !== "" && <Button onPress={() => move.mutate("")}>{t("files.move_top")}</Button>}
          <Button variant="primary" isDisabled={!mayMove} isPending={move.isPending} onPress={() => move.mutate(text)}>
            {t("files.move_here")}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (mayMove) move.mutate(text);
        }}
      >
        <ComboBox
          autoFocus
          label={t("files.folder")}
          description={t("files.folder_help")}
          options={options}
          inputValue={text}
          onInputChange={setText}
          onChoose={(path) => setText(path.slice(0, -1))}
          isSettled={fits.length === 0 || folders.includes(`${text}/`)}
          problem={refusalOf(move.error)}
        />
      </form>
    </Dialog>
  );
}
