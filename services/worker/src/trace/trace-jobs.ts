import type { Handled, TakenJob } from '@sluice/queue/consumer-worker';
import type { Span, TraceParent, Tracing } from '@sluice/runtime/telemetry/tracing/tracing';
import { fieldsOf, isText } from '../take/untrusted-fields.ts';

type Handle = (job: TakenJob) => Promise<Handled>;

/** A member of a group whose request is traced. */
interface TracedAction {
  readonly traceparent: TraceParent;
  readonly delivery_id: unknown;
  readonly request_id: unknown;
}

/**
 * Wraps the handler in a span for each group with a traced request. Many requests share one group, so the group's span
 * belongs to the trace of the first request and links to all of them (OpenTelemetry's messaging conventions). Each other
 * request gets a span in its own trace, linked to the group's span.
 */
export function traceJobs(handle: Handle, tracing: Tracing | undefined): Handle {
  if (tracing === undefined) return handle;
  return async (job) => {
    const { group_id, actions } = fieldsOf(job.data);
    const traced = tracedActions(actions);
    const [first, ...others] = traced;
    if (first === undefined) return handle(job);
    const group = tracing.start('process actions', {
      kind: 'consumer',
      parent: first.traceparent,
      links: traced.map(({ traceparent }) => traceparent),
      attributes: {
        'messaging.system': 'bullmq',
        'messaging.operation.type': 'process',
        'messaging.destination.name': 'actions',
        'messaging.message.id': job.id,
        'messaging.batch.message_count': Array.isArray(actions) ? actions.length : 0,
        'sluice.group_id': isText(group_id) ? group_id : undefined,
      },
    });
    const spans = [group, ...others.map((action) => startAction(tracing, action, group))];
    try {
      const handled = await tracing.within(group, () => handle(job));
      if (handled !== 'done') group.set({ 'sluice.given_back': true });
      return handled;
    } catch (error) {
      group.fail(error);
      throw error;
    } finally {
      for (const span of spans) span.end();
    }
  };
}

function startAction(tracing: Tracing, action: TracedAction, group: Span): Span {
  const { traceparent: parent, delivery_id, request_id } = action;
  return tracing.start('process action', {
    kind: 'consumer',
    parent,
    links: group.traceparent === undefined ? [] : [group.traceparent],
    attributes: {
      'sluice.delivery_id': isText(delivery_id) ? delivery_id : undefined,
      'sluice.request_id': isText(request_id) ? request_id : undefined,
    },
  });
}

function tracedActions(actions: unknown): readonly TracedAction[] {
  if (!Array.isArray(actions)) return [];
  return actions.flatMap((member: unknown) => {
    const { traceparent, delivery_id, request_id } = fieldsOf(member);
    return isText(traceparent) ? [{ traceparent, delivery_id, request_id }] : [];
  });
}
