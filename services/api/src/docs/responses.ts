import { PROBLEM_CONTENT_TYPE, PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import type { JsonSchema } from '../http/json-schema.ts';

export interface HeaderObject {
  readonly description: string;
  readonly schema: { readonly type: 'string' };
}

/** An OpenAPI response object. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

/** An OpenAPI media type object. */
export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

export function header(description: string): HeaderObject {
  return { description, schema: { type: 'string' } };
}

/** The content of a response or body: a named schema of the document, with an example. */
export function content(type: string, schema: string, example?: unknown): Record<string, MediaType> {
  return {
    [type]: {
      schema: { $ref: `#/components/schemas/${schema}` },
      ...(example !== undefined && { example }),
    },
  };
}

/** The content of a problem, with one named example for each code. */
function problemContent(codes: readonly ProblemCode[]): Record<string, MediaType> {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  return {
    [PROBLEM_CONTENT_TYPE]: {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(examples),
    },
  };
}

/** Headers of responses that count towards a rate. */
export const RATE_HEADERS = {
  'RateLimit-Policy': header('Quota and window in seconds, such as `"key";q=100;w=10`.'),
  RateLimit: header('Remaining requests (`r`), and seconds until the full quota is available again (`t`).'),
};

const RETRY_AFTER = header('How many seconds to wait before sending again.');
const AUTHENTICATE = header('`Bearer`, and what the key lacks (RFC 6750).');

/** Headers of problems, by status. Only the public API has those of 401 and 403. */
function problemHeaders(status: number, withKey: boolean, codes: readonly ProblemCode[]) {
  return {
    ...((status === 429 || status === 503 || codes.includes('idempotency_in_progress')) && {
      'Retry-After': RETRY_AFTER,
    }),
    ...(withKey && (status === 401 || status === 403) && { 'WWW-Authenticate': AUTHENTICATE }),
    ...(status === 405 && { Allow: header('The methods that the path accepts.') }),
  };
}

/** One response per status, listing its codes. `withKey`: the operation takes an API key. */
export function problemResponses(
  codes: readonly ProblemCode[],
  { withKey = false }: { readonly withKey?: boolean } = {},
): Record<string, ResponseObject> {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => PROBLEMS[code].status === status);
      const description = own.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' ');
      const headers = problemHeaders(status, withKey, own);
      const named = Object.keys(headers).length > 0 ? { headers } : {};
      return [status, { description, ...named, content: problemContent(own) }];
    }),
  );
}
