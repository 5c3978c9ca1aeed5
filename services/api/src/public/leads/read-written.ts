import type { LeadWrittenRecord } from '@sluice/contract/lead';
import type { LeadDeps } from '@sluice/leads/deps';
import type { FirstAnswer, PublicResult } from '../declare-route.ts';
import { answerLead, NO_LEAD } from './answer-written.ts';

/** Reads the lead of an earlier answer again, for a replay. */
export async function readWritten(
  { leads }: LeadDeps,
  accountId: string,
  { target, status }: FirstAnswer,
): Promise<PublicResult<LeadWrittenRecord>> {
  const lead = await leads.findLead(accountId, target);
  return lead === undefined ? NO_LEAD : answerLead(lead, status);
}
