import { createLeadDeps, type LeadDeps } from '@sluice/leads/deps';
import type { Store } from '@sluice/store/connect';
import { type CommandFailure, failed } from '../exit-codes.ts';
import type { Stack } from '../stack.ts';

/** The dependencies of changes of leads. Throws if a store is away, before anything is changed. */
export async function leadChanges(stack: Stack, now: () => number): Promise<LeadDeps> {
  return (await stack.recordChanges(now)).leadDeps;
}

/** The dependencies of reads of leads. They need no Redis. */
export function leadReads(store: Store, now: () => number): LeadDeps {
  const told = () => {
    throw new Error('a read of leads made a change');
  };
  return createLeadDeps(store, { teller: { told }, now });
}

/** The account of a lead. Throws the error for an unknown lead. */
export async function accountOfLead({ recordAccount }: Store, leadId: string): Promise<string> {
  const accountId = await recordAccount.findAccountOf('leads', leadId);
  if (accountId === undefined) throw noSuchLead(leadId);
  return accountId;
}

/** The error for an unknown or erased lead. */
export function noSuchLead(leadId: string): CommandFailure {
  return failed(`There is no lead ${leadId}. See: sluice lead list`);
}
