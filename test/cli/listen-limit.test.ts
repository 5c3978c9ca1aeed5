import { newApiKey } from '@sluice/credentials/api-key';
import { expect } from 'chai';
import { serve } from '../support/serve.ts';
import { sluice } from './support.ts';

/** Three messages that arrive at once, as an API server sends them. */
const BURST = ['msg_1', 'msg_2', 'msg_3']
  .map((id) => {
    const message = { headers: { 'webhook-id': id }, body: `{"id":"${id}","type":"lead.created"}` };
    return `event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`;
  })
  .join('');

describe('sluice listen --limit', function () {
  this.timeout(60_000);

  for (const limit of [1, 2])
    it(`forwards and prints ${limit} of a burst of three, ends its subscription, and exits`, async () => {
      const received: unknown[] = [];
      const deleted: unknown[] = [];
      const { url: api } = await serve((request, response) => {
        if (request.method === 'POST')
          return response.writeHead(201).end('{"id":"sub_1","secret":"whsec_x"}');
        if (request.method === 'DELETE') {
          deleted.push(request.url);
          return response.writeHead(204).end();
        }
        return response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(BURST);
      });
      const { url: receiver } = await serve((request, response) => {
        received.push(request.headers['webhook-id']);
        request.resume().on('end', () => response.end());
      });
      const args = ['listen', '--forward-to', receiver, '--limit', String(limit), '--json'];
      const done = await sluice(args, { env: { SLUICE_URL: api, SLUICE_API_KEY: newApiKey().key } });
      expect(done.code, done.stderr).to.equal(0);
      const printed = done.rows.filter(({ event }) => event === 'message');
      const wanted = ['msg_1', 'msg_2'].slice(0, limit);
      expect(printed.map(({ message_id }) => message_id)).to.have.members(wanted);
      expect(received).to.have.members(wanted);
      expect(deleted).to.deep.equal(['/api/public/webhooks/sub_1']);
    });
});
