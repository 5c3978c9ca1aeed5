import { DEFAULT_STAGES } from '@sluice/contract/lead/pipeline';
import { type EventKind, findEventKind } from '@sluice/contract/message/event-kinds';
import { SAMPLE_RECORDS as SAMPLES } from '@sluice/contract/message/event-samples';
import { sampleChange } from '@sluice/contract/message/outbound-text';
import { detailOfFields } from '@sluice/contract/problem/field-errors';
import { fixOf } from '@sluice/contract/problem/fixes';
import { PROBLEMS, type ProblemBody, type ProblemCode, problemBody } from '@sluice/contract/problem/problem';
import { describeKind, madeUpMessage } from '../public/webhooks/event-kinds.ts';

/** An example of an operation: a body to send, and the response to it. */
export interface OperationExample {
  readonly body?: unknown;
  readonly response?: unknown;
  /** The query of the request, with its question mark. */
  readonly query?: string;
}

const AT = '2026-12-01T17:00:00.000Z';
const { event, lead, conversation, message, reply } = SAMPLES;
const waiting = sampleChange('conversation.handoff_requested').data;
const KIND = 'lead.created';
const MESSAGE_ID = 'msg_00000000000000000000000000000001';

const page = (...data: readonly unknown[]) => ({ data, next_cursor: null, has_more: false });
const pageByChange = (...data: readonly unknown[]) => ({ ...page(...data), updated_until: AT });

const sentLead = { name: 'Ada Lovelace', email: 'ada@example.com', tags: ['fair'], fields: { budget: 5000 } };
const moved = { ...lead, stage: 'stg_won' };

const subscription = {
  id: 'sub_sample',
  target_url: 'https://hooks.example.com/1',
  events: ['lead.created', 'lead.stage_changed'],
  name: 'Tell sales',
  status: 'active',
  reason: null,
  reason_detail: null,
  paused_at: null,
  ordered: false,
  filter: { source_id: null, channel_id: null, stage: null },
  client: null,
  ephemeral: false,
  created_at: AT,
  updated_at: AT,
};
const withSecret = { ...subscription, secret: 'whsec_…' };

const attempt = {
  at: AT,
  duration_ms: 87,
  code: 'delivered',
  status: 200,
  detail: 'The receiver responded with 200.',
  response: 'ok',
  redelivery: false,
};
const delivery = {
  id: MESSAGE_ID,
  type: 'lead.created',
  status: 'delivered',
  attempts: [attempt],
  next_attempt_at: null,
  created_at: AT,
  updated_at: AT,
};

const named = (id: string, name: string) => ({ id, name, created_at: AT, updated_at: AT });
const erased = describeKind(findEventKind('lead.erased') as EventKind, 'acc_sample');

/** The values of the parameters in paths. */
export const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  eventId: event.id,
  leadId: lead.id,
  conversationId: conversation.id,
  webhookId: subscription.id,
  messageId: MESSAGE_ID,
  kind: KIND,
};

/** The examples by operation. test/api/reference-examples.test.ts compares each with its schema. */
export const EXAMPLES: Readonly<Record<string, OperationExample>> = {
  sendEvent: {
    body: {
      action: 'upsert',
      event: { title: 'Open evening', starts_at: '2027-03-01T18:00:00+01:00', location: 'Town hall' },
    },
    response: { ok: true, status: 'ok', delivery_id: 'dlv_00000000000000000000000000000001' },
  },
  identify: {
    response: {
      account: { id: 'acc_sample', name: 'Example school' },
      key: {
        id: 'key_sample',
        name: 'n8n',
        prefix: 'slc_live_4fT7',
        scopes: ['webhooks', 'write:leads'],
        created_at: AT,
        expires_at: null,
        last_used_at: null,
      },
    },
  },
  listEvents: { query: '?limit=50', response: pageByChange(event) },
  getEvent: { response: event },
  listLeads: { query: '?limit=50', response: pageByChange(lead) },
  createLead: {
    query: '?match_on=email',
    body: sentLead,
    response: { ...lead, ...sentLead, created: true },
  },
  listLeadFields: {
    response: [
      { key: 'email', label: 'Email', type: 'string', required: false, choices: null, read_only: false },
    ],
  },
  getLead: { response: lead },
  updateLead: { body: { company: 'Analytical Engines', note: null }, response: { ...lead, note: null } },
  moveLead: { body: { stage: 'stg_won', note: 'They signed' }, response: moved },
  listLeadHistory: {
    response: page({
      sequence: 2,
      kind: 'lead.stage_changed',
      at: AT,
      actor: { type: 'api_key', id: 'key_sample' },
      data: moved,
      previous: { stage: lead.stage },
      note: 'They signed',
    }),
  },
  listPipelineStages: { response: DEFAULT_STAGES.map((stage, position) => ({ ...stage, position })) },
  listConversations: { query: '?status=handoff_requested', response: pageByChange(waiting) },
  getConversation: { response: waiting },
  listMessages: { response: pageByChange({ ...message, updated_at: AT }) },
  sendReply: { body: { text: reply.text, author_name: reply.author_name }, response: reply },
  updateHandoff: {
    body: { action: 'accept', agent_name: 'Grace' },
    response: sampleChange('conversation.handoff_accepted').data,
  },
  listChannels: { response: pageByChange(named('chn_sample', 'Chat on the website')) },
  listSources: { response: pageByChange(named('src_sample', 'Booking platform')) },
  listWebhooks: { response: page(subscription) },
  createWebhook: {
    body: { target_url: subscription.target_url, events: subscription.events, name: subscription.name },
    response: withSecret,
  },
  deleteWebhookByUrl: { query: '?url=https%3A%2F%2Fhooks.example.com%2F1' },
  createWebhookStream: {
    body: { events: subscription.events, host: 'laptop' },
    response: { ...withSecret, name: 'sluice listen on laptop', target_url: `stream:${subscription.id}` },
  },
  getWebhook: { response: subscription },
  updateWebhook: {
    body: { events: ['lead.created'] },
    response: { ...subscription, events: ['lead.created'] },
  },
  rotateWebhookSecret: { body: { overlap: '24h' }, response: withSecret },
  streamWebhookMessages: {
    response: {
      headers: { 'webhook-id': MESSAGE_ID, 'webhook-timestamp': '1796144400', 'webhook-signature': 'v1,…' },
      body: madeUpMessage('lead.erased', 'acc_sample'),
    },
  },
  listWebhookDeliveries: { response: pageByChange(delivery) },
  redeliverWebhookMessage: {
    response: { ...delivery, status: 'pending', next_attempt_at: AT, leaves: 'now', note: 'It is sent now.' },
  },
  testWebhook: {
    body: { event: KIND },
    response: { message_id: MESSAGE_ID, status: 'delivered', detail: attempt.detail, attempt },
  },
  recoverWebhook: {
    body: { since: '2026-11-30T10:00:00Z' },
    response: {
      messages: 3,
      more: false,
      recovered_since: '2026-11-30T10:00:00.000Z',
      recovered_until: AT,
    },
  },
  listEventKinds: { query: '?q=erased', response: [erased] },
  listEventSamples: {
    query: '?limit=1',
    response: [JSON.parse(madeUpMessage('lead.created', 'acc_sample'))],
  },
};

const REQUEST_ID = 'b1946ac9-2c6d-4b8c-8d0c-3a5f5d1b7e10';
const CORRECT = 'Correct the fields named in errors.';
const WRONG = [{ pointer: '/email', detail: 'Not an e-mail address. Example: "ada@example.com"' }];

/** One problem for each code, as `components.examples` of the document. */
export function problemExamples(): Readonly<Record<string, { readonly value: ProblemBody }>> {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }]));
}

function problemExample(code: ProblemCode): ProblemBody {
  if (code === 'validation_failed')
    return problemBody(code, detailOfFields(CORRECT, WRONG), REQUEST_ID, WRONG);
  return problemBody(code, fixOf(code) ?? PROBLEMS[code].title, REQUEST_ID);
}
