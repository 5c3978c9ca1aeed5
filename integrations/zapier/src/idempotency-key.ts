import { createHash } from 'node:crypto';
import type { Bundle } from 'zapier-platform-core';

/** Zapier tells no run apart from the next, so the input does. */
export const RUN_FIELD = {
  key: 'run_id',
  label: 'Run ID',
  helpText:
    'Sluice runs a step once for the same Zap, input and run ID within 24 hours. Map the ID of the trigger here to allow the same input twice. Equal steps of one Zap need different ones.',
} as const;

/** The header that makes a repeated step write once: the Zap, the action and the hash of its input. */
export function idempotencyHeader(action: string, { meta, inputData }: Bundle): Record<string, string> {
  const sorted = Object.fromEntries(Object.entries(inputData).sort(([a], [b]) => (a < b ? -1 : 1)));
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
  return { 'Idempotency-Key': `zapier:${meta?.zap?.id ?? 'test'}:${action}:${hash}` };
}
