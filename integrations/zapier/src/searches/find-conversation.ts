import type { Bundle, ZObject } from 'zapier-platform-core';
import { contract, recordFields } from '../contract';
import { find } from './find';

const INPUTS = {
  id: 'conversation_id',
  identities: ['lead_id', 'external_id'],
  others: ['status', 'channel'],
};

export const findConversation = {
  key: 'find_conversation',
  noun: 'Conversation',
  display: {
    label: 'Find Conversation',
    description:
      'Finds a conversation by lead, status, channel or external ID. The newest match comes first.',
  },
  operation: {
    inputFields: [
      { key: 'lead_id', label: 'Lead', search: 'find_lead.id' },
      {
        key: 'status',
        label: 'Status',
        choices: {
          open: 'Open',
          handoff_requested: 'Handoff requested',
          handoff_active: 'Handoff active',
          closed: 'Closed',
        },
      },
      { key: 'channel', label: 'Channel', dynamic: 'channels.id.name' },
      { key: 'external_id', label: 'External ID', helpText: "The channel's ID of the conversation." },
      {
        key: 'conversation_id',
        label: 'Conversation ID',
        helpText: 'With an ID, the other fields are ignored.',
      },
    ],
    perform: (z: ZObject, bundle: Bundle) => find(z, bundle, '/conversations', INPUTS),
    sample: contract.samples.conversation,
    outputFields: recordFields('conversation.opened'),
  },
};
