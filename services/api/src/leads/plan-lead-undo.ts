import type { UntoldChange } from '@sluice/contract/change';
import type { LeadPatch } from '@sluice/contract/lead';
import { revertPatch } from './revert-patch.ts';

/** The effect of undoing an import on one of its leads. */
export type LeadUndoing =
  /** The import created the lead. */
  | { readonly outcome: 'erase' }
  | { readonly outcome: 'restore'; readonly patch: LeadPatch }
  /** Another change came after the import. */
  | { readonly outcome: 'left' }
  /** The import did not change it, or it is undone already. */
  | { readonly outcome: 'untouched' };

/**
 * Decides from the changes of a lead, newest first. `record`: the lead as the API returns it. An undo is a change of the same
 * import, so a repeated undo finds nothing to take back.
 */
export function planLeadUndo(
  record: Readonly<Record<string, unknown>>,
  changes: readonly UntoldChange[],
  importId: string,
): LeadUndoing {
  const isOfImport = ({ actor }: UntoldChange) => actor.import_id === importId;
  const other = changes.findIndex((change) => !isOfImport(change));
  const own = other === -1 ? changes : changes.slice(0, other);
  if (own.length < changes.filter(isOfImport).length) return { outcome: 'left' };
  if (own.length === 0) return { outcome: 'untouched' };
  if (own.at(-1)?.kind === 'lead.created') return { outcome: 'erase' };
  const patch = revertPatch(record, own);
  return Object.keys(patch).length === 0 ? { outcome: 'untouched' } : { outcome: 'restore', patch };
}
