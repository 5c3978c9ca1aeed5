import { expect } from 'chai';
import { until } from '../support/until.ts';
import { requireNodeRed } from './support/require-node-red.ts';

interface Subscriber {
  start(): Promise<void>;
  moveHere(id: string): Promise<void>;
  unsubscribe(): Promise<void>;
  close(): void;
}

const { Subscriber } = requireNodeRed<{
  Subscriber: new (deps: {
    readonly api: object;
    readonly body: object;
    readonly show: (shown: { readonly state: string }) => void;
  }) => Subscriber;
}>('lib/subscriber.js');

describe('integrations: a node of node-red-sluice that is removed while it subscribes', () => {
  /** An API that responds when the test lets it. */
  function slowApi() {
    const called: string[] = [];
    const waiting: (() => void)[] = [];
    const call = (method: string) => {
      called.push(method);
      return new Promise((resolve) => waiting.push(() => resolve({ id: 'sub_1', secret: 'whsec_1' })));
    };
    const respond = () => waiting.shift()?.();
    return { called, respond, api: { call } };
  }
  const shown: string[] = [];
  const subscriberOf = (api: object) =>
    new Subscriber({
      ...{ api, body: { target_url: 'https://flows.example.com/sluice/a' } },
      show: ({ state }) => shown.push(state),
    });
  beforeEach(() => {
    shown.length = 0;
  });

  it('deletes the subscription once its create has ended, so that the create does not revive it', async () => {
    const { called, respond, api } = slowApi();
    const subscriber = subscriberOf(api);
    const starting = subscriber.start();
    const removed = subscriber.unsubscribe();
    expect(called).to.deep.equal(['POST']);
    respond();
    await starting;
    await until(() => called.length === 2);
    expect(called).to.deep.equal(['POST', 'DELETE']);
    respond();
    await removed;
    expect(shown).to.deep.equal(['subscribing']);
  });

  it('deletes the subscription that moves to its address, once it has moved', async () => {
    const { called, respond, api } = slowApi();
    const subscriber = subscriberOf(api);
    const moving = subscriber.moveHere('sub_1');
    const removed = subscriber.unsubscribe();
    expect(called).to.deep.equal(['PATCH']);
    respond();
    await moving;
    await until(() => called.length === 2);
    expect(called).to.deep.equal(['PATCH', 'DELETE']);
    respond();
    await removed;
  });

  it('moves no subscription to an address that nothing receives any more', async () => {
    const { called, api } = slowApi();
    const subscriber = subscriberOf(api);
    subscriber.close();
    await subscriber.moveHere('sub_1');
    expect(called).to.deep.equal([]);
  });
});
