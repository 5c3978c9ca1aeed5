import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import { type JsonSchema, jsonSchemaOf } from '../http/json-schema.ts';
import { type PublicRoute, successStatuses } from '../public/layer/declare-route.ts';
import { type CodeSample, curlOf } from './curl.ts';
import { EXAMPLES } from './examples.ts';
import { NAMED } from './named-schemas.ts';
import {
  content,
  header,
  type MediaType,
  problemResponses,
  RATE_HEADERS,
  type ResponseObject,
} from './responses.ts';

/** A parameter of an operation. */
interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** One operation of the document, in the form that the reference page shows. */
interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, MediaType>;
  };
  readonly responses: Readonly<Record<string, ResponseObject>>;
  /** A request to paste. Reference viewers show samples under this name. */
  readonly 'x-codeSamples': readonly CodeSample[];
}

type Paths = Record<string, Record<string, OperationObject>>;

/** The operations of the declared routes on the API server at `apiUrl`, and the schemas that they name. */
export function publicOperations(
  routes: readonly PublicRoute[],
  apiUrl: string,
): {
  readonly paths: Paths;
  readonly schemas: Record<string, JsonSchema>;
} {
  const paths: Paths = {};
  const schemas: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const name = route.operationId[0]?.toUpperCase() + route.operationId.slice(1);
    const { success } = route;
    if (Object.keys(success).some((status) => status !== '204') && !NAMED.has(route.response))
      schemas[`${name}Result`] = jsonSchemaOf(route.response, 'output', { named: NAMED });
    if (route.body !== undefined) schemas[`${name}Body`] = jsonSchemaOf(route.body, 'input');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, name, apiUrl) };
  }
  return { paths, schemas };
}

function operationOf(route: PublicRoute, name: string, apiUrl: string): OperationObject {
  const parameters = [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}${scopeSentence(route)}`,
    security: [{ apiKey: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body !== undefined && { requestBody: requestBody(route, name) }),
    responses: {
      ...successResponses(route, name),
      ...problemResponses(routeProblems(route), { withKey: true }),
      ...(route.query !== undefined && TOO_LONG),
    },
    'x-codeSamples': [curlOf(route, apiUrl)],
  };
}

/** Node's HTTP server rejects such a request before any route sees it, without a body. */
const TOO_LONG = { 431: { description: 'The query and the headers are over 16 KiB together.' } } as const;

function scopeSentence({ scopes }: PublicRoute): string {
  if (scopes === 'any_live_key') return '';
  return ` Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

function requestBody({ method, operationId }: PublicRoute, name: string) {
  const example = EXAMPLES[operationId]?.body;
  return {
    required: true,
    content: {
      ...content('application/json', `${name}Body`, example),
      ...(method === 'PATCH' && content('application/merge-patch+json', `${name}Body`, example)),
    },
  };
}

function pathParameters(route: PublicRoute): ParameterObject[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const description = route.params?.[name];
    if (description === undefined) throw new Error(`${route.operationId} does not describe ${name}`);
    return { name, in: 'path', required: true, description, schema: { type: 'string' } };
  });
}

function queryParameters({ query }: PublicRoute): ParameterObject[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(query, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...schema } = declaredIn(property);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description: String(description),
      schema,
    };
  });
}

function headerParameters({ readAgain, ifMatch, method, etag }: PublicRoute): ParameterObject[] {
  const optional = (name: string, description: string, schema: JsonSchema): ParameterObject => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...schema },
  });
  return [
    ...(readAgain === undefined
      ? []
      : [
          optional(
            'Idempotency-Key',
            'A value of your choice, for one request and its retries. For 24 hours the same request gets the same answer and has one effect.',
            { minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
          ),
        ]),
    ...(method === 'GET' && etag
      ? [optional('If-None-Match', 'The ETag that you read. If the record is still the same, 304.', {})]
      : []),
    ...(ifMatch
      ? [optional('If-Match', 'The ETag that you read. If the record changed since, 412.', {})]
      : []),
  ];
}

/** The name of the schema of a response. Not `…Response`: oapi-codegen adds types with such names. */
function responseName({ response }: PublicRoute, name: string): string {
  return NAMED.get(response) ?? `${name}Result`;
}

function successResponses(route: PublicRoute, name: string): Record<string, ResponseObject> {
  const headers = {
    ...(route.rated !== false && RATE_HEADERS),
    ...(route.etag && {
      ETag: header('The revision and the shape of the record, for If-Match and If-None-Match.'),
    }),
    ...(route.readAgain && { 'Idempotency-Replayed': header('`true` if this repeats an earlier answer.') }),
  };
  const located = route.recordsAt && { Location: header('The URL of the new record.') };
  const described = successStatuses(route).map((status): readonly [number, ResponseObject] => {
    const own = { ...headers, ...(status === 201 && located) };
    return [
      status,
      {
        description: route.success[status] as string,
        ...(Object.keys(own).length > 0 && { headers: own }),
        ...(status !== 204 && {
          content: content(
            route.streams ? 'text/event-stream' : 'application/json',
            responseName(route, name),
            EXAMPLES[route.operationId]?.response,
          ),
        }),
      },
    ];
  });
  const known = { description: 'The record still has the ETag of `If-None-Match`. No body.', headers };
  return Object.fromEntries([
    ...described,
    ...(route.method === 'GET' && route.etag ? [[304, known] as const] : []),
  ]);
}

/**
 * The JSON Schema of a query parameter. A parameter arrives as text and is parsed from it; the meta `parameter` of its
 * schema states the type that clients see.
 */
function declaredIn(property: Record<string, unknown>): Record<string, unknown> {
  const { parameter, ...rest } = property;
  if (typeof parameter !== 'object' || parameter === null) return rest;
  const { description } = rest;
  return { ...parameter, ...(description !== undefined && { description }) };
}

/** Every problem code that a route can respond with: its own, and those of the layer. */
function routeProblems(route: PublicRoute): readonly ProblemCode[] {
  const hasParams = route.path.includes(':');
  const hasInput = route.query !== undefined || route.method !== 'DELETE';
  const codes: ProblemCode[] = [
    'key_missing',
    'key_invalid',
    'key_revoked',
    'key_expired',
    ...some(route.scopes !== 'any_live_key', 'scope_missing'),
    ...some(route.rated !== false, 'rate_limited'),
    'method_not_allowed',
    ...some(hasParams, 'bad_request'),
    ...some(hasInput, 'validation_failed'),
    ...some(route.body !== undefined, 'malformed_json', 'payload_too_large', 'unsupported_media_type'),
    ...some(route.readAgain !== undefined, 'idempotency_in_progress', 'idempotency_key_reused'),
    ...some(route.ifMatch === true, 'changed_meanwhile'),
    ...route.problems,
    'unavailable',
    'internal_error',
  ];
  const unique = [...new Set(codes)];
  return unique.sort((a, b) => PROBLEMS[a].status - PROBLEMS[b].status);
}

function some(applies: boolean, ...codes: ProblemCode[]): ProblemCode[] {
  return applies ? codes : [];
}
