import type { Bundle, ZObject } from 'zapier-platform-core';
import { callApi } from '../api';
import { contract, recordFields } from '../contract';
import { idempotencyHeader, RUN_FIELD } from '../idempotency-key';
import { LEAD_ID } from '../lead-input';

/**
 * Has no Idempotency-Key by default, because it would drop a second move after the lead was moved back by hand. A repeat stores at
 * most its note a second time, and not even that where the run has a name.
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
      {
        ...RUN_FIELD,
        helpText:
          'Map the ID of the trigger here, so that a repeated run keeps its note once. Sluice then runs the step once for the same Zap, input and run ID within 24 hours.',
      },
    ],
    perform: (z: ZObject, bundle: Bundle) => {
      const { lead_id, stage, note, run_id } = bundle.inputData;
      return callApi(z, bundle, `/leads/${encodeURIComponent(String(lead_id))}/stage`, {
        method: 'POST',
        ...(note && run_id ? { headers: idempotencyHeader('move_lead', bundle) } : {}),
        body: { stage, ...(note ? { note } : {}) },
      });
    },
    sample: contract.samples.lead,
    outputFields: recordFields('lead.stage_changed'),
  },
};
