import { createContext, useContext, useEffect } from 'react';

/** The unsaved forms inside a dialog or drawer. It asks before Escape or a click outside loses them. */
export const UnsavedInDialog = createContext<Set<symbol> | null>(null);

const everywhere = new Set<symbol>();

/** While a form has changes that are not saved, the browser asks before it leaves, and so does the dialog around it. */
export function useUnsaved(isUnsaved: boolean): void {
  const dialog = useContext(UnsavedInDialog);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const form = Symbol('unsaved form');
    everywhere.add(form);
    dialog?.add(form);
    return () => {
      everywhere.delete(form);
      dialog?.delete(form);
    };
  }, [isUnsaved, dialog]);
}

/** Whether any form of the page has changes that are not saved. */
export function hasUnsaved(): boolean {
  return everywhere.size > 0;
}

/** Reloads the page without a question, because what is typed belongs to another session. */
export function reloadWithoutAsking(): void {
  everywhere.clear();
  window.location.reload();
}

window.addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});
