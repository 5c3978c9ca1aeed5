import type { Deed } from '@sluice/accounts/audit/audited';
import type { Doer } from '@sluice/contract/account/doer';
import type { Scope } from '@sluice/contract/account/scopes';
import type { ProblemCode } from '@sluice/contract/problem/problem';
import type { IdPrefix } from '@sluice/credentials/ids';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Request, Response } from 'express';
import type * as z from 'zod';
import type { Refusal } from '../../http/result.ts';
import type { RouteDeps } from '../../parts.ts';

export type PublicMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Any one of these scopes is enough. `any_live_key`: the route needs no scope. */
export type ScopesNeeded = readonly [Scope, ...Scope[]] | 'any_live_key';

export type SuccessStatus = 200 | 201 | 204;

/** The input of a handler, already checked. */
export interface PublicCall<Q = undefined, B = undefined, I extends IdPrefix = never> {
  readonly accountId: string;
  readonly apiKey: ApiKey;
  /** The author of a change, as records and messages name it. */
  readonly actor: { readonly type: 'api_key'; readonly id: string };
  /** The key, as the audit log shows it. */
  readonly doer: Doer;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  /** Ids for new records, by prefix. A repeat under the same Idempotency-Key gets the same ids. */
  readonly ids: Readonly<Record<I, string>>;
  /**
   * An earlier request with this Idempotency-Key died on the way, and may have made its records. A handler that creates
   * must look for `ids` first.
   */
  readonly isRepeat: boolean;
  /** The same for every request with one Idempotency-Key. Absent without the header. */
  readonly requestId?: string;
  /** When the first request with this Idempotency-Key came. Absent without the header. Milliseconds since the Unix epoch. */
  readonly begunAt?: number;
  /** The revisions of If-Match; undefined without the header, or with `*`. */
  readonly ifMatch: readonly number[] | undefined;
  /** Whether there is an If-Match. */
  readonly isConditional: boolean;
}

/** A rejected request of a live key. */
export interface RefusedCall {
  readonly apiKey: ApiKey;
  readonly refusal: Refusal;
  /** The body as sent. */
  readonly sent: unknown;
  readonly client: string | undefined;
}

/** A success of a handler. */
export interface Done<R> {
  readonly outcome: 'done';
  readonly body: R;
  /** Default: the first status of `success`. */
  readonly status?: SuccessStatus;
  /** The record's revision, for the ETag header. */
  readonly revision?: number;
  /** The record that the answer shows. A replay reads it again. */
  readonly target?: string;
  /** The audited change; absent if nothing changed, or if the change itself names its doer. See `intent` of the route. */
  readonly deed?: Deed;
  /** The cursor of the next page, for the Link header. */
  readonly nextCursor?: string;
}

/** A success whose response the handler writes itself: server-sent events. */
interface Streamed {
  readonly outcome: 'stream';
  /** Resolves once the stream is open. It stays open afterwards. */
  readonly open: (request: Request, response: Response) => Promise<void>;
}

export type PublicResult<R> = Done<R> | { readonly outcome: 'empty' } | Streamed | Refusal;

/** The first answer to a request, which a replay gives again. */
export interface FirstAnswer {
  readonly status: SuccessStatus;
  readonly target: string;
}

/** The fields that a key sees of a record that it writes. */
export interface Disclosed {
  /** The scope that reads the whole record. */
  readonly scope: Scope;
  /** Fields that every key sees: they contain nothing that another client wrote. */
  readonly always: readonly string[];
}

/** One route of the public API, as declared. */
export interface RouteSpec<Q, B, R, I extends IdPrefix> {
  readonly method: PublicMethod;
  /** With parameters as `:name`. */
  readonly path: `/api/public/${string}`;
  readonly operationId: string;
  readonly tag: 'Public API' | 'Leads' | 'Conversations' | 'Events' | 'Webhook subscriptions';
  readonly summary: string;
  readonly description: string;
  readonly scopes: ScopesNeeded;
  /** How long a request may take. Default: see time-budget.ts. Milliseconds. */
  readonly budgetMs?: number;
  /**
   * Called for each request that is rejected with a live key, also one without the scope. `sent` is undefined if the body was
   * not read.
   */
  onRefused?(refused: RefusedCall, deps: RouteDeps): Promise<void>;
  /** false: the route does not count towards the key's rate. */
  readonly rated?: false;
  /** Whether a request is served over the rate too, by its body. Only then is a body of at most 1 KiB read first. */
  isServedOverRate?(body: B): boolean;
  /** Descriptions of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>;
  /**
   * A schema that rejects unknown parameters: a misspelt filter must not list everything. Without it the route has no parameters, and
   * all are rejected, except by a DELETE.
   */
  readonly query?: z.ZodType<Q>;
  /** A schema that rejects unknown fields: a misspelt field must not be lost. */
  readonly body?: z.ZodType<B>;
  /** Prefixes of the ids that a request may need. */
  readonly creates?: readonly I[];
  /** Every successful status with its description; the first is the default. */
  readonly success: Readonly<Partial<Record<SuccessStatus, string>>>;
  readonly response: z.ZodType<R>;
  /** The response is a stream of server-sent events. `response` describes the data of one. */
  readonly streams?: true;
  /** The response has the ETag of this record, which may have more fields than the response. */
  readonly etag?: z.ZodType;
  /** The path below which a created record is read by its id. A 201 has its URL in Location. Absent: no route reads one alone. */
  readonly recordsAt?: `/api/public/${string}`;
  /** The route honours If-Match. */
  readonly ifMatch?: true;
  /**
   * The scope that reads these records. Without it, the response of a write has the fields `always` and those that were sent
   * (send-result.ts).
   */
  readonly discloses?: Disclosed;
  /** Problem codes of the handler. Those of the layer are added (docs/public-operations.ts). */
  readonly problems: readonly ProblemCode[];
  /** A limit besides the key's rate. It is counted before the intent, so that a rejected request costs no audit entry. */
  limit?(call: PublicCall<Q, B, I>, deps: RouteDeps): Promise<Refusal | undefined>;
  /**
   * The change that the handler is about to make. The audit log gets it first. Undefined: there is nothing to change. A route whose
   * results have a `deed` must have it.
   */
  intent?(call: PublicCall<Q, B, I>, deps: RouteDeps): Promise<Deed | undefined>;
  handler(call: PublicCall<Q, B, I>, deps: RouteDeps): Promise<PublicResult<R>>;
  /**
   * Reads the record of an earlier answer again, for a replay. A POST must have it: its presence makes the route accept
   * Idempotency-Key.
   */
  readAgain?(first: FirstAnswer, call: PublicCall<Q, B, I>, deps: RouteDeps): Promise<PublicResult<R>>;
}

/** A declared route, without the types of its input and output. */
// biome-ignore lint/suspicious/noExplicitAny: `publicRoute` has checked that schemas and handler fit each other.
export type PublicRoute = RouteSpec<any, any, any, IdPrefix>;

/**
 * Declares a route of the public API. The layer checks the key, its scope, its rate, the body, the query and the
 * Idempotency-Key before the handler runs, and writes the audit entry around it (serve-route.ts). The OpenAPI document is
 * made from the declarations.
 */
export function publicRoute<Q = undefined, B = undefined, R = unknown, I extends IdPrefix = never>(
  spec: RouteSpec<Q, B, R, I>,
): PublicRoute {
  if (spec.scopes.length === 0) throw new Error(`${spec.method} ${spec.path} declares no scope`);
  if (spec.method === 'POST' && spec.readAgain === undefined)
    throw new Error(`${spec.method} ${spec.path} cannot replay an answer`);
  return spec as unknown as PublicRoute;
}

/** The successful statuses of a route, as declared. */
export function successStatuses({ success }: PublicRoute): readonly SuccessStatus[] {
  return Object.keys(success).map(Number) as SuccessStatus[];
}

/** The status of a success that does not name one: 201 where the route creates, else 200 or 204. */
export function defaultStatus(route: PublicRoute): SuccessStatus {
  const statuses = successStatuses(route);
  return statuses.includes(201) ? 201 : (statuses[0] as SuccessStatus);
}
