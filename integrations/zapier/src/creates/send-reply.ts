import type { Bundle, ZObject } from 'zapier-platform-core';
import { callApi } from '../api';
import { contract } from '../contract';
import { idempotencyHeader, RUN_FIELD } from '../idempotency-key';

export const sendReply = {
  key: 'send_reply',
  noun: 'Reply',
  display: {
    label: 'Send Reply',
    description: 'Replies to the visitor of a conversation while an agent has taken over.',
  },
  operation: {
    inputFields: [
      {
        key: 'conversation_id',
        label: 'Conversation',
        required: true,
        search: 'find_conversation.id',
        helpText: 'The ID of a conversation, from the trigger or from the step **Find Conversation**.',
      },
      { key: 'text', label: 'Text', type: 'text' as const, required: true },
      { key: 'author_name', label: 'Author Name', helpText: 'The name that the visitor sees.' },
      RUN_FIELD,
    ],
    perform: (z: ZObject, bundle: Bundle) => {
      const { conversation_id, text, author_name } = bundle.inputData;
      return callApi(z, bundle, `/conversations/${encodeURIComponent(String(conversation_id))}/messages`, {
        method: 'POST',
        headers: idempotencyHeader('send_reply', bundle),
        body: { text, ...(author_name ? { author_name } : {}) },
      });
    },
    sample: { ...contract.samples.message, author: 'agent', delivery: 'pending' },
    outputFields: [
      { key: 'id', label: 'ID' },
      { key: 'conversation_id', label: 'Conversation ID' },
      { key: 'text', label: 'Text' },
      { key: 'author_name', label: 'Author name' },
      { key: 'delivery', label: 'Delivery' },
      { key: 'created_at', label: 'Created at', type: 'datetime' as const },
    ],
  },
};
