import type { LeadWritten } from '@sluice/leads/change-lead';
import type { LeadCreated } from '@sluice/leads/create-lead';
import type { Lead } from '@sluice/store/lead-document';
import { type Refusal, refuse } from '../http/result.ts';

export type Written = LeadWritten | LeadCreated;

type Stored = Extract<Written, { readonly lead: Lead }>;
/** A value that the account cannot have, although its form is right. */
export type WrongValue = Exclude<
  Written,
  Stored | { readonly status: 'not_found' | 'erased' | 'changed_meanwhile' }
>;

/** The texts of rejections: a person in the dashboard reads others than the author of a program. */
export interface LeadRefusals {
  readonly gone: Refusal;
  readonly changedMeanwhile: string;
  readonly wrongValue: (written: WrongValue) => Refusal;
}

/** The lead that a create or a change has left, or the rejection. */
export function storedLead(
  written: Written,
  { gone, changedMeanwhile, wrongValue }: LeadRefusals,
): ({ readonly outcome: 'stored' } & Pick<Stored, 'status' | 'lead'>) | Refusal {
  switch (written.status) {
    case 'created':
    case 'changed':
    case 'unchanged':
      return { outcome: 'stored', status: written.status, lead: written.lead };
    case 'not_found':
    case 'erased':
      return gone;
    case 'changed_meanwhile':
      return refuse('changed_meanwhile', changedMeanwhile);
    default:
      return wrongValue(written);
  }
}
