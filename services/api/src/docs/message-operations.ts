import { EVENT_KINDS, type EventKind, messageSchema } from '@sluice/contract/message/event-kinds';
import { type JsonSchema, jsonSchemaOf } from '../http/json-schema.ts';
import { madeUpMessage } from '../public/webhooks/event-kinds.ts';
import { NAMED } from './named-schemas.ts';

/** The tag of the messages that Sluice sends. */
export const MESSAGES_TAG = {
  name: 'Messages',
  description:
    'Sluice sends these to webhook subscriptions and to the reply URLs of channels, signed by Standard Webhooks 1.0.',
};

/** One message of the section `webhooks`. */
export interface MessageOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly [];
  readonly parameters: readonly object[];
  readonly requestBody: {
    readonly required: true;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>;
  };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** The section `webhooks` of the document: every kind of message with its schema and a sample, and the schemas it names. */
export function messageOperations(): {
  readonly webhooks: Readonly<Record<string, { readonly post: MessageOperation }>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
} {
  return {
    webhooks: Object.fromEntries(EVENT_KINDS.map((kind) => [kind.kind, { post: operationOf(kind) }])),
    schemas: {
      ...Object.fromEntries(
        EVENT_KINDS.map((kind) => [
          schemaName(kind),
          jsonSchemaOf(messageSchema(kind), 'output', { named: NAMED }),
        ]),
      ),
      WebhookMessage: anyMessage(),
    },
  };
}

/** A message of any kind. Its `type` tells which. */
function anyMessage(): JsonSchema {
  const refs = EVENT_KINDS.map((kind) => [kind.kind, `#/components/schemas/${schemaName(kind)}`] as const);
  return {
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(refs) },
    description: 'A message of any event kind. Its `type` is the event kind.',
  };
}

/** `lead.stage_changed` becomes `LeadStageChangedMessage`. */
function schemaName({ kind }: EventKind): string {
  const words = kind.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Message`;
}

function operationOf(kind: EventKind): MessageOperation {
  const name = schemaName(kind);
  return {
    operationId: `receive${name}`,
    tags: [MESSAGES_TAG.name],
    summary: kind.name,
    description: kind.sentence,
    // Signed by headers, which OpenAPI has no scheme for.
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${name}` },
          example: JSON.parse(madeUpMessage(kind.kind, 'acc_sample')),
        },
      },
    },
    responses: RESPONSES,
  };
}

function header(name: string, required: boolean, description: string) {
  return { name, in: 'header', required, description, schema: { type: 'string' } };
}

const HEADERS = [
  header('webhook-id', true, 'The id of the message, the same at every attempt.'),
  header('webhook-timestamp', true, 'Unix time of the attempt in seconds, as decimal digits.'),
  header(
    'webhook-signature',
    true,
    '`v1,` and the Base64 of the HMAC-SHA256 of `<id>.<timestamp>.<raw body>`. During the overlap of a rotation, several with one space between.',
  ),
  header('webhook-redelivery', false, '`1`: someone has asked to send this message again.'),
  header('webhook-test', false, '`1`: a test. The record is made up.'),
];

const RESPONSES = {
  '2XX': { description: 'Delivered. The body is ignored.' },
  '410': { description: 'The subscription is removed.' },
  '429': { description: 'All its messages wait for `Retry-After`, at most a day. So does 503.' },
  default: { description: 'Failed. The message is tried again for 76 hours.' },
};
