import type { Bundle, ZObject } from 'zapier-platform-core';
import { callApi } from '../api';
import { contract, recordFields } from '../contract';
import { idempotencyHeader, RUN_FIELD } from '../idempotency-key';
import { isFilled, leadBody, leadInputs } from '../lead-input';

/** Without a choice: the first of these that is filled in and has a lead. */
const MATCHES = ['external_id', 'email', 'phone'] as const;

function matchOn({ inputData }: Bundle): readonly string[] {
  const chosen = [inputData.match_on ?? []].flat().map(String);
  const filled = MATCHES.filter((name) => isFilled(inputData[name]));
  return chosen.length > 0 ? chosen : filled.length > 0 ? filled : ['email'];
}

/** Whether an input can find a lead. Sluice finds none by a phone number without digits, or with zeros alone. */
function canFind(name: string, value: unknown): boolean {
  return isFilled(value) && (name !== 'phone' || /[1-9]/.test(String(value).normalize('NFKC')));
}

/**
 * Needs no Idempotency-Key where a field finds the lead: the second of two equal requests changes nothing. Without a value to find
 * by, each request would create a lead.
 */
export const upsertLead = {
  key: 'upsert_lead',
  noun: 'Lead',
  display: {
    label: 'Create or Update Lead',
    description: 'Updates the lead with this email, phone or external ID, or creates it if there is none.',
  },
  operation: {
    inputFields: [
      {
        key: 'match_on',
        label: 'Match On',
        list: true,
        choices: { email: 'Email', phone: 'Phone', external_id: 'External ID' },
        helpText:
          'The fields that find an existing lead, the first first. Empty: each of them that is filled in.',
      },
      ...leadInputs,
      {
        ...RUN_FIELD,
        helpText:
          'Only if no field of **Match On** can find a lead, as a phone number without digits: Sluice then runs the step once for the same Zap, input and run ID within 24 hours. Map the ID of the trigger here to allow the same input twice.',
      },
    ],
    perform: (z: ZObject, bundle: Bundle) => {
      const names = matchOn(bundle);
      const finds = names.some((name) => canFind(name, bundle.inputData[name]));
      return callApi(z, bundle, '/leads', {
        method: 'POST',
        params: { match_on: names.join(',') },
        ...(finds ? {} : { headers: idempotencyHeader('upsert_lead', bundle) }),
        body: leadBody(bundle),
      });
    },
    sample: { ...contract.samples.lead, created: false },
    outputFields: [
      { key: 'created', label: 'Created', type: 'boolean' as const },
      ...recordFields('lead.created'),
    ],
  },
};
