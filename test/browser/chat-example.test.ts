import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ConversationAction } from '@sluice/contract/conversation/conversation-action';
import { parseConversationText } from '@sluice/contract/conversation/parse-conversation';
import { newReplySecret } from '@sluice/credentials/reply-secret';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { sharedBrowser } from './support/shared-browser.ts';
import { verify } from './support/verify.ts';

const SERVER = fileURLToPath(new URL('../../examples/chat/server.mjs', import.meta.url));
const SIGNING_SECRET = 'whsec_4fJ2kLm9QpRs7TuVwXyZ1aBcDeFgHiJkLmNoPqRsTuV';

/** The example beside a stand-in for Sluice, which checks each signed request and serves the replies of an agent. */
describe('browser: the example of a chat', () => {
  const replySecret = newReplySecret();
  let sluice: Server;
  let chat: ChildProcess;
  let chatUrl: string;
  let context: BrowserContext;
  let page: Page;
  let isDown = false;
  const sent: ConversationAction[] = [];
  let replies: { id: string; author: string; text: string }[] = [];

  before(async () => {
    sluice = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (request.method === 'POST') {
        const parsed = parseConversationText(body.toString());
        if (isDown) {
          response.writeHead(503).end('{"detail":"Try again."}');
          return;
        }
        const valid = verify(request.headers, body, SIGNING_SECRET) && parsed.outcome === 'valid';
        if (valid) sent.push(parsed.action);
        response.writeHead(valid ? 200 : 401).end('{}');
        return;
      }
      const external_id = sent[0]?.conversation.external_id;
      const isList = new URL(request.url ?? '', 'http://sluice').pathname === '/api/public/conversations';
      const data = isList ? (external_id === undefined ? [] : [{ id: 'conv_1', external_id }]) : replies;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    }).listen(0, '127.0.0.1');
    await once(sluice, 'listening');
    const url = `http://127.0.0.1:${(sluice.address() as AddressInfo).port}`;
    chat = spawn(process.execPath, [SERVER], {
      env: {
        PATH: process.env.PATH,
        CHANNEL_URL: `${url}/api/v1/conversations/webhook/chn_1`,
        SLUICE_SIGNING_SECRET: SIGNING_SECRET,
        SLUICE_REPLY_SECRET: replySecret,
        SLUICE_URL: url,
        SLUICE_API_KEY: 'slc_live_example',
        PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(chat.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    chatUrl = /http:\S+/.exec(line.toString())?.[0] ?? '';
    context = await (await sharedBrowser()).newContext();
    page = await context.newPage();
    await page.goto(chatUrl);
  });
  after(async () => {
    await context?.close();
    chat?.kill();
    sluice?.close();
  });

  const lines = () => page.getByRole('listitem').allTextContents();

  it('signs what the visitor writes, and asks for a person', async () => {
    await page.getByLabel('Message').fill('Is anyone <b>there</b>?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Is anyone <b>there</b>?').waitFor();
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    await until(() => sent.length === 2, { what: 'both requests have arrived' });
    expect(sent.map(({ kind }) => kind)).to.deep.equal(['message', 'request_handoff']);
    expect(sent[0]?.message).to.include({ author: 'visitor', text: 'Is anyone <b>there</b>?' });
    expect(sent[1]?.conversation.external_id).to.equal(sent[0]?.conversation.external_id);
  });

  it('shows a reply that it reads by API, once', async () => {
    replies = [{ id: 'cmsg_1', author: 'agent', text: 'Yes, I am.' }];
    await page.getByText('Yes, I am.').waitFor();
    await until(async () => (await lines()).length === 2, { what: 'the reply is there once' });
  });

  it('accepts a reply at its reply URL if its signature is valid, and no other', async () => {
    const external_id = sent[0]?.conversation.external_id;
    const body = JSON.stringify({
      type: 'conversation.reply',
      data: { id: 'cmsg_2', author: 'agent', text: 'Delivered to you.', conversation: { external_id } },
    });
    const at = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(replySecret.replace('whsec_', ''), 'base64');
    const signed = (text: string) => createHmac('sha256', key).update(text).digest('base64');
    const post = async (timestamp: string, signature: string) =>
      (
        await fetch(`${chatUrl}/replies`, {
          method: 'POST',
          headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature },
          body,
        })
      ).status;
    expect(await post(at, `v1,${signed(`msg_2.${at}.${body}`)}`), 'of another message').to.equal(401);
    const old = String(Number(at) - 600);
    expect(await post(old, `v1,${signed(`msg_1.${old}.${body}`)}`), 'too old').to.equal(401);
    expect(await lines()).to.have.length(2);
    expect(await post(at, `v1,AAAA v1,${signed(`msg_1.${at}.${body}`)}`), 'valid').to.equal(204);
    await page.getByText('Delivered to you.').waitFor();
  });

  it('accepts a long reply whose characters are cut between the chunks of its body', async () => {
    const external_id = sent[0]?.conversation.external_id;
    const text = '\u20ac'.repeat(200_000);
    const body = JSON.stringify({
      type: 'conversation.reply',
      data: { id: 'cmsg_3', author: 'agent', text, conversation: { external_id } },
    });
    const at = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(replySecret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`msg_3.${at}.${body}`).digest('base64');
    const headers = {
      'webhook-id': 'msg_3',
      'webhook-timestamp': at,
      'webhook-signature': `v1,${signature}`,
    };
    expect((await fetch(`${chatUrl}/replies`, { method: 'POST', headers, body })).status).to.equal(204);
  });

  it('keeps a message that was not sent, and says why until it is', async () => {
    isDown = true;
    const field = page.getByLabel('Message');
    await field.fill('Hello?');
    await page.getByRole('button', { name: 'Send' }).click();
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'Sluice responded with 503' }).waitFor();
    for (let reads = 0; reads < 2; reads++)
      await (await page.waitForResponse((response) => response.request().method() === 'GET')).finished();
    expect(await alert.textContent()).to.contain('503');
    expect(await field.inputValue()).to.equal('Hello?');
    isDown = false;
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Hello?' }).waitFor();
    expect(await alert.textContent()).to.equal('');
    expect(await field.inputValue()).to.equal('');
  });
});
