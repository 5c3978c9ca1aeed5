import type { Bundle, ZObject } from 'zapier-platform-core';
import { contract, recordFields } from '../contract';
import { filledFilters, findById, findRecords } from './find';

const FILTERS = ['email', 'phone', 'external_id', 'q', 'stage', 'tag'];

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
    perform: (z: ZObject, bundle: Bundle) =>
      bundle.inputData.lead_id
        ? findById(z, bundle, '/leads', String(bundle.inputData.lead_id))
        : findRecords(z, bundle, '/leads', filledFilters(z, bundle, FILTERS)),
    sample: contract.samples.lead,
    outputFields: recordFields('lead.created'),
  },
};
