import { useEffect, useRef } from 'react';
import { isDialogOpen, isTyping } from './is-typing.ts';

/** Moves between table rows with `j` and `k`. The rows handle Enter. */
export function useTableKeys() {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      const rows = [...(body.current?.rows ?? [])];
      if (step === 0 || rows.length === 0) return;
      event.preventDefault();
      const before = rows.indexOf(document.activeElement as HTMLTableRowElement);
      rows[Math.min(rows.length - 1, Math.max(0, before + step))]?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return body;
}
