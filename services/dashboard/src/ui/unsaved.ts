import { createContext, useContext, useEffect } from 'react';

/** The unsaved forms inside a dialog or drawer. It asks before Escape or a click outside loses them. */
export const UnsavedInDialog = createContext<Set<symbol> | null>(null);

const everywhere = new Set<symbol>();
/** Those in dialogs and drawers, which the rest of the address opens and closes. */
const inDialogs = new Set<symbol>();

/**
 * While a form has changes that are not saved, the browser asks before it leaves. So do the dialog around it and GuardedRouter. `inDialog`:
 * the caller renders the dialog.
 */
export function useUnsaved(isUnsaved: boolean, { inDialog = false } = {}): void {
  const dialog = useContext(UnsavedInDialog);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const form = Symbol('unsaved form');
    everywhere.add(form);
    if (inDialog || dialog !== null) inDialogs.add(form);
    dialog?.add(form);
    return () => {
      everywhere.delete(form);
      inDialogs.delete(form);
      dialog?.delete(form);
    };
  }, [isUnsaved, inDialog, dialog]);
}

/** Whether any form of the page has changes that are not saved. */
export function hasUnsaved(): boolean {
  return everywhere.size > 0;
}

interface Place {
  readonly pathname: string;
  readonly search: string;
}

/** Whether a form with changes is lost on the way from one address to another. */
export function losesUnsaved(from: Place, to: Place): boolean {
  if (from.pathname !== to.pathname) return everywhere.size > 0;
  return from.search !== to.search && inDialogs.size > 0;
}

/** Leaves the page without a question, because what was typed is of no use any more: its source was deleted, or its user signed out. */
export function forgetUnsaved(): void {
  everywhere.clear();
  inDialogs.clear();
}

/** Closes a dialog without a question: it has asked already, or its changes are saved. */
export function forgetInDialogs(): void {
  for (const form of inDialogs) everywhere.delete(form);
  inDialogs.clear();
}

/** Reloads the page without a question, because what is typed belongs to another session. */
export function reloadWithoutAsking(): void {
  forgetUnsaved();
  window.location.reload();
}

window.addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});
