import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { startSluice } from './running.ts';
import { useInstallation } from './support.ts';

describe('a command that is killed during a change', function () {
  this.timeout(120_000);
  const used = useInstallation();
  let accountId: string;
  const folder = newFolder();
  before(async () => {
    used.env.OUTBOUND_PRIVATE_NETWORKS = 'true';
    accountId = String((await used.json('account create --name Hall'))[0]?.account_id);
  });

  const entry = async (action: 'webhook.tested' | 'events.imported') =>
    (await used.store.auditLog.pageEntries({ account_id: accountId, action, limit: 1 })).items[0];

  it('sluice webhook test leaves its entry, not confirmed', async () => {
    const create = `webhook create --url http://127.0.0.1:8999/ --events lead.created --account ${accountId}`;
    const [made] = await used.json(create);
    // No dispatcher runs, so it waits.
    const test = startSluice(['webhook', 'test', String(made?.id)], used.env);
    await until(async () => (await entry('webhook.tested')) !== undefined);
    await test.end('SIGKILL');
    expect(await entry('webhook.tested')).to.deep.include({
      target: { id: made?.id, name: '127.0.0.1:8999' },
      unconfirmed: true,
    });
  });

  it('sluice import leaves an entry of what it has imported so far', async () => {
    const [source] = await used.json(`source create --name Booking --account ${accountId}`);
    const rows = Array.from({ length: 10_000 }, (_, n) => `Event ${n},2030-01-01T10:00:00Z`);
    const file = join(folder, 'events.csv');
    await writeFile(file, ['title,starts_at', ...rows].join('\n'));
    const run = startSluice(['import', file, '--source', String(source?.source_id)], used.env);
    await until(() => run.stderr().includes('rows sent'));
    await run.end('SIGKILL');
    const found = await entry('events.imported');
    expect(found?.target.id).to.equal(source?.source_id);
    expect(found?.detail).to.match(/^events\.csv, rows 2 to \d+: \d+ accepted$/);
  });
});
