import type { Bundle, ZObject } from 'zapier-platform-core';
import { callApi } from '../api';
import { contract, recordFields } from '../contract';
import { asText } from '../lead-input';

export const CONVERSATION_ID = {
  key: 'conversation_id',
  label: 'Conversation',
  required: true,
  search: 'find_conversation.id',
  helpText: 'The ID of a conversation, from the trigger or from the step **Find Conversation**.',
} as const;

/** No Idempotency-Key: it would drop the acceptance of a second request of the same visitor. Accepting again changes nothing. */
function changeHandoff(z: ZObject, bundle: Bundle, body: object) {
  const id = encodeURIComponent(String(bundle.inputData.conversation_id));
  return callApi(z, bundle, `/conversations/${id}/handoff`, { method: 'POST', body });
}

const output = {
  sample: contract.samples.conversation,
  outputFields: recordFields('conversation.handoff_accepted'),
};

export const acceptHandoff = {
  key: 'accept_handoff',
  noun: 'Handoff',
  display: {
    label: 'Accept Handoff',
    description: 'Takes over a conversation whose visitor waits for a person, so that you can reply.',
  },
  operation: {
    inputFields: [
      CONVERSATION_ID,
      {
        key: 'agent_name',
        label: 'Agent Name',
        helpText: 'Who answers the visitor. Empty: the name of the API key.',
      },
    ],
    perform: (z: ZObject, bundle: Bundle) => {
      const { agent_name } = bundle.inputData;
      const agent = agent_name ? { agent_name: asText(agent_name) } : {};
      return changeHandoff(z, bundle, { action: 'accept', ...agent });
    },
    ...output,
  },
};

export const endHandoff = {
  key: 'end_handoff',
  noun: 'Handoff',
  display: { label: 'End Handoff', description: 'Gives a conversation back to its channel.' },
  operation: {
    inputFields: [CONVERSATION_ID],
    perform: (z: ZObject, bundle: Bundle) => changeHandoff(z, bundle, { action: 'end' }),
    ...output,
  },
};
