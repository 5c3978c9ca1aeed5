import type { ChangeKind } from '@sluice/contract/message/event-kinds';
import {
  EVENT_KINDS,
  type EventKind,
  findEventKind,
  messageSchema,
} from '@sluice/contract/message/event-kinds';
import { changeId, messageId } from '@sluice/contract/message/outbound-ids';
import { messageBody, outboundText, sampleChange } from '@sluice/contract/message/outbound-text';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import * as z from 'zod';
import { jsonSchemaOf } from '../../http/json-schema.ts';
import { refuse } from '../../http/result.ts';
import type { RouteDeps } from '../../parts.ts';
import { type PublicCall, publicRoute } from '../layer/declare-route.ts';
import { WEBHOOK_ROUTE } from './webhook-route.ts';

/**
 * The body of a made-up message, made as deliveries are. Messages with different `index` have different ids and times, because
 * platforms dedupe by the id.
 */
export function madeUpMessage(kind: ChangeKind, accountId: string, index = 0): string {
  const sample = sampleChange(kind);
  const at = sample.at - index * MINUTE_MS;
  const change = { ...sample, at, sequence: at * 1000 };
  const id = messageId(changeId('sample', change.sequence, kind), 'sample');
  return messageBody(id, outboundText(change, accountId));
}

/** An event kind, as the API returns it. */
export const kindRecord = z.object({
  id: z.string().meta({ description: 'As in `events` of a subscription.' }),
  name: z.string(),
  description: z.string(),
  read_scope: z.string().nullable().meta({ description: 'The scope that real samples need; null: none.' }),
  schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of a message.' }),
  sample: z.record(z.string(), z.unknown()).meta({ description: 'A made-up message.' }),
});

const query = z.strictObject({
  q: z.string().max(200).optional().meta({ description: 'A part of the id or name, without case.' }),
});

export const listEventKinds = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'GET',
  path: '/api/public/event-kinds',
  operationId: 'listEventKinds',
  summary: 'List the event kinds',
  description: 'Returns what a subscription can ask for: id, name, JSON Schema and a sample. For menus.',
  query,
  success: { 200: 'The event kinds.' },
  response: z.array(kindRecord),
  problems: [],
  async handler({ accountId, query: { q = '' } }: PublicCall<z.output<typeof query>>) {
    const part = q.trim().toLowerCase();
    const body = EVENT_KINDS.filter(({ subscribable }) => subscribable)
      .filter(({ kind, name }) => `${kind} ${name}`.toLowerCase().includes(part))
      .map((kind) => describeKind(kind, accountId));
    return { outcome: 'done', body };
  },
});

/** An event kind with its schema and sample. */
export function describeKind(kind: EventKind, accountId: string): z.output<typeof kindRecord> {
  return {
    id: kind.kind,
    name: kind.name,
    description: kind.sentence,
    read_scope: kind.readScope,
    schema: jsonSchemaOf(messageSchema(kind), 'output'),
    sample: JSON.parse(madeUpMessage(kind.kind, accountId)),
  };
}

const SAMPLES_MAX = 50;
const samplesQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d?$/, `Not a whole number from 1 to ${SAMPLES_MAX}.`)
    .transform(Number)
    .refine((count) => count <= SAMPLES_MAX, `Larger than ${SAMPLES_MAX}.`)
    .default(3)
    .meta({ parameter: { type: 'integer', minimum: 1, maximum: SAMPLES_MAX, default: 3 } }),
});
type SamplesCall = PublicCall<z.output<typeof samplesQuery>>;

export const eventSamples = publicRoute({
  ...WEBHOOK_ROUTE,
  method: 'GET',
  path: '/api/public/event-kinds/:kind/samples',
  operationId: 'listEventSamples',
  summary: 'Sample messages of an event kind',
  description:
    'Returns an array of whole messages in the form of their delivery: the newest real ones first, filled up with made-up ones. ' +
    'Real ones need the scope that reads the records. Changes are kept for 30 days from when a subscription collects them.',
  params: { kind: 'An event kind, such as `lead.created`.' },
  query: samplesQuery,
  success: { 200: 'The messages.' },
  response: z.array(z.record(z.string(), z.unknown())),
  problems: ['not_found'],
  async handler({ accountId, apiKey, params, query: { limit } }: SamplesCall, deps: RouteDeps) {
    const kind = findEventKind(params.kind as string);
    if (kind === undefined)
      return refuse('not_found', 'There is no such event kind. GET /api/public/event-kinds lists all.');
    const mayRead = kind.readScope === null || apiKey.scopes.includes(kind.readScope);
    const wanted = { account_id: accountId, kind: kind.kind, limit };
    const changes = mayRead ? await deps.outboundChanges.newestChanges(wanted) : [];
    const real = changes.map(({ change_id, text }) => messageBody(messageId(change_id, apiKey.key_id), text));
    const others = Array.from({ length: limit - real.length }, (_, index) =>
      madeUpMessage(kind.kind, accountId, index),
    );
    return { outcome: 'done', body: [...real, ...others].map((text) => JSON.parse(text)) };
  },
});
