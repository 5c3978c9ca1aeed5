import type { Span } from '@sluice/runtime/telemetry/tracing/tracing';
import type { RequestTrace } from './request-trace.ts';

/** A member of a group, as far as it is traced. */
interface Traced {
  readonly trace?: RequestTrace | undefined;
}

/**
 * A step that all members of a group take together stands in the trace of each. Returns what ends it; where nobody is
 * traced that is nothing.
 */
export function traceGroup(members: readonly Traced[]): () => void {
  let steps: Span[] | undefined;
  for (const { trace } of members) {
    if (trace === undefined) continue;
    const step = trace.step('admit');
    step.set({ 'sluice.group_size': members.length });
    steps ??= [];
    steps.push(step);
  }
  return () => {
    for (const step of steps ?? []) step.end();
  };
}
