import { ActionIcon } from '@mantine/core';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { Icon, type IconName, Tip } from './icons.tsx';
import { isDialogOpen, isTyping } from './keyboard.ts';
import classes from './table.module.css';
import { onRowClick } from './use-opened.tsx';

export interface Column<Item> {
  readonly head: string;
  /** Names the cell on a card. Absent: as `head`. null: a card shows it without a name. */
  readonly label?: string | null;
  readonly cell: (item: Item) => ReactNode;
  readonly className?: string | undefined | ((item: Item) => string | undefined);
  /** Cards leave out what is empty. */
  readonly isEmpty?: (item: Item) => boolean;
  /** Aligned at the right. */
  readonly end?: boolean;
}

type RowProps = ComponentProps<'tr'> & { readonly [name: `data-${string}`]: string };

interface TableProps<Item> {
  readonly items: readonly Item[];
  readonly columns: readonly (Column<Item> | false)[];
  readonly keyOf: (item: Item) => string;
  readonly className?: string | undefined;
  readonly caption?: string;
  /** The page that Enter opens. A link inside the row leads there too. */
  readonly to?: (item: Item) => string;
  /** Opens the drawer of a row, by a click or Enter. */
  readonly onOpen?: (item: Item) => void;
  readonly rowProps?: (item: Item) => RowProps;
}

/** Rows with the same columns. `j` and `k` move between rows that can be opened. A narrow page shows each row as a card. */
export function Table<Item>(props: TableProps<Item>) {
  const { items, keyOf, className = '', caption, to, onOpen, rowProps } = props;
  const columns = props.columns.filter((column) => column !== false);
  const body = useTableKeys();
  const navigate = useNavigate();
  const open = (item: Item) => (to === undefined ? onOpen?.(item) : void navigate(to(item)));
  const isOpenable = to !== undefined || onOpen !== undefined;
  return (
    <table className={`${classes.table} ${className}`}>
      {caption !== undefined && <caption className="dimmed small">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ head, end }) => (
            <th key={head} className={end ? classes.end : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {items.map((item) => (
          <tr
            key={keyOf(item)}
            {...(isOpenable && {
              tabIndex: onOpen === undefined ? -1 : 0,
              // Ignores keys of buttons and links inside the row.
              onKeyDown: ({ key, target, currentTarget }) =>
                key === 'Enter' && target === currentTarget && open(item),
            })}
            {...(onOpen !== undefined && { 'data-open': true, onClick: onRowClick(() => onOpen(item)) })}
            {...rowProps?.(item)}
          >
            {columns.map((column) => (
              <Cell key={column.head} column={column} item={item} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Item>({ column, item }: { readonly column: Column<Item>; readonly item: Item }) {
  const { head, label = head, className, isEmpty, end, cell } = column;
  const own = typeof className === 'function' ? className(item) : className;
  return (
    <td
      data-label={label ?? undefined}
      data-empty={isEmpty?.(item) || undefined}
      className={[end && classes.end, own].filter(Boolean).join(' ') || undefined}
    >
      {cell(item)}
    </td>
  );
}

/** Moves between table rows with `j` and `k`. Rows without a tab index are passed over. */
function useTableKeys() {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      const rows = [...(body.current?.querySelectorAll<HTMLElement>('tr[tabindex]') ?? [])];
      if (step === 0 || rows.length === 0) return;
      event.preventDefault();
      const before = rows.indexOf(document.activeElement as HTMLElement);
      rows[Math.min(rows.length - 1, Math.max(0, before + step))]?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return body;
}

interface RowActionProps {
  /** The action, shown as a tooltip. */
  readonly tip: string;
  /** The action and its object, for screen readers. */
  readonly label: string;
  readonly icon: IconName;
  readonly onClick: () => void;
  readonly atEdge?: boolean;
}

/** A button of a row. */
export function RowAction({ tip, label, icon, onClick, atEdge = false }: RowActionProps) {
  return (
    <Tip label={tip} atEdge={atEdge}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon name={icon} />
      </ActionIcon>
    </Tip>
  );
}
