import type { Span, Tracing } from '@sluice/runtime/telemetry/tracing/tracing';
import { judge } from '../judge/judge-response.ts';
import type { Deliver, Delivered } from './deliver.ts';

/**
 * Wraps each attempt in a span. It begins a new trace, because the log keeps no trace of the change. Without tracing nothing is
 * wrapped.
 */
export function traceAttempts(deliver: Deliver, tracing: Tracing | undefined): Deliver {
  if (tracing === undefined) return deliver;
  return async (subscription, entry, lease) => {
    const span = tracing.start('deliver message', {
      kind: 'client',
      attributes: {
        'http.request.method': 'POST',
        'messaging.message.id': entry.messageId,
        'sluice.change_id': entry.changeId,
        'sluice.subscription_id': subscription.subscription_id,
        'sluice.message_kind': entry.kind,
        'sluice.attempt': entry.attempts + 1,
        'sluice.redelivery': entry.redelivery || entry.recovered,
      },
    });
    try {
      const delivered = await deliver(subscription, entry, lease);
      describe(span, delivered);
      return delivered;
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      span.end();
    }
  };
}

function describe(span: Span, delivered: Delivered): void {
  switch (delivered.outcome) {
    case 'attempted': {
      const { answer } = delivered;
      const { code, next } = judge(answer);
      const status = answer.kind === 'response' ? answer.status : undefined;
      span.set({ 'sluice.code': code, 'http.response.status_code': status });
      if (next !== 'done') span.fail(code);
      return;
    }
    case 'stopped':
    case 'no_text':
      span.set({ 'sluice.code': delivered.outcome });
  }
}
