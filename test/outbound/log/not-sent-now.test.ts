import { createReadText } from '@sluice/dispatcher/attempt/read-text';
import { createRunTurn } from '@sluice/dispatcher/turns/run-turn';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { change, useCursors } from './support/use-cursors.ts';

describe('messages that cannot be sent now', function () {
  this.timeout(60_000);
  const at = useCursors();

  for (const ordered of [false, true])
    it(`are sent once they can be, in their order where that was asked for (ordered: ${ordered})`, async () => {
      await at.publishAll({ ordered });
      await at.append(
        change('c1', { record_id: 'r', sequence: 1 }),
        change('c2', { record_id: 'r', sequence: 2 }),
        change('c3'),
      );
      let isAway = true;
      const sent: string[] = [];
      const run = createRunTurn({
        turns: at.turns(),
        running: () => 1,
        logAttempts: (rows) => at.store().webhookMessages.logAttempts(rows),
        settleReply: async () => {},
        removeGone: async () => {},
        onHealth: async () => {},
        async deliver(_subscription, { changeId }) {
          const attempted = { outcome: 'attempted', at: Date.now(), durationMs: 1 } as const;
          if (isAway) return { ...attempted, answer: { kind: 'error', code: 'no_name_server' } };
          sent.push(changeId);
          const answer = {
            kind: 'response',
            status: 200,
            retryAfterMs: null,
            location: null,
            body: '',
          } as const;
          return { ...attempted, answer };
        },
        readText: createReadText(at.store().outboundChanges.findTexts),
        onAttempt: () => {},
        onNoText: () => {},
        stopping: () => false,
        now: Date.now,
        random: () => 0.5,
      });
      await until(async () => {
        for (const turn of await at.claim()) await run(turn, { begin() {}, end() {} });
        isAway = false;
        return sent.length === 3;
      });
      expect([...sent].sort()).to.deep.equal(['c1', 'c2', 'c3']);
      if (ordered) expect(sent.indexOf('c1')).to.be.below(sent.indexOf('c2'));
    });
});
