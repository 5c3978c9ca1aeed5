import type { ImportRow } from '@sluice/dashboard-api/imports';
import { MAX_ITEMS } from '@sluice/import/apply/import-rows';
import { createProducer } from '@sluice/queue/producer';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';

const BACKLOG_LIMIT = 2;
const REST = 50;

/** Nothing is processed here: there is no worker. */
describe('api: an import while the backlog is full', () => {
  const api = useApi({ config: { BACKLOG_LIMIT } });
  let source: { source_id: string };
  before(async () => {
    source = (await api.owner.call('post', '/sources', { name: 'Booking' })).body.source;
  });

  const rows: readonly ImportRow[] = Array.from({ length: BACKLOG_LIMIT * MAX_ITEMS + REST }, (_, index) => ({
    row: index + 2,
    event: { title: `Row ${index}`, starts_at: '2030-05-01T20:00:00Z' },
  }));

  const send = (part: readonly ImportRow[]) =>
    api.owner.call('post', '/events/import', {
      ...{ source_id: source.source_id, import_id: 'import_1', file_name: 'long.csv' },
      rows: part,
    });

  const waiting = async () => {
    const producer = createProducer({ redis: api.redis, prefix: createKeyspace(api.namespace).prefix });
    const { actions } = await producer.backlog();
    await producer.close();
    return actions;
  };

  it('stops at BACKLOG_LIMIT with a problem, and continues where it stopped once there is room', async () => {
    const stopped = await send(rows);
    expectProblem(stopped, 'unavailable');
    expect(stopped.body.detail).to.contain('Too many actions are waiting');
    expect(stopped.headers['retry-after']).to.equal('5');
    expect(await waiting()).to.equal(BACKLOG_LIMIT);

    await api.redis.del(`${createKeyspace(api.namespace).prefix}:actions:wait`);
    const rest = await send(rows.slice(-REST));
    expect(rest.body).to.deep.equal({ accepted: REST, refused: [] });
  });

  it('has one entry in the audit log for all of its parts', async () => {
    const { body } = await api.owner.call('get', '/audit?action=events.imported');
    expect(body.items.map(({ detail }: { detail: string }) => detail)).to.deep.equal([
      `long.csv, rows 2 to ${rows.length + 1}: ${rows.length} accepted`,
    ]);
  });
});
