import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { IDENTITY_PATH } from '@sluice/contract/api/public-api';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import type { KeyCreated } from '@sluice/dashboard-api/keys';
import type { RotationPrepared, SourceCreated } from '@sluice/dashboard-api/sources';
import { chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../support/chromium.ts';
import { fillConversations } from './fill-conversations.ts';
import { fillLeads } from './fill-leads.ts';
import { fillWebhooks } from './fill-webhooks.ts';
import { startInstallation } from './installation.ts';
import { addSource, callAs, send, type TestSource } from './source.ts';
import { addAccount, type Person, type Stack } from './stack.ts';

/** Writes a screenshot of every page, in both themes and two widths, to a folder. A regular expression selects pages.
 * scripts/screenshots.mjs starts it. */

const SETTLE_MS = 900;
const WEEK_MS = 7 * 86_400_000;
const TITLES = [
  'Open day',
  'Jazz night',
  'Yoga for beginners',
  'Christmas market',
  'Board meeting',
  'Wine tasting',
];

const LONG = 'Come and see the workshops, the new hall and the garden. '.repeat(6);

const [folder = 'data/screenshots', only = ''] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const installation = await startInstallation({ dispatchers: 1, env: { OUTBOUND_PRIVATE_NETWORKS: 'true' } });
const stack = await addAccount(installation);
let stopReceivers: () => Promise<unknown> = async () => undefined;
const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });
try {
  const owner = await stack.addPerson('owner');
  await shootAll('empty', owner, {
    overview: '/',
    sources: '/events/webhook',
    events: '/events',
    leads: '/leads',
    'leads-import': '/leads/import',
    keys: '/settings/api-keys',
    conversations: '/conversations',
    channels: '/settings/channels',
  });
  const { channelId, conversations } = await fillConversations(stack, owner);
  const channel = `/settings/channels/${channelId}`;
  const { source, overlapping, foreign, webhooks } = await fill(stack, owner);
  stopReceivers = () => Promise.all(webhooks.receivers.map((one) => one.close()));
  const page = `/events/webhook/${source.id}`;
  await shootAll('', owner, {
    overview: '/',
    'overview-chosen': `/?range=1h&from=${at(-5)}&to=${at(5)}&status=401`,
    'overview-30d': '/?range=30d',
    'overview-table': ['/', 'role=button[name="As table"]'],
    'source-no-match': `${page}/deliveries?title=nothing`,
    'source-burst': [`${page}/deliveries`, '[role=row]:has-text("Show rows")'],
    events: '/events',
    sources: '/events/webhook',
    'source-set-up': `${page}/setup`,
    'source-deliveries': `${page}/deliveries`,
    'source-delivery-refused': [`${page}/deliveries?code=signature_invalid`, '[data-row]'],
    'source-delivery-request': [
      // The title skips the rows of the import, which have no request.
      `${page}/deliveries?status_class=2xx&title=Jazz`,
      '[data-row]',
      'role=tab[name=Request]',
    ],
    'source-reprocess': [`${page}/deliveries`, 'role=button[name=/Reprocess all/]'],
    'source-rotate': [`${page}/setup`, 'role=button[name=/Rotate/]'],
    'source-rotate-last': [
      `${page}/setup`,
      'role=button[name=/Rotate/]',
      'role=button[name=/Show the new/]',
      'role=button[name="Next"]',
    ],
    'source-overlap': `/events/webhook/${overlapping.id}/setup`,
    'source-old-secret': [`/events/webhook/${overlapping.id}/deliveries`, '[data-row]'],
    'source-test': [`${page}/test`, 'role=button[name=/Send a test/]'],
    'source-settings': `${page}/settings`,
    'source-foreign': `/events/webhook/${foreign}/setup`,
    'source-mapping': `/events/webhook/${foreign}/mapping`,
    'source-change-sender': [`/events/webhook/${foreign}/setup`, 'role=button[name="Change sender"]'],
    'source-new': ['/events/webhook', 'role=button[name=/Add source/]'],
    event: ['/events', 'role=row[name=/Open day/]'],
    calendar: '/events?view=calendar&month=2027-03',
    import: '/events/import',
    'import-undo': ['/events/import', 'role=button[name=/Undo this import/]'],
    leads: '/leads',
    'leads-no-match': '/leads?q=nothing',
    'leads-board': '/leads?view=board',
    'leads-lead': ['/leads?q=lovelace', '[data-lead]'],
    'leads-new': ['/leads', 'role=button[name="New lead"]'],
    'leads-import': '/leads/import',
    pipeline: '/settings/pipeline',
    'pipeline-retire': ['/settings/pipeline', 'role=button[name="Retire Contacted"]'],
    conversations: '/conversations',
    'conversation-requested': `/conversations/${conversations.requested}`,
    'conversation-active': `/conversations/${conversations.active}`,
    'conversation-closed': `/conversations/${conversations.closed}`,
    'conversations-no-match': '/conversations?channel=chn_other',
    channels: '/settings/channels',
    'channel-set-up': `${channel}/setup`,
    'channel-deliveries': `${channel}/deliveries`,
    'channel-settings': `${channel}/settings`,
    'channel-new': ['/settings/channels', 'role=button[name=/Add channel/]'],
    'channel-rotate': [`${channel}/setup`, 'role=button[name=/Rotate/]'],
    deliveries: '/deliveries',
    'delivery-latest': '/deliveries?code=signature_invalid&delivery=latest',
    integrations: '/settings/integrations',
    webhooks: '/settings/webhooks',
    'webhook-new': ['/settings/webhooks', 'role=button[name=/Add subscription/]'],
    'webhook-messages': [
      `/settings/webhooks/${webhooks.failing}/messages`,
      'role=button[name=/attempts? of/]',
    ],
    'webhook-set-up': `/settings/webhooks/${webhooks.working}/setup`,
    'webhook-settings': `/settings/webhooks/${webhooks.working}/settings`,
    keys: '/settings/api-keys',
    'key-new': ['/settings/api-keys', 'role=button[name=/Create key/]'],
    'key-rotate': ['/settings/api-keys', 'role=button[name=/Rotate/]', 'role=button[name="Rotate key"]'],
    'key-revoke': ['/settings/api-keys', 'role=button[name=/Revoke Zapier/]'],
    members: '/settings/members',
    invite: ['/settings/members', 'role=button[name=/Invite/]'],
    audit: '/settings/audit-log',
    profile: '/settings/profile',
    ops: '/ops',
  });
  await shootAll('', undefined, {
    'sign-in': '/sign-in',
    'forgot-password': '/forgot-password',
    'reset-password-late': '/reset-password#token=late',
  });
} finally {
  await stopReceivers();
  await browser.close();
  await installation.stop();
}

/** Returns the whole minute that is `minutes` from now. */
function at(minutes: number): string {
  return new Date((Math.floor(Date.now() / 60_000) + minutes) * 60_000).toISOString();
}

interface Filled {
  readonly webhooks: Awaited<ReturnType<typeof fillWebhooks>>;
  readonly source: TestSource;
  /** Its old secret still works and is in use. */
  readonly overlapping: TestSource;
  /** The id of a source that Calendly sends to. */
  readonly foreign: string;
}

async function fill(at: Stack, owner: Person): Promise<Filled> {
  const source = await addSource(at, owner);
  const overlapping = await addSource(at, owner);
  const calendly = { name: 'Calendly', sender: 'calendly' };
  const { source_id: foreign } = (await callAs<SourceCreated>(at, owner, 'POST', '/sources', calendly))
    .source;
  const secretPath = `/sources/${overlapping.id}/secret`;
  const { rotation_token } = await callAs<RotationPrepared>(
    at,
    owner,
    'POST',
    `${secretPath}/prepare-rotation`,
  );
  await callAs(at, owner, 'POST', `${secretPath}/confirm-rotation`, { rotation_token, overlap: '24h' });
  await send(overlapping, { title: 'Open day' });
  for (const [index, title] of TITLES.entries()) {
    await send(source, { title, location: index % 2 === 0 ? 'Berlin' : 'Hamburg' });
  }
  await send(source, { title: 'Open day', location: 'Berlin', price: '12 EUR', url: 'https://example.com/' });
  await send(source, { title: 'Open day', location: 'Berlin', price: '14 EUR', description: LONG });
  await send(source, { title: 'Open day', location: 'Berlin', price: '14 EUR', status: 'cancelled' });
  for (let i = 0; i < 12; i++) await send(source, {}, 'whsec_wrong');
  await send(source, { title: '' });
  await at.insertDeliveries(burstOf(at, source, 312));
  const zapier = { name: 'Zapier', scopes: ['webhooks'], expires_at: null };
  const { key } = await callAs<KeyCreated>(at, owner, 'POST', '/keys', zapier);
  for (let i = 0; i < 5; i++)
    await fetch(at.url + IDENTITY_PATH, { headers: { authorization: `Bearer ${key}` } });
  await callAs(at, owner, 'POST', '/keys', {
    name: 'Reporting',
    scopes: ['read:leads', 'read:conversations'],
    expires_at: new Date(Date.now() + WEEK_MS).toISOString(),
  });
  const rows = ['Flea market', 'Open day'].map((title, index) => ({
    row: index + 2,
    event: { title, starts_at: '2030-05-01T10:00:00Z', location: 'Berlin' },
  }));
  const file = { source_id: source.id, import_id: 'screenshots', file_name: 'spring.csv', rows };
  await callAs(at, owner, 'POST', '/events/import', file);
  const webhooks = await fillWebhooks(at, owner, key);
  await fillLeads(at, owner);
  await at.addPerson('viewer');
  return { source, overlapping, foreign, webhooks };
}

function burstOf({ accountId }: Stack, source: TestSource, length: number): Delivery[] {
  return Array.from({ length }, (_, index) => ({
    delivery_id: `dlv_burst${index}`,
    source_id: source.id,
    account_id: accountId,
    received_at: Date.now() + index,
    action: null,
    title: null,
    http_status: 429,
    outcome: 'rejected',
    code: 'rate_limited',
    request_id: null,
    sequence: null,
    event_id: null,
    duplicate_of: null,
    reason: 'Over the rate.',
    count: 1,
  }));
}

async function shootAll(
  prefix: string,
  person: Person | undefined,
  pages: Record<string, string | readonly [path: string, ...clicks: string[]]>,
): Promise<void> {
  for (const width of [1440, 360]) {
    for (const scheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
      if (person !== undefined) {
        const [name = '', value = ''] = person.cookie.split('=');
        await context.addCookies([{ name, value, url: stack.url }]);
      }
      const page = await context.newPage();
      for (const [name, shown] of Object.entries(pages)) {
        if (!new RegExp(only).test(name)) continue;
        const [path, ...clicks] = typeof shown === 'string' ? [shown] : shown;
        const file = [prefix, name, width, scheme].filter((part) => part !== '').join('-');
        await shoot(page, { path, clicks, file: join(folder, `${file}.png`) });
      }
      await context.close();
    }
  }
}

/** Clicks the first match of each selector, then takes the screenshot. */
async function shoot(
  page: Page,
  { path, clicks, file }: { path: string; clicks: readonly string[]; file: string },
): Promise<void> {
  await page.goto(stack.url + path);
  for (const selector of clicks) await page.locator(selector).first().click();
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: file, fullPage: clicks.length === 0 });
}
