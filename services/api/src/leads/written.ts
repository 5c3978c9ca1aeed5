import { NOTHING_IDENTIFIES } from '@sluice/contract/lead';
import { LEAD_MAX } from '@sluice/contract/lead-limits';
import type { FieldError } from '@sluice/contract/problem';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { done, notFound, type Refusal, type Result, refuse } from '../http/result.ts';
import { describeLeadItem } from './describe-lead-item.ts';
import { storedLead, type Written, type WrongValue } from './stored-lead.ts';

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

/** Describes what is wrong with a field of a lead that has the right form. `field` is null if several are concerned. */
export function wrongField(written: WrongValue): { readonly field: string | null; readonly detail: string } {
  switch (written.status) {
    case 'external_id_taken':
      return {
        field: 'external_id',
        detail: `The lead ${written.by} has this external ID. Choose another one.`,
      };
    case 'unknown_stage':
      return { field: 'stage', detail: 'This stage is gone, or is being retired. Choose another one.' };
    case 'nothing_identifies':
      return { field: null, detail: NOTHING_IDENTIFIES };
    case 'too_many_fields':
      return { field: 'fields', detail: `More than ${LEAD_MAX.fields} custom fields. Remove some.` };
  }
}

function invalid(errors: readonly FieldError[]): Refusal {
  return refuse('validation_failed', errors.map(({ detail }) => detail).join(' '), { errors });
}
