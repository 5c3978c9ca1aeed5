import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../support/chromium.ts';
import { addSource, callAs, send, type TestSource } from './source.ts';
import { type Person, type Stack, startStack } from './stack.ts';

/** Writes a picture of every page, in both themes and two widths, into a folder. Started by scripts/screenshots.mjs. */

const SETTLE_MS = 900;
const TITLES = [
  'Open day',
  'Jazz night',
  'Yoga for beginners',
  'Christmas market',
  'Board meeting',
  'Wine tasting',
];

const [folder = 'data/screenshots'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const stack = await startStack();
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
try {
  const owner = await stack.addPerson('owner');
  await shootAll('empty', owner, {
    overview: '/',
    sources: '/events/webhook',
    events: '/events',
    keys: '/settings/api-keys',
  });
  const source = await fill(stack, owner);
  const page = `/events/webhook/${source.id}`;
  await shootAll('', owner, {
    overview: '/',
    events: '/events',
    sources: '/events/webhook',
    'source-set-up': `${page}/setup`,
    'source-deliveries': `${page}/deliveries`,
    'source-delivery-refused': `${page}/deliveries?status_class=4xx`,
    'source-test': `${page}/test`,
    'source-settings': `${page}/settings`,
    keys: '/settings/api-keys',
    members: '/settings/members',
    audit: '/settings/audit-log',
    profile: '/settings/profile',
    ops: '/ops',
  });
  await shootAll('', undefined, { 'sign-in': '/sign-in' });
} finally {
  await browser.close();
  await stack.stop();
}

async function fill(at: Stack, owner: Person): Promise<TestSource> {
  const source = await addSource(at, owner);
  await addSource(at, owner);
  for (const [index, title] of TITLES.entries()) {
    await send(source, { title, location: index % 2 === 0 ? 'Berlin' : 'Hamburg' });
  }
  await send(source, {}, 'whsec_wrong');
  await send(source, { title: '' });
  await callAs(at, owner, 'POST', '/keys', { name: 'Zapier', scopes: ['webhooks'], expires_at: null });
  await callAs(at, owner, 'POST', '/keys', {
    name: 'Reporting',
    scopes: ['read:leads', 'read:conversations'],
  });
  await at.addPerson('viewer');
  return source;
}

async function shootAll(
  prefix: string,
  person: Person | undefined,
  pages: Record<string, string>,
): Promise<void> {
  for (const width of [1440, 360]) {
    for (const scheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
      if (person !== undefined) {
        const [name = '', value = ''] = person.cookie.split('=');
        await context.addCookies([{ name, value, url: stack.url }]);
      }
      const page = await context.newPage();
      for (const [name, path] of Object.entries(pages)) {
        const file = [prefix, name, width, scheme].filter((part) => part !== '').join('-');
        await shoot(page, path, join(folder, `${file}.png`));
      }
      await context.close();
    }
  }
}

async function shoot(page: Page, path: string, file: string): Promise<void> {
  await page.goto(stack.url + path);
  await page.waitForTimeout(SETTLE_MS);
  const opens = path.includes('status_class');
  if (opens) {
    await page.locator('[data-row]').first().click();
    await page.waitForTimeout(SETTLE_MS);
  }
  await page.screenshot({ path: file, fullPage: !opens });
}
