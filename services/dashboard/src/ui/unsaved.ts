import { createContext, useContext, useEffect, useState } from 'react';

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

/** Texts that their forms get back when they are shown again, by the name of the form. */
const drafts = new Map<string, string>();

/** A text that stays while the user is elsewhere in the dashboard. Only the browser asks before it is lost. */
export function useDraft(name: string): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(name) ?? '');
  const change = (typed: string) => {
    setText(typed);
    if (typed.trim() === '') drafts.delete(name);
    else drafts.set(name, typed);
  };
  return [text, change];
}

/** Forgets a draft that was sent, unless the user has typed on. */
export function forgetDraft(name: string, sent: string): boolean {
  return drafts.get(name) === sent && drafts.delete(name);
}

/** Whether anything that was typed is not saved. */
export function hasUnsaved(): boolean {
  return everywhere.size + drafts.size > 0;
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

/** Leaves the page without a question, because what was typed is of no use any more: its source was deleted. */
export function forgetForms(): void {
  everywhere.clear();
  inDialogs.clear();
}

/** The user has signed out, for example. */
export function forgetUnsaved(): void {
  forgetForms();
  drafts.clear();
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
