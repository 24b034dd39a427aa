import { Columns3 } from "lucide-react";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { TickBox } from "../../components/choice.tsx";
import menu from "../../components/menu.module.css";
import { columns, useColumns } from "./columns.ts";

/** Chooses the columns of the list. */
export function ColumnMenu() {
  const { t } = useTranslation();
  const { shown, toggle } = useColumns();
  const change = (next: "all" | Iterable<string | number>) => {
    const chosen = next === "all" ? columns : [...next];
    for (const column of columns) if (shown.includes(column) !== chosen.includes(column)) toggle(column);
  };
  return (
    <MenuTrigger>
      <Button small variant="quiet" icon={Columns3}>
        {t("library.columns")}
      </Button>
      <Popover className={menu.popover ?? ""} offset={4} placement="bottom end">
        <Menu
          className={menu.menu ?? ""}
          aria-label={t("library.columns")}
          selectionMode="multiple"
          selectedKeys={shown}
          onSelectionChange={change}
        >
          {columns.map((column) => (
            <MenuItem key={column} id={column} textValue={t(`library.column.${column}`)} className={menu.item ?? ""}>
              {({ isSelected }) => (
                <>
                  <TickBox state={isSelected} />
                  {t(`library.column.${column}`)}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
