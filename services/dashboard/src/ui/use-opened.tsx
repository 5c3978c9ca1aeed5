import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { forgetInDialogs } from './unsaved.ts';

/**
 * Keeps the id of the open drawer in the address. Opening adds a history entry, so that Back closes the drawer. After
 * closing, `focusRow` restores the focus to the row.
 */
export function useOpened(name: string, focusRow: (id: string) => void) {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation();
  const openId = search.get(name);
  const before = useRef(openId);
  useEffect(() => {
    if (before.current !== null && openId === null) focusRow(before.current);
    before.current = openId;
  }, [openId, focusRow]);

  const change = (id: string | null, options: { replace: boolean; state?: unknown }) =>
    setSearch(
      (current) => {
        if (id === null) current.delete(name);
        else current.set(name, id);
        return current;
      },
      { ...options, preventScrollReset: true },
    );
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
