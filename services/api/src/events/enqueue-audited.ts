import type { Deed } from '@sluice/accounts/audit/audited';
import { knownChange } from '@sluice/accounts/audit/audited';
import type { Enqueued } from '@sluice/admission/enqueue/enqueue-actions';
import type { WantedAction } from '@sluice/admission/enqueue/wanted-action';
import type { Request } from 'express';
import type { Doer } from '../parts/audit.ts';
import type { RouteDeps } from '../parts.ts';

/** Admits and enqueues an action that a user asks for. It is audited once it is accepted. */
export async function enqueueAudited(
  { enqueueActions, audited }: RouteDeps,
  { who, request }: { readonly who: Doer; readonly request: Request },
  { sourceId, wanted, deed }: { sourceId: string; wanted: WantedAction; deed: Deed },
): Promise<Enqueued> {
  const work = async () => {
    const [enqueued] = await enqueueActions(sourceId, [wanted]);
    if (enqueued === undefined) throw new Error('no result for the action');
    return enqueued;
  };
  const change = knownChange(deed, work, ({ outcome }) => outcome === 'enqueued');
  return audited(who, request, change);
}
