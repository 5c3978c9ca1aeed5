import { describeLead } from '@sluice/leads/describe-lead';
import { type Written, wrongField } from '@sluice/leads/wrong-field';
import type { Lead } from '@sluice/store/leads/lead-document';
import { failed } from '../exit-codes.ts';
import type { Row } from '../output.ts';
import { noSuchLead } from './lead-access.ts';

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
