import type { LeadWrittenRecord } from '@sluice/contract/lead/lead';
import { type Written, type WrongValue, wrongField } from '@sluice/leads/change/wrong-field';
import type { LeadDeps } from '@sluice/leads/deps';
import { describeLead } from '@sluice/leads/fields/describe-lead';
import type { Lead } from '@sluice/store/leads/lead-document';
import { type Refusal, refuse } from '../../http/result.ts';
import { storedLead } from '../../leads/written.ts';
import type { FirstAnswer, PublicResult, SuccessStatus } from '../layer/declare-route.ts';

export const NO_LEAD = refuse('not_found', 'This account has no lead with this id.');

/** The response to a write of a lead. The change names its doer, so publishing writes its audit entry. */
export function answerWritten(
  written: Written,
  { mayRead }: { readonly mayRead: boolean },
): PublicResult<LeadWrittenRecord> {
  const stored = storedLead(written, {
    gone: NO_LEAD,
    changedMeanwhile:
      'The lead was changed after you read it. Read it again, then send the change with the new ETag.',
    wrongValue: (wrong) => refuseValue(wrong, mayRead),
  });
  if (stored.outcome === 'refused') return stored;
  const { status, lead } = stored;
  return answerLead(lead, status === 'created' ? 201 : 200);
}

/** A lead as the response to a write. */
function answerLead(lead: Lead, status: SuccessStatus) {
  return {
    outcome: 'done',
    body: describeLead(lead) as LeadWrittenRecord,
    status,
    revision: lead.revision,
    target: lead.lead_id,
  } as const;
}

function refuseValue(wrong: WrongValue, mayRead: boolean): Refusal {
  switch (wrong.status) {
    case 'external_id_taken': {
      const holder = mayRead ? `The lead ${wrong.by}` : 'Another lead of the account';
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
      const { field, detail } = wrongField(wrong);
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

/** Reads the lead of an earlier answer again, for a replay. */
export async function readWritten(
  { leads }: LeadDeps,
  accountId: string,
  { target, status }: FirstAnswer,
): Promise<PublicResult<LeadWrittenRecord>> {
  const lead = await leads.findLead(accountId, target);
  return lead === undefined ? NO_LEAD : answerLead(lead, status);
}
