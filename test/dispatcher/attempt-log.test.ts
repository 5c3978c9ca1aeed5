import { createAttemptLog } from '@sluice/dispatcher/log/attempt-log';
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
    const rows = [{} as AttemptRow];

    await log.logAttempts(rows);
    expect(log.failingMs()).to.equal(0);
    refuses = true;
    const logging = log.logAttempts(rows);
    await until(() => changes.length > 1, { what: 'it has tried twice' });
    // It tries again after 250 ms.
    const failing = log.failingMs();
    refuses = false;
    await logging;
    expect(failing).to.be.within(200, 5000);
    expect(log.failingMs()).to.equal(0);
    expect(changes.at(-1)).to.equal(null);
  });
});
