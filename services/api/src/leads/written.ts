import type { FieldError } from '@sluice/contract/problem';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { type Written, wrongField } from '@sluice/leads/wrong-field';
import { done, notFound, type Refusal, type Result, refuse } from '../http/result.ts';
import { describeLeadItem } from './describe-lead-item.ts';
import { storedLead } from './stored-lead.ts';

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
