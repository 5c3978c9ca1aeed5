import { mayActAs, type Role } from '@sluice/contract/account/roles';
import type { Route, RouteTypes } from '@sluice/dashboard-api/route';
import type { Request, Response, Router } from 'express';
import type * as z from 'zod';
import { BODY_BYTES, readJsonBody } from './read-body.ts';
import { type Refusal, type Result, refuse } from './result.ts';
import { sendJson, sendRefusal } from './send.ts';
import type { Authenticate, SignedIn } from './signed-in.ts';
import { markKnownCaller } from './signed-in.ts';
import { validate } from './validate.ts';
import { createWindowCounts } from './window-counts.ts';

/** The schemas that parse a route's input. Their outputs are passed to the handler. */
export interface Inputs<Q, B> {
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
  /** Maximum size of the body. Bytes; default: BODY_BYTES. */
  readonly maxBodyBytes?: number;
}

/** The input of a handler. */
export interface Call<Q, B> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  readonly request: Request;
  readonly response: Response;
}

export interface Binder {
  /** Registers a route that anyone may call. */
  open<T extends RouteTypes, Q = undefined, B = undefined>(
    route: Route<T>,
    inputs: Inputs<Q, B>,
    handler: (call: Call<Q, B>) => Promise<Result<T['response']>>,
  ): void;
  /** Registers a route for signed-in users with the role that the route requires. */
  guarded<T extends RouteTypes, Q = undefined, B = undefined>(
    route: Route<T>,
    inputs: Inputs<Q, B>,
    handler: (call: Call<Q, B> & { readonly who: SignedIn }) => Promise<Result<T['response']> | 'sent'>,
  ): void;
}

/** Requests of one session in 15 s: 20 a second. A page needs about ten, an import of 10,000 rows fifty. */
const PER_SESSION = 300;
const SESSION_WINDOW_MS = 15_000;

/**
 * Binds handlers to the routes of dashboard-api. Checks run in this order: session, its rate, role, body, fields; then the
 * handler runs. A body is neither read nor parsed before the sender is authenticated.
 */
export function createBinder(
  router: Router,
  authenticate: Authenticate,
  requestsPerSession = PER_SESSION,
): Binder {
  const sessions = createWindowCounts(requestsPerSession, SESSION_WINDOW_MS);
  const bind = (
    route: Route<RouteTypes>,
    work: (request: Request, response: Response) => Promise<Result<unknown> | 'sent'>,
  ) => {
    const method = route.method.toLowerCase() as 'get';
    router[method](route.path, async (request, response) => {
      const result = await work(request, response);
      if (result !== 'sent') send(response, route.success, result);
    });
  };
  return {
    open(route, inputs, handler) {
      if (route.access !== 'anyone') throw new Error(`${route.path} is not open to anyone`);
      bind(route, async (request, response) => {
        const call = await readCall(inputs, request, response);
        return 'outcome' in call ? call : handler(call);
      });
    },
    guarded(route, inputs, handler) {
      const { access } = route;
      if (access === 'anyone') throw new Error(`${route.path} is open to anyone`);
      const admit = async (request: Request, response: Response): Promise<SignedIn | Refusal> => {
        const who = await authenticate(request, response, { beforeSetUp: access === 'signed_in' });
        if ('outcome' in who) return who;
        const waitSeconds = sessions.take(who.session.session_id);
        if (waitSeconds > 0) return tooFast(waitSeconds);
        markKnownCaller(response, who.accountId);
        return access === 'signed_in' || mayActAs(who.role, access) ? who : forbidden(access);
      };
      bind(route, async (request, response) => {
        const who = await admit(request, response);
        if ('outcome' in who) return who;
        const waited = !request.complete;
        const call = await readCall(inputs, request, response);
        if ('outcome' in call) return call;
        // A sender can delay its body until after it was removed from the account, so access is checked again.
        const still = waited ? await admit(request, response) : who;
        return 'outcome' in still ? still : handler({ ...call, who: still });
      });
    },
  };
}

async function readCall<Q, B>(
  inputs: Inputs<Q, B>,
  request: Request,
  response: Response,
): Promise<Call<Q, B> | Refusal> {
  const read = await readJsonBody(request, response, inputs.maxBodyBytes ?? BODY_BYTES);
  if (read.outcome === 'refused') return read;
  const query = inputs.query === undefined ? undefined : validate(inputs.query, request.query);
  if (query?.outcome === 'refused') return query;
  const body = inputs.body === undefined ? undefined : validate(inputs.body, read.value);
  if (body?.outcome === 'refused') return body;
  const params = request.params as Record<string, string>;
  return { params, query: query?.value as Q, body: body?.value as B, request, response };
}

function send(response: Response, status: number, result: Result<unknown>): void {
  switch (result.outcome) {
    case 'done':
      sendJson(response, status, result.body);
      return;
    case 'refused':
      sendRefusal(response, result);
      return;
  }
}

function tooFast(retryAfterSeconds: number): Refusal {
  const detail = `This session sends too many requests. Try again in ${retryAfterSeconds} seconds.`;
  return refuse('rate_limited', detail, { retryAfterSeconds });
}

function forbidden(needed: Role): Refusal {
  return refuse('forbidden', `This requires the role ${needed}. Ask an owner of the account for it.`);
}
