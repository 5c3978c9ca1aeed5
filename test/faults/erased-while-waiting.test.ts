import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import supertest from 'supertest';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Received, type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import { type Person, SECRET_KEY, startApi } from '../support/api.ts';
import { addKey } from '../support/api-processes.ts';
import { freePort } from '../support/free-port.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { report } from './support/report.ts';

const ROUNDS = sized({ short: 1, middle: 2, long: 10 });
const CHANGES = sized({ short: 12, long: 900 });
/** More records than must fail before a receiver is probed. */
const OTHERS = 6;
/** Texts that a turn has taken are used for 2 s. */
const TAKEN_MS = 2_500;
const WITHIN_MS = 120_000;
const NAME = 'Zanzibar Quill';
const TEST_TEXT = '"type":"webhook.test","data":{}}';
const TRACES = ['zanzibar', 'quill', '5550199'];

/** A receiver that gets nothing, or responds to nothing, until it is back. */
interface Away {
  readonly url: string;
  readonly isTried: (subscriptionId: string) => Promise<boolean>;
  /** No turn has texts that it took before. */
  readonly isIdle: () => boolean;
  /** Resolves with how many requests had arrived before. */
  back(): Promise<{ readonly receiver: Receiver; readonly before: number }>;
}

describe('a lead that is erased while its messages wait', function () {
  this.timeout(sized({ short: 240_000, long: 1_500_000 }));
  const env = { SLUICE_SECRET_KEY: SECRET_KEY.toString('base64') };
  const pipeline = useOutboundPipeline({ dispatchers: 2, env });
  const api = use(() => {
    const { redis, namespace } = pipeline;
    const on = { redisUrl: redis.url, mongoUrl: pipeline.env.MONGO_URL as string, namespace };
    const config = { KEY_RATE_PER_MINUTE: 1_000_000, KEY_RATE_BURST: 100_000 };
    return startApi({ on, config, logLevel: 'info' });
  });
  let accountId: string;
  let owner: Person;
  let key: string;
  const receivers: Receiver[] = [];
  before(async () => {
    accountId = await api.addAccount();
    owner = await api.addPerson(accountId, 'owner');
    key = await addKey(pipeline, accountId);
  });
  after(async () => {
    await Promise.all(receivers.map((one) => one.close()));
  });

  async function receive(answer?: Receiver['answer'], port?: number): Promise<Receiver> {
    const one = await startReceiver(answer, port);
    receivers.push(one);
    return one;
  }
  async function subscribe(target_url: string, ordered: boolean): Promise<string> {
    const { subscription } = await pipeline.subscribe(accountId, { target_url, events: ['*'], ordered });
    return subscription.subscription_id;
  }
  async function write(method: 'post' | 'patch', path: string, body: object): Promise<string> {
    const answer = await supertest(api.app)
      [method](`/api/public/leads${path}`)
      .set('authorization', `Bearer ${key}`)
      .send(body);
    expect(answer.status, answer.text).to.be.below(300);
    return answer.body.id;
  }

  function signalDispatchers(signal: NodeJS.Signals): void {
    for (const { pid } of pipeline.dispatchers) process.kill(pid as number, signal);
  }

  /** A receiver that accepts requests and responds to none, until it is back. */
  async function hangingReceiver(): Promise<Away> {
    const open: ServerResponse[] = [];
    let lastAt = 0;
    const receiver = await receive((_received, response) => {
      open.push(response);
      lastAt = performance.now();
    });
    return {
      url: receiver.url,
      isTried: async () => open.length > 0,
      isIdle: () => performance.now() - lastAt > TAKEN_MS,
      async back() {
        const before = receiver.received.length;
        receiver.answer = (_received, response) => response.end();
        for (const response of open) response.writeHead(500).end();
        return { receiver, before };
      },
    };
  }

  /** A receiver at whose address nothing listens, until it is back. */
  async function absentReceiver(): Promise<Away> {
    const port = await freePort();
    return {
      url: `http://127.0.0.1:${port}/hook`,
      isTried: async (subscription_id) =>
        (await pipeline.store.webhookMessages.pageMessages({ subscription_id, limit: 10 })).length > 0,
      isIdle: () => true,
      back: async () => ({ receiver: await receive(undefined, port), before: 0 }),
    };
  }

  /** A receiver that is probed gets everything once a test is delivered. Its next probe would come after a minute. */
  async function healOne(id: string): Promise<void> {
    const test = { changeId: `test_${id}`, messageId: `msg_test_${id}`, recordId: 'test', text: TEST_TEXT };
    const push = () => pipeline.outbox.pushTest(accountId, id, test);
    await until(async () => (await push()).status === 'pushed', { what: 'a test is pushed' });
  }

  const traces = (all: readonly Received[]) =>
    all.filter(({ text }) => TRACES.some((trace) => text.toLowerCase().includes(trace)));
  const tells = (all: readonly Received[], kind: string, id: string) =>
    all.some(({ type, body }) => type === kind && (body.data as { id: string }).id === id);

  async function round(): Promise<{ leaked: string[]; waited: number }> {
    const healthy = await receive();
    await subscribe(healthy.url, false);
    const away: (Away & { readonly id: string })[] = [];
    for (const ordered of [false, true])
      for (const make of [hangingReceiver, absentReceiver]) {
        const one = await make();
        away.push({ ...one, id: await subscribe(one.url, ordered) });
      }
    const ids = away.map(({ id }) => id);

    // A turn then takes several messages at once.
    signalDispatchers('SIGSTOP');
    const person = await write('post', '', {
      name: NAME,
      email: 'quill@zanzibar.example',
      phone: '+49 30 5550199',
    });
    const others: string[] = [];
    for (let n = 0; n < CHANGES; n++) {
      await write('patch', `/${person}`, { company: `Quill & Co ${n}` });
      if (n < OTHERS) others.push(await write('post', '', { name: `Somebody ${n}` }));
    }
    signalDispatchers('SIGCONT');
    await until(() => tells(healthy.received, 'lead.created', others.at(-1) as string), {
      withinMs: WITHIN_MS,
    });
    expect(traces(healthy.received), 'it is published while nobody is erased').to.have.length.above(0);
    await until(async () => (await Promise.all(away.map((one) => one.isTried(one.id)))).every(Boolean), {
      withinMs: WITHIN_MS,
      what: 'each receiver was tried',
    });
    const waiting = await pipeline.outbox.status(accountId, ids);

    expect((await owner.call('delete', `/leads/${person}`)).status).to.equal(204);
    await until(() => tells(healthy.received, 'lead.erased', person), {
      withinMs: WITHIN_MS,
      what: 'it is published',
    });
    await until(() => away.every((one) => one.isIdle()), { what: 'no turn has texts that it took before' });
    const back = await Promise.all(away.map((one) => one.back()));
    await Promise.all(ids.map(healOne));

    const arrived = () => back.map(({ receiver, before }) => receiver.received.slice(before));
    const isComplete = (all: readonly Received[]) =>
      tells(all, 'lead.erased', person) && others.every((id) => tells(all, 'lead.created', id));
    await until(() => arrived().every(isComplete), {
      withinMs: WITHIN_MS,
      what: 'the erasure and the others are published',
    });
    const done = async () => (await pipeline.outbox.status(accountId, ids)).every((one) => one.waiting === 0);
    await until(done, { withinMs: WITHIN_MS, what: 'nothing waits any more' });
    return {
      leaked: traces(arrived().flat()).map(({ type, id }) => `${type} ${id}`),
      waited: waiting.reduce((sum, one) => sum + one.waiting, 0),
    };
  }

  it('guarantee 10: tells the erasure and the changes of others, and nothing about the person', async () => {
    const leaked: string[] = [];
    let waited = 0;
    for (let times = 0; times < ROUNDS; times++) {
      const one = await round();
      leaked.push(...one.leaked);
      waited += one.waited;
    }
    report(`${leaked.length} messages about the person, ${waited} messages waited`, ROUNDS);
    expect(leaked).to.deep.equal([]);
  });
});
