import type { LeadField } from '@sluice/contract/lead/lead';
import { DEFAULT_STAGES } from '@sluice/contract/lead/pipeline';
import type { ChangeKind } from '@sluice/contract/message/event-kinds';
import { EVENT_KINDS, type EventKind, messageSchema } from '@sluice/contract/message/event-kinds';
import { sampleChange } from '@sluice/contract/message/outbound-text';
import { openApiDocument } from '../docs/openapi.ts';
import { type JsonSchema, jsonSchemaOf } from '../http/json-schema.ts';
import { describeFields } from '../public/leads/read-leads.ts';
import { PUBLIC_ROUTES } from '../public/routes.ts';
import { madeUpMessage } from '../public/webhooks/event-kinds.ts';

const CONTRACT = 'integrations/contract';

/** The addresses of an installation on the own machine. */
const ADDRESSES = { eventsUrl: 'http://localhost:8080', apiUrl: 'http://localhost:8081' };

/** The generated files, by their path from the root of the repository. */
export function contractFiles(): Readonly<Record<string, string>> {
  return {
    [`${CONTRACT}/openapi.json`]: text(openApiDocument(ADDRESSES, PUBLIC_ROUTES)),
    [`${CONTRACT}/contract.json`]: text(integrationContract()),
  };
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** One event kind, for menus and mappings of an automation platform. */
interface KindOfContract {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The scope that real samples need. null: none. */
  readonly read_scope: string | null;
  /** The fields of a message, in their order. */
  readonly fields: readonly MessageField[];
  /** A made-up message, in the form of a delivery. */
  readonly sample: unknown;
}

/** The facts that an integration needs without asking an API server. */
interface IntegrationContract {
  readonly event_kinds: readonly KindOfContract[];
  /** The fields of a lead of an account without custom fields. */
  readonly lead_fields: readonly LeadField[];
  /** Made-up records, as the API returns them. */
  readonly samples: Readonly<Record<'lead' | 'conversation' | 'message' | 'event', unknown>>;
}

/** The contract of the integrations, made from the schemas and samples that deliveries use. */
function integrationContract(): IntegrationContract {
  return {
    event_kinds: EVENT_KINDS.filter(({ subscribable }) => subscribable).map(describe),
    lead_fields: describeFields({ stages: [...DEFAULT_STAGES], custom_fields: [] }),
    samples: {
      lead: recordOf('lead.updated'),
      conversation: recordOf('conversation.handoff_ended'),
      message: recordOf('conversation.message_received'),
      event: recordOf('event.updated'),
    },
  };
}

function describe(kind: EventKind): KindOfContract {
  return {
    id: kind.kind,
    name: kind.name,
    description: kind.sentence,
    read_scope: kind.readScope,
    fields: messageFields(kind),
    sample: JSON.parse(madeUpMessage(kind.kind, 'acc_sample')),
  };
}

/** The record of a sample. A message of a conversation contains its conversation only in deliveries. */
function recordOf(kind: ChangeKind): unknown {
  const { conversation: _, ...record } = sampleChange(kind).data as unknown as Record<string, unknown>;
  return record;
}

/** One field of a message, with its place. */
interface MessageField {
  /** The names from the message to the field, with a dot between them: `data.email`. */
  readonly key: string;
  readonly label: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'datetime' | 'array' | 'object';
}

/**
 * The fields of a message. An object with fixed keys is replaced by its fields. An object whose keys are data, such as
 * `fields` of a lead, is one field.
 */
function messageFields(kind: EventKind): MessageField[] {
  return fieldsOf(jsonSchemaOf(messageSchema(kind), 'output'), []);
}

function fieldsOf(schema: JsonSchema, path: readonly string[]): MessageField[] {
  const { properties } = notNull(schema) as { properties?: Record<string, JsonSchema> };
  if (properties === undefined)
    return [{ key: path.join('.'), label: labelOf(path), type: typeOf(notNull(schema)) }];
  return Object.entries(properties).flatMap(([name, inner]) => fieldsOf(inner, [...path, name]));
}

/** The schema of the value that is not null. */
function notNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema as { anyOf?: JsonSchema[] };
  return anyOf?.find(({ type }) => type !== 'null') ?? schema;
}

function typeOf({ type, format }: JsonSchema): MessageField['type'] {
  const [first] = [type].flat().filter((one) => one !== 'null');
  if (first === 'string') return format === 'date-time' ? 'datetime' : 'string';
  return (first as MessageField['type'] | undefined) ?? 'string';
}

/** `data.contact.name` becomes `Contact name`. The id of the message differs from that of the record. */
function labelOf(path: readonly string[]): string {
  if (path.join('.') === 'id') return 'Message ID';
  const named = path[0] === 'data' ? path.slice(1) : path;
  const words = named
    .join('_')
    .replaceAll('_', ' ')
    .replace(/\bid\b/g, 'ID')
    .replace(/\burl\b/g, 'URL');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
