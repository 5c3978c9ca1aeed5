import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkMessageSignature } from '@sluice/signature/standard-webhooks';
import { expect } from 'chai';
import { sluice } from '../cli/support.ts';
import { type OutboundPipeline, startOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Received, type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import type { TestSource } from '../support/ingress.ts';
import { expectAllAccepted, itWhenInTime } from '../support/machine-late.ts';
import { postUpsert } from '../support/post.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

/** Milliseconds between two requests of a sender: a slow and steady load, so that every step happens under load. */
const PACE_MS = 15;
const SENDERS = 2;
/** If the ingresses log that Redis was late on a busy machine, the run proves nothing about the keys. */
const RUNS_AFTER_A_LATE_ONE = 2;

/** The steps of docs/security.md, in their order. */
describe('SLUICE_SECRET_KEY is changed while requests come in', function () {
  this.timeout(240_000);
  let pipeline: OutboundPipeline;
  let receiver: Receiver;
  let webhookSecret: string;
  let source: TestSource;
  let api: ServiceProcess | undefined;
  let load: Load;
  beforeEach(async () => {
    pipeline = await startOutboundPipeline({ ingress: 2, workers: 1, dispatchers: 1 });
    receiver = await startReceiver();
    source = await pipeline.addSource();
    const body = { target_url: receiver.url, events: ['event.created'] };
    ({ secret: webhookSecret } = await pipeline.subscribe(source.accountId, body));
    load = startLoad(source, [...pipeline.urls]);
  });
  afterEach(async () => {
    await load?.stop();
    await api?.kill('SIGKILL');
    await pipeline?.stop();
    await receiver?.close();
  });

  itWhenInTime(
    'no request is rejected, and in the end no process needs the former key',
    RUNS_AFTER_A_LATE_ONE,
    async () => {
      const formerKey = pipeline.env.SLUICE_SECRET_KEY as string;
      const newKey = randomBytes(32).toString('base64');
      const both = { SLUICE_SECRET_KEY: newKey, SLUICE_SECRET_KEYS_OLD: formerKey };
      await startApi({});
      await replaceAll(both);
      await replaceDispatcher(both);
      await startApi(both);
      const meanwhile = await createSource(both);
      await load.more();
      const resealed = await sluice(['secrets', 'reseal', '--json'], { env: { ...pipeline.env, ...both } });
      expect(resealed.rows).to.deep.equal([{ resealed: 2, already_current: 1, unreadable: 0 }]);
      await load.more();
      await replaceAll({ SLUICE_SECRET_KEY: newKey });
      await replaceDispatcher({ SLUICE_SECRET_KEY: newKey });
      await startApi({ SLUICE_SECRET_KEY: newKey });
      await load.more();
      for (const url of load.urls) expect((await postUpsert(url, meanwhile)).status).to.equal(200);

      const statuses = await load.stop();
      const logged = [...pipeline.ingresses, ...pipeline.dispatchers].flatMap(({ log }) => log);
      expect(logged.filter(({ event }) => String(event).endsWith('.sealed'))).to.deep.equal([]);
      expectAllAccepted(statuses, pipeline.ingresses);
      const rows = await pipeline.logged(source, statuses.length);
      expect(new Set(rows.map(({ outcome }) => outcome))).to.deep.equal(new Set(['created']));
      expect(rows).to.have.length(statuses.length);
      await until(() => idsOf(receiver).size >= statuses.length, { what: 'a message for each event' });
      const forged = receiver.received.filter((one) => !isSigned(one, webhookSecret));
      expect(forged, 'messages with a wrong signature').to.deep.equal([]);
    },
  );

  /** Replaces its only replica. It becomes ready only if its keys open the sealed secrets. */
  async function startApi(env: Record<string, string>): Promise<void> {
    await api?.kill('SIGTERM');
    api = startService('api', { ...pipeline.env, ...env });
    await api.ready();
  }

  async function replaceDispatcher(env: Record<string, string>): Promise<void> {
    const former = pipeline.dispatchers.at(-1) as ServiceProcess;
    await pipeline.addDispatcher(env);
    const received = receiver.received.length;
    await former.kill('SIGTERM');
    await until(() => receiver.received.length > received + SENDERS, {
      what: 'messages of the new dispatcher',
    });
  }

  /** Creates a source as the API does, which has the same keys by then. */
  async function createSource(env: Record<string, string>): Promise<Pick<TestSource, 'path' | 'secret'>> {
    const made = await sluice(
      ['source', 'create', '--name', 'Meanwhile', '--account', source.accountId, '--json'],
      { env: { ...pipeline.env, ...env } },
    );
    expect(made.code, made.stderr).to.equal(0);
    const { source_id, signing_secret } = made.rows[0] as Record<string, string>;
    return { path: `/api/v1/events/webhook/${source_id}`, secret: signing_secret as string };
  }

  /** Replaces every ingress by one with this environment, one after the other, as a rolling restart does. */
  async function replaceAll(env: Record<string, string>): Promise<void> {
    for (const [index, former] of [...pipeline.ingresses.entries()].filter(
      ([, one]) => one.ended() === undefined,
    )) {
      load.urls.push(await pipeline.addIngress(env));
      // The load balancer stops sending to it before it gets SIGTERM.
      load.urls.splice(load.urls.indexOf(pipeline.urls[index] as string), 1);
      await former.kill('SIGTERM');
    }
  }
});

const idsOf = ({ received }: Receiver) => new Set(received.map(({ id }) => id));

function isSigned({ id, headers, text }: Received, secret: string): boolean {
  const timestamp = Number(headers['webhook-timestamp']);
  const message = { messageId: id, timestamp, body: Buffer.from(text) };
  return checkMessageSignature(secret, String(headers['webhook-signature']), message);
}

interface Load {
  /** The ingress URLs; requests alternate between them. */
  readonly urls: string[];
  /** Resolves once every sender has had some more responses. */
  more(): Promise<void>;
  /** Every status received; 0 if the connection broke. */
  stop(): Promise<number[]>;
}

function startLoad(source: TestSource, urls: string[]): Load {
  const statuses: number[] = [];
  let going = true;
  let turn = 0;
  const send = async () => {
    while (going) {
      const url = urls[turn++ % urls.length] as string;
      statuses.push(
        await postUpsert(url, source).then(
          ({ status }) => status,
          () => 0,
        ),
      );
      await sleep(PACE_MS);
    }
  };
  const senders = Promise.all(Array.from({ length: SENDERS }, send));
  return {
    urls,
    async more() {
      const enough = statuses.length + 10 * SENDERS;
      await until(() => statuses.length >= enough, { what: 'more responses' });
    },
    async stop() {
      going = false;
      await senders;
      return statuses;
    },
  };
}
