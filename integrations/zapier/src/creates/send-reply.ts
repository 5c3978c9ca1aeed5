import type { Bundle, ZObject } from 'zapier-platform-core';
import { callApi } from '../api';
import { contract } from '../contract';
import { idempotencyHeader, RUN_FIELD } from '../idempotency-key';
import { asText } from '../lead-input';
import { CONVERSATION_ID } from './handoff';

export const sendReply = {
  key: 'send_reply',
  noun: 'Reply',
  display: {
    label: 'Send Reply',
    description: 'Replies to the visitor of a conversation while its handoff is active.',
  },
  operation: {
    inputFields: [
      CONVERSATION_ID,
      { key: 'text', label: 'Text', type: 'text' as const, required: true },
      { key: 'author_name', label: 'Author Name', helpText: 'The name that the visitor sees.' },
      RUN_FIELD,
    ],
    perform: (z: ZObject, bundle: Bundle) => {
      const { conversation_id, text, author_name } = bundle.inputData;
      return callApi(z, bundle, `/conversations/${encodeURIComponent(String(conversation_id))}/messages`, {
        method: 'POST',
        headers: idempotencyHeader('send_reply', bundle),
        body: { text: asText(text), ...(author_name ? { author_name: asText(author_name) } : {}) },
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
