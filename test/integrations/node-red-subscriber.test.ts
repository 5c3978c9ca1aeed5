import { expect } from 'chai';
import { startApiStub } from './support/api-stub.ts';
import { requireNodeRed } from './support/require-node-red.ts';

interface Shown {
  readonly state: string;
  readonly error?: Error;
}

const { Api } = requireNodeRed<{ Api: new (settings: object) => object }>('lib/call-api.js');
const { Subscriber } = requireNodeRed<{
  Subscriber: new (deps: object) => { start(): Promise<void>; close(): void };
}>('lib/subscriber.js');

describe('integrations: the subscription of a node of node-red-sluice', () => {
  let stub: Awaited<ReturnType<typeof startApiStub>>;
  beforeEach(async () => {
    stub = await startApiStub();
  });
  afterEach(() => stub.close());

  /** Starts a subscription, and returns the last state that the node shows. */
  async function start(): Promise<Shown> {
    const shown: Shown[] = [];
    const api = new Api({ baseUrl: stub.url, apiKey: 'slc_live_1' });
    const body = { target_url: 'http://localhost:1880/sluice/1', events: ['lead.created'] };
    const subscriber = new Subscriber({ api, body, show: (one: Shown) => shown.push(one) });
    await subscriber.start();
    subscriber.close();
    return shown.at(-1) as Shown;
  }

  it('shows that it is subscribed once Sluice has returned the secret', async () => {
    stub.reply = () => ({ status: 201, body: { id: 'sub_1', secret: 'whsec_1' } });
    expect(await start()).to.deep.equal({ state: 'subscribed' });
  });

  it('is rejected by a service that is not Sluice, although it responds with 200', async () => {
    for (const reply of [{ body: {} }, { body: null }, { body: { id: 7 } }, { status: 204 }]) {
      stub.reply = () => reply;
      const { state, error } = await start();
      expect(state).to.equal('rejected');
      expect(error?.message).to.match(/^No Sluice API server responds at the base URL\./);
    }
  });

  it('follows no redirect', async () => {
    stub.reply = () => ({ status: 307, headers: { Location: `${stub.url}/elsewhere` } });
    expect((await start()).state).to.equal('rejected');
    expect(stub.sent).to.have.length(1);
  });
});
