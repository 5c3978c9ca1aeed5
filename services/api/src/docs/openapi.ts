import { accepted, problem } from '@sluice/contract/api/public-api';
import { WEBHOOK_PATH } from '@sluice/contract/delivery/webhook-path';
import { requestSchema } from '@sluice/contract/event/request-schema';
import { WEBHOOK_PROBLEMS } from '@sluice/contract/problem/problem';
import { type JsonSchema, jsonSchemaOf } from '../http/json-schema.ts';
import type { PublicRoute } from '../public/layer/declare-route.ts';
import { signedCurl } from './curl.ts';
import { EXAMPLES, problemExamples } from './examples.ts';
import { MESSAGES_TAG, messageOperations } from './message-operations.ts';
import { namedSchemas } from './named-schemas.ts';
import { publicOperations } from './public-operations.ts';
import { content, header, problemResponses, RATE_HEADERS } from './responses.ts';

const WEBHOOK_ROUTE = `${WEBHOOK_PATH}{source_id}`;

export interface Addresses {
  readonly eventsUrl: string;
  readonly apiUrl: string;
}

/** The OpenAPI 3.1 description of webhook and public API, made from the schemas that validate and the declared routes. */
export function openApiDocument({ eventsUrl, apiUrl }: Addresses, routes: readonly PublicRoute[]) {
  const { paths, schemas } = publicOperations(routes, apiUrl);
  const messages = messageOperations();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version: '1',
      description:
        'Receives signed webhooks, durably and in order. Automation platforms read and change the data with API keys.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiUrl }],
    tags: [
      {
        name: 'Webhook',
        description: 'Senders call this. Each source has an endpoint URL and a signing secret.',
      },
      ...tagsOf(routes),
      MESSAGES_TAG,
    ],
    paths: {
      [WEBHOOK_ROUTE]: { servers: [{ url: eventsUrl }], post: webhookOperation(eventsUrl) },
      ...paths,
    },
    webhooks: messages.webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key from the dashboard (Settings, API Keys): `Authorization: Bearer slc_live_…`.',
        },
      },
      schemas: {
        WebhookRequest: jsonSchemaOf(requestSchema, 'input'),
        Accepted: jsonSchemaOf(accepted, 'output'),
        ...namedSchemas(),
        ...schemas,
        ...messages.schemas,
        Problem: jsonSchemaOf(problem, 'output'),
      } as Readonly<Record<string, JsonSchema>>,
      examples: problemExamples(),
    },
  };
}

const TAGS: Readonly<Record<PublicRoute['tag'], string>> = {
  'Public API': 'Automation platforms call this with an API key.',
  Leads: 'The people that an account is in contact with, and their pipeline stages.',
  Conversations: 'Conversations of the channels, their messages, and handoff sessions.',
  Events: 'The events that the sources have sent. Sources write them; this API reads them.',
  'Webhook subscriptions': 'Where changes are sent to.',
};

function tagsOf(routes: readonly PublicRoute[]) {
  return [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] }));
}

function webhookOperation(eventsUrl: string) {
  const { body, response } = EXAMPLES.sendEvent ?? {};
  return {
    operationId: 'sendEvent',
    // The signature is in two headers, which OpenAPI has no scheme for.
    security: [],
    tags: ['Webhook'],
    summary: 'Send an event',
    description:
      'Create or update (`upsert`), `cancel` or `delete` an event. Sign `<timestamp>.<raw body>` with HMAC-SHA256. The key is ' +
      'the whole signing secret, including `whsec_`. Sending the same signed request twice has one effect. A 200 means that the ' +
      'event is stored and will be applied in order. `cancel` and `delete` read only `title`, `starts_at` and `location`. In an ' +
      'optional field, null counts as absent. On 429 and 503 wait for `Retry-After`, then send the ' +
      'same request again: the same bytes, timestamp and signature. Sign it again only if it is more than five minutes old.',
    parameters: [
      parameter('source_id', 'path', 'Last part of the endpoint URL, as shown in the dashboard.'),
      parameter(
        'X-Service-Timestamp',
        'header',
        'Current Unix time in seconds, as decimal digits; at most 300 seconds off.',
      ),
      parameter('X-Service-Signature', 'header', '`sha256=` and the lower-case hex of the HMAC.'),
      {
        ...parameter(
          'Prefer',
          'header',
          '`wait=N`: respond once the action is applied, with `outcome` and `event_id`, within N seconds (at most 5).',
        ),
        required: false,
      },
    ],
    requestBody: { required: true, content: content('application/json', 'WebhookRequest', body) },
    responses: {
      200: {
        description: 'Accepted.',
        headers: {
          ...RATE_HEADERS,
          'Preference-Applied': header('`wait=N`: the action was applied in time.'),
        },
        content: content('application/json', 'Accepted', response),
      },
      // openapi.json has always named it first.
      ...problemResponses([...new Set(['bad_request' as const, ...WEBHOOK_PROBLEMS])]),
    },
    'x-codeSamples': [signedCurl(eventsUrl)],
  };
}

function parameter(name: string, place: 'path' | 'header', description: string) {
  return { name, in: place, required: true, description, schema: { type: 'string' } };
}
