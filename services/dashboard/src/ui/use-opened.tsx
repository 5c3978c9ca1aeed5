import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { forgetInDialogs } from './unsaved.ts';
import { withParameters } from './use-address.ts';

/**
 * Keeps the id of the open drawer in the address. Opening adds a history entry, so that Back closes the drawer. After
 * closing, `focusRow` restores the focus to the row.
 */
export function useOpened(name: string, focusRow: (id: string) => void) {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation();
  const openId = search.get(name) || null;
  const before = useRef(openId);
  useEffect(() => {
    if (before.current !== null && openId === null) focusRow(before.current);
    before.current = openId;
  }, [openId, focusRow]);

  const change = (id: string | null, options: { replace: boolean; state?: unknown }) =>
    setSearch(withParameters({ [name]: id ?? '' }), { ...options, preventScrollReset: true });
  return {
    openId,
    open: (id: string) =>
      change(id, { replace: openId !== null, state: openId === null ? { opened: true } : state }),
    close: () => {
      forgetInDialogs();
      if (state?.opened === true) void navigate(-1);
      else change(null, { replace: true });
    },
  };
}

interface RowLinkProps {
  /** The parameter of the drawer in the address. */
  readonly name: string;
  readonly id: string;
  readonly children: ReactNode;
}

/** The address of a row's drawer, for another tab. A plain click is left to the row. */
export function RowLink({ name, id, children }: RowLinkProps) {
  const search = new URLSearchParams(useSearchParams()[0]);
  search.set(name, id);
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) event.stopPropagation();
    else event.preventDefault();
  };
  return (
    <Link
      to={`?${search}`}
      className="row-link"
      tabIndex={-1}
      draggable={false}
      onMouseDown={forgetSelection}
      onClick={onClick}
    >
      {children}
    </Link>
  );
}

/** Opens a row on a click, unless the click ends a selection of text. */
export function onRowClick(onOpen: () => void): () => void {
  return () => {
    if (window.getSelection()?.isCollapsed !== false) onOpen();
  };
}

/** A link keeps the selection of before, unlike a text. */
function forgetSelection(): void {
  window.getSelection()?.removeAllRanges();
}
