import type { Actor } from '@sluice/contract/message/change';
import { type Written, wrongField } from '@sluice/leads/change/wrong-field';
import { createLeadDeps, type LeadDeps } from '@sluice/leads/deps';
import { describeLead } from '@sluice/leads/fields/describe-lead';
import type { Store } from '@sluice/store/connect';
import type { Lead } from '@sluice/store/leads/lead-document';
import { type CommandFailure, failed } from '../exit-codes.ts';
import type { Row } from '../output.ts';
import type { Stack } from '../stack.ts';

/** The dependencies of changes of leads. Throws if a store is away, before anything is changed. */
export async function leadChanges(stack: Stack, now: () => number): Promise<LeadDeps> {
  return (await stack.recordChanges(now)).leadDeps;
}

/** The dependencies of reads of leads. They need no Redis. */
export function leadReads(store: Store, now: () => number): LeadDeps {
  const publishSoon = () => {
    throw new Error('a read of leads made a change');
  };
  return createLeadDeps(store, { publisher: { publishSoon }, now });
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

/** The row of a lead, as the API returns it. */
export function leadRow(lead: Lead): Row {
  return describeLead(lead);
}

/** The lead after a create or change. Throws the failure that says what to do instead. */
export function storedLead(written: Written, leadId: string): Lead {
  switch (written.status) {
    case 'created':
    case 'changed':
    case 'unchanged':
      return written.lead;
    case 'not_found':
    case 'erased':
      throw noSuchLead(leadId);
    case 'changed_meanwhile':
      throw failed('The lead was changed meanwhile. Run this command again.');
    default:
      throw failed(wrongField(written).detail);
  }
}

/** The author of changes on the command line, which has no sign-in. The audit log also has the user and the host. */
export const CLI_ACTOR: Actor = { type: 'system', id: 'cli' };
