import { createAttemptLog, registerLogMetrics } from '@sluice/dispatcher/log/attempt-log';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import { expect } from 'chai';
import { until } from '../support/until.ts';

describe('dispatcher: the log of attempts', () => {
  it('reports how long it cannot be written, also while MongoDB refuses these writes alone', async () => {
    let refuses = false;
    const changes: unknown[] = [];
    const log = createAttemptLog({
      webhookMessages: {
        async logAttempts() {
          if (refuses) throw new Error('not authorized');
        },
      },
      onChange: (error) => changes.push(error),
      gather: () => undefined,
    });
    const metrics = createMetrics({ service: 'dispatcher' });
    registerLogMetrics({ metrics, log });
    const seconds = async () =>
      Number(/^sluice_dispatcher_log_failing_seconds\{[^}]*\} (\S+)$/m.exec(await metrics.text())?.[1]);
    const rows = [{} as AttemptRow];

    await log.logAttempts(rows);
    expect(await seconds()).to.equal(0);
    refuses = true;
    const logging = log.logAttempts(rows);
    await until(() => changes.length > 1, { what: 'it has tried twice' });
    // It tries again after 250 ms.
    const failing = await seconds();
    refuses = false;
    await logging;
    expect(failing).to.be.within(0.2, 5);
    expect(await seconds()).to.equal(0);
    expect(changes.at(-1)).to.equal(null);
  });
});
