import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditAction } from '@sluice/contract/account/audit-actions';
import { GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { createDeadLetters } from '@sluice/queue/dead-letters';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { startMongoProxy } from '../support/mongo-proxy.ts';
import { use } from '../support/use.ts';
import { startSluice } from './running.ts';
import { sluice, useInstallation } from './support.ts';

/** The message that confirms an entry. */
const CONFIRMATION = /update\0.{4}audit_log\0/s;

interface Case {
  readonly command: (at: Ids) => string;
  /** The accounts of the entries. Default: demo. */
  readonly accounts?: readonly string[];
  readonly env?: () => Record<string, string>;
}

interface Ids {
  readonly source: string;
  readonly channel: string;
  readonly key: string;
}

const NEW_KEY = randomBytes(32).toString('base64');

describe('sluice, between a change and the end of its audit entry,', function () {
  this.timeout(240_000);
  const used = useInstallation();
  const proxy = use(() => startMongoProxy(used.env.MONGO_URL as string));
  const folder = newFolder();
  let at: Ids;

  const CASES: readonly (readonly [AuditAction, Case])[] = [
    ['source.created', { command: () => 'source create --name Booking' }],
    ['source.deactivated', { command: ({ source }) => `source deactivate ${source}` }],
    ['source.activated', { command: ({ source }) => `source activate ${source}` }],
    ['secret.rotated', { command: ({ source }) => `source rotate-secret ${source} --overlap 1h` }],
    ['secret.overlap_ended', { command: ({ source }) => `source end-overlap ${source}` }],
    ['channel.created', { command: () => 'channel create --name Chat' }],
    [
      'channel.reply_secret_rotated',
      { command: ({ channel }) => `channel rotate-reply-secret ${channel} --overlap 0` },
    ],
    ['channel.deleted', { command: ({ channel }) => `channel delete ${channel} --conversations keep` }],
    ['key.created', { command: () => 'key create --name CRM --scopes webhooks' }],
    ['key.renamed', { command: ({ key }) => `key rename ${key} --name New` }],
    ['key.rotated', { command: ({ key }) => `key rotate ${key}` }],
    ['key.revoked', { command: ({ key }) => `key revoke ${key}` }],
    ['account.plan_changed', { command: () => 'account set-plan demo free' }],
    ['dead_letter.retried', { command: () => 'dead-letters retry dlv_1' }],
    ['dead_letter.dropped', { command: () => 'dead-letters drop dlv_2' }],
    ['leads.imported', { command: () => `lead import ${join(folder, 'leads.csv')}` }],
    ['member.owner_link_made', { command: () => 'owner-link' }],
    [
      'member.reset_link_made',
      { command: () => 'owner-link --reset ada@example.com', accounts: ['demo', 'acc_2'] },
    ],
    [
      'member.two_factor_reset',
      { command: () => 'member reset-two-factor ada@example.com', accounts: ['demo', 'acc_2'] },
    ],
    ['source.deleted', { command: ({ source }) => `source delete ${source} --events keep` }],
    [
      'secret.resealed',
      {
        command: () => 'secrets reseal',
        env: () => ({ SLUICE_SECRET_KEY: NEW_KEY, SLUICE_SECRET_KEYS_OLD: used.env.SLUICE_SECRET_KEY ?? '' }),
      },
    ],
  ];

  before(async () => {
    await writeFile(join(folder, 'leads.csv'), 'email\nada@example.com');
    const [source] = await used.json('source create --name Booking');
    const [channel] = await used.json('channel create --name Chat');
    const [key] = await used.json('key create --name CRM --scopes webhooks');
    at = {
      source: String(source?.source_id),
      channel: String(channel?.channel_id),
      key: String(key?.key_id),
    };
    await addMember();
    await addLetters();
    await used.mongo.db.collection('audit_log').deleteMany({});
  });

  /** A user of two accounts, who signs in with a second factor. */
  async function addMember(): Promise<void> {
    const { db } = used.mongo;
    const two_factor = { sealed_key: 'sealed', last_step: 1, recovery_hashes: ['x'], since: 0 };
    const user = { email: 'ada@example.com', name: 'Ada', password_hash: 'x', operator: false, two_factor };
    await db.collection('users').insertOne({ _id: 'usr_1' as never, created_at: new Date(0), ...user });
    const memberships = ['demo', 'acc_2'].map((account_id) => ({
      ...{ _id: `${account_id}:usr_1` as never, account_id, user_id: 'usr_1', role: 'viewer' },
      created_at: new Date(0),
    }));
    await db.collection('memberships').insertMany(memberships);
  }

  async function addLetters(): Promise<void> {
    const { prefix } = createKeyspace(used.env.SLUICE_NAMESPACE as string);
    const letters = createDeadLetters({ redis: used.redis, prefix });
    const failed = { v: GROUP_VERSION, failed_at: 1_795_250_000_000, reason: 'MongoDB 121' } as const;
    for (const id of ['dlv_1', 'dlv_2'])
      await letters.add(id, { ...failed, action: { account_id: 'demo', source_id: at.source } });
    await letters.close();
  }

  for (const [action, { command, accounts = ['demo'], env }] of CASES)
    it(`has the entry ${action}, not confirmed until the change has ended`, async () => {
      const held = proxy.holdAt(CONFIRMATION);
      const running = sluice(command(at).split(' '), {
        env: { ...used.env, ...env?.(), MONGO_URL: proxy.url },
      });
      const ended = running.then(({ stderr }) => `it ended without a confirmation: ${stderr}`);
      expect(await Promise.race([held.then(() => 'held'), ended])).to.equal('held');
      const entries = () => used.mongo.db.collection('audit_log').find({ action }).toArray();
      const before = await entries();
      expect(before.map(({ account_id }) => account_id)).to.have.members([...accounts]);
      for (const entry of before) expect(entry).to.include({ unconfirmed: true });
      proxy.letGo();
      expect((await running).stderr).to.not.contain('    at ');
      for (const entry of await entries()) expect(entry).to.not.have.any.keys('unconfirmed');
    });

  it('leaves its entry, not confirmed, if it is killed', async () => {
    const held = proxy.holdAt(CONFIRMATION);
    const run = startSluice(['key', 'create', '--name', 'Killed', '--scopes', 'webhooks'], {
      ...used.env,
      MONGO_URL: proxy.url,
    });
    await Promise.race([held, run.exited]);
    await run.end('SIGKILL');
    proxy.shut();
    proxy.letGo();
    proxy.open();
    const unconfirmed = { action: 'key.created', unconfirmed: true };
    const found = await used.mongo.db.collection('audit_log').find(unconfirmed).toArray();
    expect(found, run.stderr()).to.have.length(1);
  });
});
