import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import { type Browser, chromium } from 'playwright-core';
import { npmStart, ready, signal } from '../launcher/support/npm-start.ts';
import { chromiumPath } from '../support/chromium.ts';
import { processesOf } from '../support/processes-of.ts';
import { until } from '../support/until.ts';
import { TRIGGER } from './support/trigger.ts';
import { useN8n } from './support/use-n8n.ts';

/** A folder for the pictures of docs/integrations.md. Unset: none are made. */
const PICTURES = process.env.SCREENSHOTS;
const FIVE_MINUTES_MS = 300_000;
/** The editor of n8n is large. */
const PAGE_MS = 90_000;

describe('n8n: the five steps of docs/integrations.md', function () {
  this.timeout(600_000);
  const at = useN8n();
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-five-steps-'));
  let browser: Browser | undefined;
  after(async () => {
    await browser?.close();
    for (const { pid } of processesOf(dataDir)) signal(pid, 'SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  it('lead from npm start to a lead that starts a workflow within five minutes', async () => {
    const began = Date.now();
    const { script, ports } = await npmStart(dataDir, { OUTBOUND_PRIVATE_NETWORKS: 'true' });
    await ready(script);
    const url = `http://127.0.0.1:${ports.api}`;
    const token = /\/welcome#token=(\S+)/.exec(script.lines.join('\n'))?.[1];
    let cookie = '';
    const call = async <T>(path: string, body: object): Promise<T> => {
      const headers = { 'content-type': 'application/json', cookie };
      const response = await fetch(`${url}${DASHBOARD_API}${path}`, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
      });
      expect(response.ok, path).to.equal(true);
      cookie ||= (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
      return (await response.json()) as T;
    };
    const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
    await call('/welcome', { token, ...person });
    // 1. The package is in place, and n8n is restarted.
    await at.n8n.stop();
    await at.n8n.start();
    // 2. to 4. A key, a credential, and a published workflow.
    const scopes = ['webhooks', 'read:leads', 'write:leads'];
    const { key } = await call<{ key: string }>('/keys', { name: 'n8n', scopes });
    const credential = await at.editor.addCredential('sluiceApi', { baseUrl: url, apiKey: key });
    const trigger = {
      ...{ name: TRIGGER, type: 'n8n-nodes-sluice.sluiceTrigger', typeVersion: 1 },
      ...{ parameters: { events: ['lead.created'] }, credentials: { sluiceApi: credential } },
    };
    const workflow = await at.editor.addWorkflow([trigger], { name: 'Leads to Slack' });
    await at.editor.publish(workflow);
    // 5. A lead.
    await call('/leads', { name: 'Grace Hopper', email: 'grace@example.com' });
    const [execution] = await at.editor.executed(workflow, 1);
    expect(execution?.items[TRIGGER]?.[0]).to.include({ name: 'Grace Hopper', event: 'lead.created' });
    const tookMs = Date.now() - began;
    process.stderr.write(`      from npm start to the workflow: ${Math.round(tookMs / 1000)} s
`);
    expect(tookMs).to.be.below(FIVE_MINUTES_MS);
    if (PICTURES !== undefined) await takePictures(PICTURES, workflow.id);
    await at.editor.unpublish(workflow);

    async function takePictures(folder: string, workflowId: string) {
      browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });
      const editor = await at.n8n.open(browser, `/workflow/${workflowId}`);
      editor.setDefaultTimeout(PAGE_MS);
      await editor.locator('[data-test-id="canvas-node"]').first().dblclick({ force: true });
      await editor.getByText('Lead created').first().waitFor();
      await editor.screenshot({ path: join(folder, 'n8n-trigger.png') });
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url }]);
      const page = await context.newPage();
      await page.goto(`${url}/settings/integrations`);
      await until(() => page.getByText('n8n, workflow Leads to Slack').isVisible());
      await page.screenshot({ path: join(folder, 'integrations.png') });
    }
  });
});
