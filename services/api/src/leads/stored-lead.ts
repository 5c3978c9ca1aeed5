import type { StoredLead, Written, WrongValue } from '@sluice/leads/wrong-field';
import { type Refusal, refuse } from '../http/result.ts';

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
): ({ readonly outcome: 'stored' } & Pick<StoredLead, 'status' | 'lead'>) | Refusal {
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
