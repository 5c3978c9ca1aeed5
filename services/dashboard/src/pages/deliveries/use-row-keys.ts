import { useEffect, useEffectEvent, useState } from 'react';
import { isDialogOpen, isTyping } from '../../ui/is-typing.ts';
import { focusRow } from './focus-row.ts';

interface RowKeysInput {
  /** The id of each row. */
  readonly ids: readonly string[];
  readonly onMove: (index: number) => void;
}

/**
 * Moves between rows with `j` and `k`, and with the arrow keys on a row. The current row is tracked by its id,
 * because rows move.
 */
export function useRowKeys({ ids, onMove }: RowKeysInput) {
  const [current, setCurrent] = useState<string | null>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
    const step = stepOf(event);
    if (step === 0 || ids.length === 0) return;
    event.preventDefault();
    const before = current === null ? -1 : ids.indexOf(current);
    const index = before === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, before + step));
    const id = ids[index] as string;
    setCurrent(id);
    onMove(index);
    focusRow(id);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return { current, setCurrent };
}

function stepOf(event: KeyboardEvent): number {
  if (event.key === 'j') return 1;
  if (event.key === 'k') return -1;
  const onRow = event.target instanceof HTMLElement && event.target.dataset.row !== undefined;
  if (!onRow) return 0;
  return event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
}
