import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { eventId } from '@sluice/contract/event/event-id';
import type { StoredEvent } from '@sluice/store/events/event-document';
import { NO_OUTCOMES } from '@sluice/store/events/recent-outcomes';
import { expect } from 'chai';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { cancel, createSource, groupOf, identity } from './support/groups.ts';
import { useTestStores } from './support/stores.ts';

/** Together they exceed the worker's heap limit. A single event fits many times. */
const EVENTS = 360;
const HEAP_MIB = 80;
/** So many are written together. */
const AT_ONCE = 20;
/** Nearly the limit of a body. 0.1.0 had no other limit for `url`. */
const URL = `https://example.com/${'x'.repeat(250_000)}`;

describe('groups about large events', () => {
  const stores = useTestStores();

  function stored({ source_id, account_id }: ReturnType<typeof createSource>, title: string): StoredEvent {
    const state = {
      content: { sequence: 1, value: { url: URL } },
      status: { sequence: 1, value: 'upcoming' },
      deleted: null,
      created: 1,
    } as const;
    const own = identity(title);
    const event_id = eventId(source_id, own);
    return { event_id, source_id, account_id, identity: own, state, revision: 0, recent: NO_OUTCOMES };
  }

  it('are applied by a worker with little memory, even if the events of a group exceed it', async function () {
    this.timeout(120_000);
    const source = createSource();
    const titles = Array.from({ length: EVENTS }, (_, n) => `Event ${n}`);
    for (let at = 0; at < EVENTS; at += AT_ONCE)
      await stores.store.events.writeEvents(
        titles.slice(at, at + AT_ONCE).map((title) => ({
          event: stored(source, title),
          expectedRevision: 0,
          newRevision: 1,
          expiresAt: null,
        })),
      );
    const actions: AdmittedAction[] = titles.map((title) => source.admit(cancel(title)));
    for (const half of [actions.slice(0, EVENTS / 2), actions.slice(EVENTS / 2)])
      await stores.producer.enqueueActions(groupOf(...half));

    const worker = startService('worker', {
      ...stores.env,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    });
    const rows = () => stores.deliveries(source.source_id);
    await until(async () => worker.ended() !== undefined || (await rows()).size === EVENTS, {
      withinMs: 100_000,
    });
    await worker.kill('SIGTERM');
    expect(worker.ended(), 'the worker survived').to.equal(0);
    expect(new Set([...(await rows()).values()].map(({ outcome }) => outcome))).to.deep.equal(
      new Set(['cancelled']),
    );
  });
});
