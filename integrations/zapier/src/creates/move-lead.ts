import type { Bundle, ZObject } from 'zapier-platform-core';
import { callApi } from '../api';
import { contract, recordFields } from '../contract';
import { LEAD_ID } from '../lead-input';

/**
 * Needs no Idempotency-Key, which would drop a second move after the lead was moved back by hand. A repeat stores at most its note
 * a second time.
 */
export const moveLead = {
  key: 'move_lead',
  noun: 'Lead',
  display: { label: 'Move Lead to Stage', description: 'Moves a lead to another pipeline stage.' },
  operation: {
    inputFields: [
      LEAD_ID,
      { key: 'stage', label: 'Stage', required: true, dynamic: 'stages.id.name' },
      {
        key: 'note',
        label: 'Note',
        type: 'text' as const,
        helpText: 'Is kept in the history of the lead, also if it is in that stage already.',
      },
    ],
    perform: (z: ZObject, bundle: Bundle) => {
      const { lead_id, stage, note } = bundle.inputData;
      return callApi(z, bundle, `/leads/${encodeURIComponent(String(lead_id))}/stage`, {
        method: 'POST',
        body: { stage, ...(note ? { note } : {}) },
      });
    },
    sample: contract.samples.lead,
    outputFields: recordFields('lead.stage_changed'),
  },
};
