import type { SubscriptionRecord } from '@sluice/contract/subscription/subscription';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { sharedBrowser } from '../browser/support/shared-browser.ts';
import { until } from '../support/until.ts';
import { createFlows } from './support/flows.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { type NodeRed, startNodeRed } from './support/node-red.ts';

const WITHIN = { withinMs: 30_000 };

/** The forms of the nodes in the real editor, as a person fills them in. */
describe('node-red: the editor', function () {
  this.timeout(300_000);
  let sluice: Installation;
  let nodeRed: NodeRed;
  let key: string;
  let context: BrowserContext;
  let page: Page;
  before(async () => {
    [sluice, nodeRed] = await Promise.all([
      startInstallation(),
      startNodeRed({ editorTheme: { tours: false } }),
    ]);
    key = await sluice.addKey();
    context = await (await sharedBrowser()).newContext({ viewport: { width: 1440, height: 900 } });
  });
  beforeEach(async () => {
    page = await context.newPage();
  });
  afterEach(() => page?.close());
  after(async () => {
    await context?.close();
    await nodeRed?.remove();
    await sluice?.stop();
  });

  const list = async () => (await sluice.call<{ data: SubscriptionRecord[] }>(key, 'GET', '/webhooks')).data;
  const open = async () => {
    await page.goto(nodeRed.url);
    await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' });
  };
  /** Adds a node by the search of the editor (Ctrl and click), and opens its form. */
  const addNode = async (label: string) => {
    const workspace = page.locator('#red-ui-workspace-chart');
    await workspace.click({ position: { x: 300, y: 200 }, modifiers: ['ControlOrMeta'] });
    const search = page.locator('.red-ui-type-search');
    await search.locator('input').pressSequentially(label);
    await search.locator('.red-ui-search-result').filter({ hasText: label }).first().click();
    const node = page.locator('g.red-ui-flow-node-group.red-ui-flow-node-selected');
    await node.waitFor();
    await node.dblclick();
    await page.locator('#node-dialog-ok').waitFor();
  };
  const finish = async () => {
    await page.locator('#node-dialog-ok').click();
    await page.locator('#node-dialog-ok').waitFor({ state: 'hidden' });
  };
  const deploy = async () => {
    const answered = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/flows'),
    );
    await page.locator('#red-ui-header-button-deploy').click();
    expect((await answered).status()).to.equal(200);
  };

  it('subscribes from an empty flow: a node, its server with an API key, an event kind, and a deploy', async () => {
    await open();
    await addNode('sluice in');
    await page.locator('#node-input-btn-server-add').click();
    await page.locator('#node-config-input-baseUrl').fill(sluice.apiUrl);
    await page.locator('#node-config-input-apiKey').fill(key);
    await page.locator('#node-config-input-publicUrl').fill(nodeRed.url);
    await page.locator('#node-config-dialog-ok').click();
    const events = page.locator('#node-input-events');
    await events.locator('option[value="lead.created"]').waitFor({ state: 'attached' });
    await events.selectOption(['lead.created']);
    await finish();
    await deploy();
    await until(async () => (await list()).length === 1, { what: 'a subscription', ...WITHIN });
    expect((await list())[0]).to.deep.include({ events: ['lead.created'], status: 'active' });
    // The key is kept as a credential, which no flow has.
    expect(JSON.stringify(await nodeRed.admin('GET', '/flows'))).to.not.include(key);
  });

  it('keeps the chosen kinds if the menu cannot be loaded, and those that it lacks', async () => {
    const flows = createFlows({ apiUrl: sluice.apiUrl, publicUrl: nodeRed.url });
    const chosen = ['lead.created', 'lead.of_a_later_version'];
    await nodeRed.deploy([...flows.base(key), ...flows.receiving('a2', chosen, { x: 300, y: 300 })]);
    await open();
    const menu = '**/sluice/*/event-kinds';
    const openAndFinish = async () => {
      const asking = page.waitForResponse(menu, { timeout: 120_000 });
      // The text of the status is part of the node, so the middle of the whole node is beside its box.
      await page.locator('#a2 .red-ui-flow-node').first().dblclick();
      const asked = await asking;
      const events = page.locator('#node-input-events');
      if (asked.ok()) await events.locator('option[value="lead.updated"]').waitFor({ state: 'attached' });
      await finish();
      return page.evaluate<string[]>('RED.nodes.node("a2").events');
    };
    expect(await openAndFinish()).to.have.members(chosen);
    await page.route(menu, (route) => route.fulfill({ status: 502, json: { message: 'Away.' } }));
    expect(await openAndFinish()).to.have.members(chosen);
  });

  const OPERATIONS = {
    'sluice lead': {
      create: [],
      upsert: ['match'],
      update: ['id'],
      move: ['id', 'stage'],
      get: ['id'],
      find: ['limit'],
    },
    'sluice conversation': {
      reply: ['id', 'author'],
      get: ['id'],
      find: ['limit'],
      messages: ['id', 'limit'],
    },
  } satisfies Record<string, Record<string, string[]>>;

  for (const [label, operations] of Object.entries(OPERATIONS))
    it(`shows the fields that the operation of a node "${label}" needs, and no others`, async () => {
      const prefix = `${label.replace(' ', '-')}-`;
      const rows = page.locator(`#dialog-form .form-row[class*="${prefix}"]:visible`);
      const shown = () =>
        rows.evaluateAll((all, start) => all.map((row) => row.className.split(start)[1]), prefix);
      await open();
      await addNode(label);
      for (const [operation, fields] of Object.entries(operations)) {
        await page.locator('#node-input-operation').selectOption(operation);
        expect(await shown(), operation).to.have.members(fields);
      }
      await finish();
    });
});
