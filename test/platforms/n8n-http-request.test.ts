import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startCountingServer } from './support/counting-server.ts';
import { runNodes } from './support/run-node.ts';
import { useN8n } from './support/use-n8n.ts';

const HTTP = 'HTTP Request';

/** docs/sending-events.md, "Sign what is sent", has a row about it. */
describe("n8n's own HTTP Request node", function () {
  this.timeout(120_000);
  const at = useN8n();
  const got: string[] = [];
  let receiver: Awaited<ReturnType<typeof startCountingServer>>;
  before(async () => {
    receiver = await startCountingServer(async (request, response) => {
      got.push(await text(request));
      response.end();
    });
  });
  after(() => receiver?.stop());

  async function sent(parameters: object): Promise<string> {
    const url = `${receiver.url}/`;
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
