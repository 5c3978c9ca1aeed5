import { useEffect } from 'react';

/** Returns whether keys go into a text field, and are not shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable)
  );
}

export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null;
}

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
