import type { LeadWrittenRecord } from '@sluice/contract/lead';
import type { LeadWritten } from '@sluice/leads/change-lead';
import type { LeadCreated } from '@sluice/leads/create-lead';
import { describeLead } from '@sluice/leads/describe-lead';
import type { Lead } from '@sluice/store/lead-document';
import { type Refusal, refuse } from '../../http/result.ts';
import { wrongField } from '../../leads/written.ts';
import type { PublicResult, SuccessStatus } from '../declare-route.ts';

export const NO_LEAD = refuse('not_found', 'This account has no lead with this id.');

type Written = LeadWritten | LeadCreated;
type Refused = Exclude<Written, { readonly status: 'created' | 'changed' | 'unchanged' }>;

/** The response to a write of a lead. Only a change has an audit entry, and no entry contains personal data. */
export function answerWritten(
  written: Written,
  { mayRead, action }: { readonly mayRead: boolean; readonly action: 'lead.changed' | 'lead.stage_changed' },
): PublicResult<LeadWrittenRecord> {
  switch (written.status) {
    case 'created':
    case 'changed': {
      const { lead } = written;
      const named = written.status === 'created' ? 'lead.created' : action;
      const deed = { action: named, target: { id: lead.lead_id, name: lead.lead_id } } as const;
      return { ...answerLead(lead, written.status === 'created' ? 201 : 200), deed };
    }
    case 'unchanged':
      return answerLead(written.lead, 200);
    default:
      return refusalOf(written, mayRead);
  }
}

/** A lead as the response to a write. */
export function answerLead(lead: Lead, status: SuccessStatus) {
  return {
    outcome: 'done',
    body: describeLead(lead) as LeadWrittenRecord,
    status,
    revision: lead.revision,
    target: lead.lead_id,
  } as const;
}

function refusalOf(written: Refused, mayRead: boolean): Refusal {
  switch (written.status) {
    case 'not_found':
    case 'erased':
      return NO_LEAD;
    case 'changed_meanwhile':
      return refuse(
        'changed_meanwhile',
        'The lead was changed after you read it. Read it again, then send the change with the new ETag.',
      );
    case 'external_id_taken': {
      const holder = mayRead ? `The lead ${written.by}` : 'Another lead of the account';
      return withPointer(
        'external_id_taken',
        'external_id',
        `${holder} has this external_id. Use another one.`,
      );
    }
    case 'unknown_stage':
      return withPointer(
        'unknown_stage',
        'stage',
        'The account has no such stage, or retires it. GET /api/public/pipeline-stages lists the stages.',
      );
    default: {
      const { field, detail } = wrongField(written);
      return withPointer('validation_failed', field, detail);
    }
  }
}

function withPointer(
  code: 'external_id_taken' | 'unknown_stage' | 'validation_failed',
  field: string | null,
  detail: string,
): Refusal {
  return refuse(code, detail, { errors: [{ pointer: field === null ? '' : `/${field}`, detail }] });
}
