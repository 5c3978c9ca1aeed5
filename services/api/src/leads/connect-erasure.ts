import { linkWaiting } from '@sluice/conversations/link-waiting';
import type { LeadDeps } from '@sluice/leads/deps';
import type { EraseDeps } from '@sluice/leads/erase-lead';
import type { Store } from '@sluice/store/connect';
import { createForgetOutside, type ForgetOutsideDeps } from './forget-outside.ts';

export interface ErasureDeps extends ForgetOutsideDeps {
  readonly store: Store;
  readonly leadDeps: LeadDeps;
  readonly onError: (error: unknown) => void;
}

/** The dependencies of the erasure of a lead, in the store and outside of it. */
export function connectErasure({
  store,
  leadDeps,
  onError,
  ...outside
}: ErasureDeps): EraseDeps & Pick<ErasureDeps, 'onError'> {
  return {
    ...store,
    ...leadDeps,
    linkWaiting: (lead) => linkWaiting({ ...store, leadDeps }, lead),
    forgetOutside: createForgetOutside(outside),
    onError,
  };
}
