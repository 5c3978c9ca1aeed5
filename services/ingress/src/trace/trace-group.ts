import type { Span } from '@sluice/runtime/telemetry/tracing/tracing';
import type { RequestTrace } from './request-trace.ts';

/** A member of a group, with its trace if it has one. */
interface Traced {
  readonly trace?: RequestTrace | undefined;
}

/**
 * Adds the step of a group to the trace of each member. Returns a function that ends the step; it does nothing if no member
 * is traced.
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
