import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { focusRow } from './focus-row.ts';

/**
 * The delivery that is open, kept in the address. Opening adds an entry to the browser's history, so that Back closes;
 * once it is closed, by whatever way, its row has the focus again.
 */
export function useOpenDelivery() {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation();
  const openId = search.get('delivery');
  const before = useRef(openId);
  useEffect(() => {
    if (before.current !== null && openId === null) focusRow(before.current);
    before.current = openId;
  }, [openId]);

  const change = (id: string | null, options: { replace: boolean; state?: unknown }) =>
    setSearch(
      (current) => {
        if (id === null) current.delete('delivery');
        else current.set('delivery', id);
        return current;
      },
      { ...options, preventScrollReset: true },
    );
  return {
    openId,
    open: (id: string) =>
      change(id, { replace: openId !== null, state: openId === null ? { opened: true } : state }),
    close: () => {
      if (state?.opened === true) void navigate(-1);
      else change(null, { replace: true });
    },
  };
}
