import type { ConversationRecord, MessageRecord } from '../conversation/conversation.ts';
import type { EventRecord } from '../event/event-record.ts';
import type { LeadRecord } from '../lead/lead.ts';

/** Made-up records. They have the form of real ones, so that menus made from them fit. */

export const SAMPLE_AT = '2026-12-01T17:00:00.000Z';
const BEFORE = '2026-11-30T09:30:00.000Z';

const event: EventRecord = {
  id: 'evt_00000000000000000000000000000001',
  source_id: 'src_sample',
  title: 'Open day',
  starts_at: '2026-12-12T09:00:00.000Z',
  ends_at: '2026-12-12T12:00:00.000Z',
  location: 'Main hall',
  description: 'Meet the teachers.',
  url: 'https://events.example.com/open-day',
  price: 'free',
  recurring: null,
  status: 'upcoming',
  external_id: 'booking-4711',
  origin: 'webhook',
  created_at: BEFORE,
  updated_at: SAMPLE_AT,
  deleted_at: null,
};

const lead: LeadRecord = {
  id: 'lead_sample',
  name: 'Ada Lovelace',
  company: 'Analytical Engines',
  email: 'ada@example.com',
  phone: '+49 30 901820',
  phone_e164: '+4930901820',
  stage: 'stg_contacted',
  external_id: 'crm-4711',
  tags: ['fair'],
  fields: { budget: 5000 },
  note: 'Met at the fair',
  origin: 'api',
  conversation_id: null,
  created_at: BEFORE,
  updated_at: SAMPLE_AT,
  stage_changed_at: SAMPLE_AT,
};

const message: MessageRecord = {
  id: 'cmsg_00000000000000000000000000000001',
  conversation_id: 'conv_00000000000000000000000000000001',
  external_id: 'm-7',
  author: 'visitor',
  author_name: 'Ada Lovelace',
  text: 'Is there a guided tour?',
  sent_at: SAMPLE_AT,
  created_at: SAMPLE_AT,
  delivery: null,
  delivery_reason: null,
};

const conversation: ConversationRecord = {
  id: message.conversation_id,
  channel_id: 'chn_sample',
  external_id: 'c-1042',
  status: 'open',
  subject: 'Question about the open day',
  language: 'en',
  contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: null },
  session: { page: '/open-day' },
  handoff: { requested_at: null, accepted_at: null, agent: null },
  last_message: {
    id: message.id,
    author: message.author,
    author_name: message.author_name,
    text: message.text,
    sent_at: message.sent_at,
  },
  lead_id: lead.id,
  created_at: BEFORE,
  updated_at: SAMPLE_AT,
};

const requested: ConversationRecord = {
  ...conversation,
  status: 'handoff_requested',
  handoff: { ...conversation.handoff, requested_at: SAMPLE_AT },
};

const accepted: ConversationRecord = {
  ...requested,
  status: 'handoff_active',
  handoff: {
    requested_at: BEFORE,
    accepted_at: SAMPLE_AT,
    agent: { type: 'member', id: 'usr_sample', name: 'Grace' },
  },
};

const reply: MessageRecord = { ...message, author: 'agent', author_name: 'Grace', delivery: 'pending' };

/** The records in these changes. The examples of the API reference show the same ones. */
export const SAMPLE_RECORDS = { event, lead, message, reply, conversation, requested, accepted } as const;
