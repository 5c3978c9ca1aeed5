import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ChannelCreated, ReplySecret } from '@sluice/dashboard-api/channels';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { sharedBrowser } from './support/shared-browser.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

const SERVER = fileURLToPath(new URL('../../examples/chat/server.mjs', import.meta.url));

/** The example of a channel with the whole service: two pages, one of the visitor and one of the agent. */
describe('browser: a visitor of the example chat and an agent in the dashboard', function () {
  this.timeout(240_000);
  const at = useBrowser({ dispatchers: 1 });
  let chat: ChildProcess;
  let chatUrl: string;
  let agent: Person;
  let context: BrowserContext;

  before(async () => {
    agent = await at.stack.addPerson('admin');
    const port = await freePort();
    chatUrl = `http://localhost:${port}`;
    await startChat(port);
    context = await (await sharedBrowser()).newContext();
  });
  after(async () => {
    await context?.close();
    chat?.kill();
  });

  /** Adds a channel as the README says, and starts the server with its secrets. */
  async function startChat(port: number): Promise<void> {
    const call = <T>(method: string, path: string, body?: object) =>
      callAs<T>(at.stack, agent, method, path, body);
    const { channel, signing_secret } = await call<ChannelCreated>('POST', '/channels', { name: 'Chat' });
    const path = `/channels/${channel.channel_id}`;
    await call('PATCH', path, { reply_url: `http://127.0.0.1:${port}/replies` });
    const { reply_secret } = await call<ReplySecret>('POST', `${path}/reply-secret/reveal`);
    chat = spawn(process.execPath, [SERVER], {
      env: {
        PATH: process.env.PATH,
        CHANNEL_URL: channel.endpoint_url,
        SLUICE_SIGNING_SECRET: signing_secret,
        SLUICE_REPLY_SECRET: reply_secret,
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(chat.stdout as NodeJS.ReadableStream, 'data');
  }

  const say = async (visitor: Page, text: string) => {
    await visitor.getByLabel('Message').fill(text);
    await visitor.getByRole('button', { name: 'Send' }).click();
    await visitor.getByRole('listitem').filter({ hasText: text }).waitFor();
  };

  it('talk with each other: each sees what the other writes, in order, and the reply is delivered', async () => {
    const desk = await at.open('/conversations', agent);
    const visitor = await context.newPage();
    await visitor.goto(chatUrl);
    await say(visitor, 'Is there still a seat?');
    await visitor.getByRole('button', { name: 'Talk to a person' }).click();

    const row = desk.getByRole('list', { name: 'Conversations' }).getByRole('link');
    await row.filter({ hasText: 'Is there still a seat?' }).click();
    const thread = desk.getByRole('region', { name: 'Messages' });
    await thread.getByText('Is there still a seat?').waitFor();
    await desk.getByRole('button', { name: 'Take over' }).click();
    await desk.getByRole('textbox', { name: 'Reply' }).fill('Yes, <b>two</b>.');
    await desk.keyboard.press('Enter');
    await visitor.getByText('Yes, <b>two</b>.').waitFor();
    await thread.getByText('delivered').waitFor();

    await say(visitor, 'Please keep one for me.');
    await thread.getByText('Please keep one for me.').waitFor();
    expect(await visitor.getByRole('listitem').allTextContents()).to.deep.equal([
      'Is there still a seat?',
      'Yes, <b>two</b>.',
      'Please keep one for me.',
    ]);
    await desk.getByRole('button', { name: 'End handoff' }).click();
    await desk.getByText('Take over to reply').waitFor();
  });

  it('talk in private: another visitor sees nothing of it', async () => {
    const other = await (await sharedBrowser()).newContext();
    try {
      const page = await other.newPage();
      await page.goto(chatUrl);
      await say(page, 'Hello from somebody else');
      await until(async () => (await page.getByRole('listitem').count()) === 1);
    } finally {
      await other.close();
    }
  });
});
