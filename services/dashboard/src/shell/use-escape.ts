import { useEffect } from 'react';
import { isDialogOpen } from '../ui/is-typing.ts';

/** Calls back on Escape while something is open, unless a dialog above it takes the key. The focus goes back to where it was before. */
export function useEscape(isOpen: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const opener = document.activeElement;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isDialogOpen()) return;
      onEscape();
      if (opener instanceof HTMLElement) opener.focus();
    };
    // Before the dialog that this key closes has left the page.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen, onEscape]);
}
