import type { SourceKind } from '@sluice/contract/delivery/source-kind';
import { CONVERSATIONS_ROUTE, WEBHOOK_ROUTE } from '@sluice/contract/delivery/webhook-path';
import type { Span, TraceParent, Tracing } from '@sluice/runtime/telemetry/tracing/tracing';
import { codeOf, type Reply } from '../answer/reply.ts';
import type { Incoming } from '../receive/incoming.ts';

/** The trace of one request through the ingress. It is undefined if the request is not traced. */
export interface RequestTrace {
  readonly traceId: string;
  /** Begins a step of the request. The caller ends it. */
  step(name: 'verify' | 'admit'): Span;
  /** The parent of the worker's spans. */
  enqueuedAs(): TraceParent | undefined;
  /** Ends the trace with the response; null if the sender went before it. */
  end(reply: Reply | null): void;
}

export type StartTrace = (
  http: Pick<Incoming, 'method' | 'headers'>,
  ids: { readonly requestId: string; readonly sourceId: string; readonly kind: SourceKind },
) => RequestTrace | undefined;

/** Continues the sender's trace (header `traceparent`), or begins a new one. */
export function traceRequests(tracing: Tracing): StartTrace {
  return ({ method, headers }, { requestId, sourceId, kind }) => {
    const sent = headers.traceparent;
    const route = kind === 'channel' ? CONVERSATIONS_ROUTE : WEBHOOK_ROUTE;
    const span = tracing.start(`${method} ${route}`, {
      kind: 'server',
      parent: typeof sent === 'string' ? sent : undefined,
      attributes: {
        'http.request.method': method,
        'http.route': route,
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
      // The same step enqueues the admitted action.
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
