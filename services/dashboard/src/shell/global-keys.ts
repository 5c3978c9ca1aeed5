import { useEffect } from 'react';
import { isDialogOpen, isTyping } from '../ui/is-typing.ts';

interface GlobalKeys {
  /** False while a sign-in covers the page: a palette under it would take the focus, and the password. */
  readonly enabled: boolean;
  readonly onHelp: () => void;
  readonly onPalette: () => void;
}

/** Handles the keys that work on every page. `/` focuses the filter of the page, marked with data-filter. */
export function useGlobalKeys({ enabled, onHelp, onPalette }: GlobalKeys): void {
  useEffect(() => {
    if (!enabled) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
      if (event.key === '?') onHelp();
      if (event.key === '/') focusFilter(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled, onHelp, onPalette]);
}

function focusFilter(event: KeyboardEvent): void {
  const filter = document.querySelector<HTMLElement>('[data-filter]');
  if (filter === null) return;
  event.preventDefault();
  filter.focus();
}
