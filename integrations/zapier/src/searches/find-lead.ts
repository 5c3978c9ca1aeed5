import type { Bundle, ZObject } from 'zapier-platform-core';
import { contract, recordFields } from '../contract';
import { find } from './find';

const INPUTS = {
  id: 'lead_id',
  identities: ['email', 'phone', 'external_id'],
  others: ['q', 'stage', 'tag'],
};

export const findLead = {
  key: 'find_lead',
  noun: 'Lead',
  display: {
    label: 'Find Lead',
    description: 'Finds a lead by email, phone, external ID or words. The newest match comes first.',
  },
  operation: {
    inputFields: [
      { key: 'email', label: 'Email' },
      { key: 'phone', label: 'Phone' },
      { key: 'external_id', label: 'External ID' },
      {
        key: 'q',
        label: 'Words',
        helpText: 'Beginnings of words in name, company and email, or the first digits of the phone number.',
      },
      { key: 'stage', label: 'Stage', dynamic: 'stages.id.name' },
      { key: 'tag', label: 'Tag' },
      { key: 'lead_id', label: 'Lead ID', helpText: 'With an ID, the other fields are ignored.' },
    ],
    perform: (z: ZObject, bundle: Bundle) => find(z, bundle, '/leads', INPUTS),
    sample: contract.samples.lead,
    outputFields: recordFields('lead.created'),
  },
};
