import { observe } from '@sluice/dispatcher/observe';
import type { FinishedAttempt } from '@sluice/dispatcher/turns/attempt';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';

/** Counts and logs the last attempt of a message, which failed. */
function failures(kind: string, ephemeral_until: number | null): { counted: number; logged: string[] } {
  let counted = 0;
  const logged: string[] = [];
  const metrics = {
    counter: ({ name }: { name: string }) => ({
      inc: () => {
        if (name === 'sluice_dispatcher_failed_messages_total') counted += 1;
      },
    }),
    histogram: () => ({ observe: () => {} }),
    gauge: () => {},
  } as unknown as Metrics;
  const logger = { info: () => {}, warn: ({ event }: { event: string }) => logged.push(event) };
  const { onAttempt } = observe({
    metrics,
    logger: logger as never,
    now: () => 0,
  });
  onAttempt({
    subscription: { ephemeral_until },
    entry: { kind, attempts: 0, redelivery: false, pushedAt: 0 },
    outcome: { status: 'failed', result: { number: 1, outcome: 'done' } },
    row: { kind, attempt: { code: 'server_error', status: 500, duration_ms: 5 } },
  } as unknown as FinishedAttempt);
  return { counted, logged };
}

describe('dispatcher: what an operator sees of a message that failed finally', () => {
  it('is counted and logged', () =>
    expect(failures('lead.created', null)).to.deep.equal({ counted: 1, logged: ['message.failed'] }));

  it('is not counted and not logged for a test', () =>
    expect(failures('webhook.test', null)).to.deep.equal({ counted: 0, logged: [] }));

  it('is not counted and not logged for an editor or `sluice listen`', () =>
    expect(failures('lead.created', 1)).to.deep.equal({ counted: 0, logged: [] }));
});
