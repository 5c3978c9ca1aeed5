import type { Span, TraceParent, Tracing } from '@sluice/runtime/telemetry/tracing/tracing';
import type { Reply } from '../answer/reply.ts';
import { codeOf } from '../answer/reply-code.ts';
import type { Incoming } from '../receive/incoming.ts';

/** The trace of one request through the ingress. Not there where the request is not traced. */
export interface RequestTrace {
  readonly traceId: string;
  /** Begins a step on the way of the request; whoever begins it ends it. */
  step(name: 'verify' | 'admit'): Span;
  /** Where what is enqueued stands in the trace: what the worker does is shown below it. */
  enqueuedAs(): TraceParent | undefined;
  /** The answer; null: the sender went before there was one. */
  end(reply: Reply | null): void;
}

export type StartTrace = (
  http: Pick<Incoming, 'method' | 'headers'>,
  ids: { readonly requestId: string; readonly sourceId: string },
) => RequestTrace | undefined;

const ROUTE = '/api/v1/events/webhook/:sourceId';

/** Begins traces where the sender's own go on (header `traceparent`), or new ones. */
export function traceRequests(tracing: Tracing): StartTrace {
  return ({ method, headers }, { requestId, sourceId }) => {
    const sent = headers.traceparent;
    const span = tracing.start(`${method} ${ROUTE}`, {
      kind: 'server',
      parent: typeof sent === 'string' ? sent : undefined,
      attributes: {
        'http.request.method': method,
        'http.route': ROUTE,
        'sluice.request_id': requestId,
        'sluice.source_id': sourceId,
      },
    });
    return span.traceparent === undefined ? undefined : createRequestTrace(tracing, span);
  };
}

function createRequestTrace(tracing: Tracing, span: Span): RequestTrace {
  let enqueueing: Span | undefined;
  return {
    traceId: span.traceId,
    step(name) {
      const kind = name === 'admit' ? 'producer' : 'internal';
      const step = tracing.start(name, { kind, parent: span.traceparent });
      // What is admitted is enqueued in the same step.
      if (name === 'admit') enqueueing = step;
      return step;
    },
    enqueuedAs: () => enqueueing?.traceparent,
    end(reply) {
      if (reply === null) span.fail('sender_gone');
      else endWith(span, reply);
      span.end();
    },
  };
}

function endWith(span: Span, reply: Reply): void {
  const { code, status } = codeOf(reply);
  span.set({ 'http.response.status_code': status, 'sluice.code': code });
  if (reply.kind === 'accepted') span.set({ 'sluice.delivery_id': reply.deliveryId });
  if (status >= 500) span.fail(String(status));
}
