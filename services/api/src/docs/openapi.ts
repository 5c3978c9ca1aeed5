import { PROBLEM_CONTENT_TYPE, PROBLEMS, type ProblemCode } from '@sluice/contract/problem';
import { accepted, IDENTITY_PATH, identity, problem } from '@sluice/contract/public-api';
import { requestSchema } from '@sluice/contract/request-schema';
import { WEBHOOK_PATH } from '@sluice/contract/webhook-path';
import { WEBHOOK_PROBLEMS } from '@sluice/contract/webhook-problems';
import { IDENTITY_PROBLEMS } from './identity-problems.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';

const WEBHOOK_ROUTE = `${WEBHOOK_PATH}{source_id}`;

export interface Addresses {
  readonly eventsUrl: string;
  readonly apiUrl: string;
}

/** The OpenAPI 3.1 description of webhook and public API, generated from the validating schemas. */
export function openApiDocument({ eventsUrl, apiUrl }: Addresses) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version: '1',
      description:
        'Receives signed event webhooks, durably and in order. Provides API keys for automation platforms.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiUrl }],
    tags: [
      {
        name: 'Webhook',
        description: 'Senders call this. Each source has an endpoint URL and a signing secret.',
      },
      { name: 'Public API', description: 'Automation platforms call this with an API key.' },
    ],
    paths: {
      [WEBHOOK_ROUTE]: { servers: [{ url: eventsUrl }], post: webhookOperation() },
      [IDENTITY_PATH]: { get: identityOperation() },
    },
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
        Identity: jsonSchemaOf(identity, 'output'),
        Problem: jsonSchemaOf(problem, 'output'),
      },
    },
  };
}

function webhookOperation() {
  return {
    operationId: 'sendEvent',
    tags: ['Webhook'],
    summary: 'Send an event',
    description:
      'Create or update (`upsert`), `cancel` or `delete` an event. Sign `<timestamp>.<raw body>` with HMAC-SHA256. The key is ' +
      'the whole signing secret, including `whsec_`. Sending the same signed request twice has one effect. A 200 means that the ' +
      'event is stored and will be applied in order. On 429 and 503 wait for `Retry-After`, then send the ' +
      'same request again: the same bytes, timestamp and signature. Sign it again only if it is more than five minutes old.',
    parameters: [
      parameter('source_id', 'path', 'Last part of the endpoint URL, as shown in the dashboard.'),
      parameter(
        'X-Service-Timestamp',
        'header',
        'Current Unix time in seconds, as decimal digits; at most 300 seconds off.',
      ),
      parameter('X-Service-Signature', 'header', '`sha256=` and the lower-case hex of the HMAC.'),
    ],
    requestBody: { required: true, content: content('application/json', 'WebhookRequest') },
    responses: {
      200: {
        description: 'Accepted.',
        headers: RATE_HEADERS,
        content: content('application/json', 'Accepted'),
      },
      ...problemResponses(WEBHOOK_PROBLEMS),
    },
  };
}

function identityOperation() {
  return {
    operationId: 'identify',
    tags: ['Public API'],
    summary: 'Check an API key',
    description:
      'Returns the account and the permissions of the key. Any live key works; no scope is needed.',
    security: [{ apiKey: [] }],
    responses: {
      200: {
        description: 'The key is live.',
        headers: RATE_HEADERS,
        content: content('application/json', 'Identity'),
      },
      ...problemResponses(IDENTITY_PROBLEMS),
    },
  };
}

function parameter(name: string, place: 'path' | 'header', description: string) {
  return { name, in: place, required: true, description, schema: { type: 'string' } };
}

const RATE_HEADERS = {
  'RateLimit-Policy': header('Quota and window in seconds, such as `"key";q=240;w=60`.'),
  RateLimit: header('Remaining requests (`r`), and seconds until the full quota is available again (`t`).'),
};

/** Statuses of responses with Retry-After. */
const RETRY_AFTER_STATUSES: ReadonlySet<number> = new Set([429, 503]);
const RETRY_AFTER = { 'Retry-After': header('How many seconds to wait before sending again.') };

function header(description: string) {
  return { description, schema: { type: 'string' } };
}

function content(type: string, schema: string): Record<string, { schema: JsonSchema }> {
  return { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}

/** One response per status, listing its codes. */
function problemResponses(codes: readonly ProblemCode[]) {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => PROBLEMS[code].status === status);
      const description = own.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' ');
      const headers = RETRY_AFTER_STATUSES.has(status) ? { headers: RETRY_AFTER } : {};
      return [status, { description, ...headers, content: content(PROBLEM_CONTENT_TYPE, 'Problem') }];
    }),
  );
}
