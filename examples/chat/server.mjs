// A whole channel: a page where a visitor chats, and the server that connects it with Sluice. Needs Node alone. See README.md.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { CHANNEL_URL, SLUICE_SIGNING_SECRET, SLUICE_REPLY_SECRET, SLUICE_API_KEY } = process.env;
const { SLUICE_URL = 'http://localhost:8081', PORT = '3000' } = process.env;
if (!CHANNEL_URL || !SLUICE_SIGNING_SECRET) throw new Error('Set CHANNEL_URL and SLUICE_SIGNING_SECRET.');
const channelId = new URL(CHANNEL_URL).pathname.split('/').at(-1);
const page = await readFile(new URL('index.html', import.meta.url));
/** The messages of each visitor, by message id. */
const chats = new Map();

/** Sends one action to the endpoint URL of the channel. The signature covers exactly these bytes. */
async function send(action, visitor, message) {
  const conversation = { external_id: visitor, subject: 'Website chat' };
  const body = JSON.stringify({ action, conversation, message });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', SLUICE_SIGNING_SECRET).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-service-timestamp': timestamp,
    'x-service-signature': `sha256=${signature}`,
  };
  // A redirect would make a GET of it, at another address.
  const response = await fetch(CHANNEL_URL, { method: 'POST', headers, body, redirect: 'error' });
  if (!response.ok) throw new Error(`Sluice responded with ${response.status}: ${await response.text()}`);
}

/** Shows a message to its visitor. The same message again changes nothing. */
const show = (visitor, { id, author, text }) => chats.get(visitor)?.set(id, { author, text });

/** Accepts a reply that Sluice delivers to the reply URL, signed as Standard Webhooks describes. */
function takeReply(headers, body) {
  const [id, at] = [headers['webhook-id'], headers['webhook-timestamp']];
  if (!SLUICE_REPLY_SECRET || Math.abs(Date.now() / 1000 - Number(at)) > 300) return 401;
  const key = Buffer.from(SLUICE_REPLY_SECRET.replace('whsec_', ''), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest();
  const fits = (one) => {
    const sent = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return sent.length === wanted.length && timingSafeEqual(sent, wanted);
  };
  if (!String(headers['webhook-signature']).split(' ').some(fits)) return 401;
  const { type, data } = JSON.parse(body);
  if (type === 'conversation.reply') show(data.conversation.external_id, data);
  return 204;
}

/** Reads the replies by API, for a server that Sluice can't reach: which conversations have changed, then their messages. */
let since = new Date().toISOString();
async function poll() {
  const read = async (path) => {
    const headers = { authorization: `Bearer ${SLUICE_API_KEY}` };
    const response = await fetch(`${SLUICE_URL}/api/public/conversations${path}`, {
      headers,
      redirect: 'error',
    });
    if (!response.ok) throw new Error(`Sluice responded with ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const changed = await read(
    `?${new URLSearchParams({ channel: channelId, updated_since: since, limit: 200 })}`,
  );
  for (const { id, external_id: visitor } of changed.data) {
    const { data } = await read(`/${id}/messages?sort=-created_at&limit=50`);
    for (const message of data.toReversed()) if (message.author === 'agent') show(visitor, message);
  }
  since = changed.updated_until ?? since;
}

const routes = {
  'GET /': () => [200, page, 'text/html; charset=utf-8'],
  'GET /messages': ({ visitor }) => [
    200,
    JSON.stringify([...chats.get(visitor).values()]),
    'application/json',
  ],
  'POST /messages': async ({ visitor, body }) => {
    const message = { external_id: randomUUID(), author: 'visitor', text: JSON.parse(body).text };
    await send('message', visitor, message);
    show(visitor, { ...message, id: message.external_id });
    return [204];
  },
  'POST /person': async ({ visitor }) => [await send('request_handoff', visitor).then(() => 204)],
  'POST /replies': ({ headers, body }) => [takeReply(headers, body)],
};

const server = createServer(async (request, response) => {
  let body = '';
  // Otherwise a character that is cut between two chunks breaks the text, and with it the signature.
  request.setEncoding('utf8');
  for await (const chunk of request) body += chunk;
  const visitor = /\bvisitor=([\w-]{36})/.exec(request.headers.cookie ?? '')?.[1] ?? randomUUID();
  if (!chats.has(visitor)) chats.set(visitor, new Map());
  const route = routes[`${request.method} ${request.url}`] ?? (() => [404]);
  const answer = async () => route({ visitor, body, headers: request.headers });
  const [status, content = '', type = 'text/plain'] = await answer().catch((error) => [502, error.message]);
  const cookie = `visitor=${visitor}; HttpOnly; SameSite=Lax; Path=/`;
  response.writeHead(status, { 'content-type': type, 'set-cookie': cookie }).end(content);
});
server.listen(Number(PORT), '127.0.0.1', () =>
  process.stdout.write(`chat: http://localhost:${server.address().port}\n`),
);
const report = (error) => process.stderr.write(`${error.message}\n`);
if (SLUICE_API_KEY) setInterval(() => poll().catch(report), 1000);
