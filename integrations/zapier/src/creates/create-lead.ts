import type { Bundle, ZObject } from 'zapier-platform-core';
import { callApi } from '../api';
import { contract, recordFields } from '../contract';
import { idempotencyHeader, RUN_FIELD } from '../idempotency-key';
import { leadBody, leadInputs } from '../lead-input';

export const createLead = {
  key: 'create_lead',
  noun: 'Lead',
  display: { label: 'Create Lead', description: 'Creates a lead, even if there is one with the same email.' },
  operation: {
    inputFields: [...leadInputs, RUN_FIELD],
    perform: (z: ZObject, bundle: Bundle) =>
      callApi(z, bundle, '/leads', {
        method: 'POST',
        headers: idempotencyHeader('create_lead', bundle),
        body: leadBody(bundle),
      }),
    sample: contract.samples.lead,
    outputFields: recordFields('lead.created'),
  },
};
