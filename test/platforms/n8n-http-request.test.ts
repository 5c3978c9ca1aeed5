import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { runNodes } from './support/run-node.ts';
import { useN8n } from './support/use-n8n.ts';

const HTTP = 'HTTP Request';

/** docs/sending-events.md, "Sign what is sent", has a row about it. */
describe("n8n's own HTTP Request node", function () {
  this.timeout(120_000);
  const at = useN8n();
  const got: string[] = [];
  let receiver: Server;
  before(async () => {
    receiver = createServer(async (request, response) => {
      got.push(await text(request));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  after(() => receiver?.close());

  async function sent(parameters: object): Promise<string> {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const { error } = await runNodes(at, [
      {
        name: HTTP,
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        parameters: { method: 'POST', url, sendBody: true, ...parameters },
      },
    ]);
    expect(error?.message).to.equal(undefined);
    return got.at(-1) ?? expect.fail('nothing was sent');
  }

  it('writes JSON again, so numbers and blanks differ from what was signed', async () => {
    const jsonBody = '{ "price": 1.0, "id": 12345678901234567890 }';
    const body = await sent({ contentType: 'json', specifyBody: 'json', jsonBody });
    expect(body).to.equal('{"price":1,"id":12345678901234567000}');
  });

  it('trims a raw body of type JSON', async () => {
    const body = await sent({
      contentType: 'raw',
      rawContentType: 'application/json',
      body: ' {"price": 1.0}\n',
    });
    expect(body).to.equal('{"price": 1.0}');
  });

  it('sends a raw body without blanks around it unchanged', async () => {
    const exact = '{"price": 1.0, "id": 12345678901234567890}';
    const body = await sent({ contentType: 'raw', rawContentType: 'application/json', body: exact });
    expect(body).to.equal(exact);
  });
});
