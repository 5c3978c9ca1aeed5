import type { FieldError } from '@sluice/contract/problem/problem';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { type StoredLead, type Written, type WrongValue, wrongField } from '@sluice/leads/change/wrong-field';
import { describeLead } from '@sluice/leads/fields/describe-lead';
import type { Lead } from '@sluice/store/leads/lead-document';
import { done, notFound, type Refusal, type Result, refuse } from '../http/result.ts';

/** The response to a create or a change. `at`: the pointer to the lead's fields in the body. */
export function answerWritten(written: Written, at = ''): Result<LeadItem> {
  const stored = storedLead(written, {
    gone: notFound('lead'),
    changedMeanwhile: 'Another user changed this lead. Check the new values, then save again.',
    wrongValue(wrong) {
      const { field, detail } = wrongField(wrong);
      return invalid([{ pointer: field === null ? at : `${at}/${field}`, detail }]);
    },
  });
  return stored.outcome === 'refused' ? stored : done(describeLeadItem(stored.lead));
}

function invalid(errors: readonly FieldError[]): Refusal {
  return refuse('validation_failed', errors.map(({ detail }) => detail).join(' '), { errors });
}

/** A lead as the dashboard gets it: as the public API returns it, with its revision. */
export function describeLeadItem(lead: Lead): LeadItem {
  return { ...describeLead(lead), revision: lead.revision };
}

/** The texts of rejections: a person in the dashboard reads others than the author of a program. */
interface LeadRefusals {
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
