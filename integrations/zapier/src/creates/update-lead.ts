import type { Bundle, ZObject } from 'zapier-platform-core';
import { callApi } from '../api';
import { contract, recordFields } from '../contract';
import { CLEAR_FIELD, LEAD_ID, leadInputs, leadPatch } from '../lead-input';

export const updateLead = {
  key: 'update_lead',
  noun: 'Lead',
  display: { label: 'Update Lead', description: 'Changes fields of a lead. Empty fields keep their value.' },
  operation: {
    inputFields: [LEAD_ID, ...leadInputs, CLEAR_FIELD],
    perform: (z: ZObject, bundle: Bundle) =>
      callApi(z, bundle, `/leads/${encodeURIComponent(String(bundle.inputData.lead_id))}`, {
        method: 'PATCH',
        body: leadPatch(bundle),
      }),
    sample: contract.samples.lead,
    outputFields: recordFields('lead.updated'),
  },
};
