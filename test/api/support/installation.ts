import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { type Person, SECRET_KEY, startApi, type TestApi } from '../../support/api.ts';
import { atTheEndOfTheProcess } from '../../support/at-the-end.ts';
import { type Pipeline, startPipeline } from '../../support/pipeline.ts';
import { type Answer, post } from '../../support/post.ts';
import { signed } from '../../support/signed.ts';
import { until } from '../../support/until.ts';

export interface Source {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
}

/** The dashboard's API over a real ingress, a real worker and their stores. */
export interface Installation {
  readonly pipeline: Pipeline;
  readonly api: TestApi;
  /** Owns the account of every source. */
  readonly owner: Person;
  /** Owns another account. */
  readonly stranger: Person;
  readonly mongoUrl: string;
  addSource(): Promise<Source>;
  sendTo(source: Source, body: object | string): Promise<Answer>;
  list(source: Pick<Source, 'id'>, query?: string): Promise<DeliveryItem[]>;
  /** Waits until a source has `count` rows in the log. */
  logged(source: Source, count: number): Promise<DeliveryItem[]>;
}

/** Shared by all files, because starting it takes longer than most of their tests. Each file has its own accounts. */
let shared: Promise<Pipeline> | undefined;

function sharedPipeline(): Promise<Pipeline> {
  if (shared === undefined) {
    shared = startPipeline({ env: { SLUICE_SECRET_KEY: SECRET_KEY.toString('base64') } });
    atTheEndOfTheProcess(async () => (await shared)?.stop());
  }
  return shared;
}

/** An API with two accounts for one test file. Call it inside of `describe`; the result is usable within tests. */
export function useInstallation(): Installation {
  let pipeline: Pipeline;
  let api: TestApi;
  let owner: Person;
  let stranger: Person;
  const mongoUrl = () => pipeline.mongo?.url ?? (process.env.MONGO_URL as string);
  before(async () => {
    pipeline = await sharedPipeline();
    const on = { redisUrl: pipeline.redis.url, mongoUrl: mongoUrl(), namespace: pipeline.namespace };
    api = await startApi({
      on,
      config: {
        INGRESS_URL: pipeline.urls[0] as string,
        EVENTS_URL: 'https://events.example.com',
        // The feeds of these tests run on this machine.
        FEED_PRIVATE_NETWORKS: true,
        // Each test makes its own.
        SUBSCRIPTION_LIMIT: 10_000,
        // Nothing listens there. Failed mails are logged.
        SMTP_URL: 'smtp://127.0.0.1:1',
      },
    });
    owner = await api.addPerson(await api.addAccount(), 'owner');
    stranger = await api.addPerson(await api.addAccount(), 'owner');
  });
  after(() => api?.close());

  const list = async ({ id }: Pick<Source, 'id'>, query = ''): Promise<DeliveryItem[]> =>
    (await owner.read(`/deliveries?source_id=${id}&limit=200${query}`)).items;
  return {
    get pipeline() {
      return pipeline;
    },
    get api() {
      return api;
    },
    get owner() {
      return owner;
    },
    get stranger() {
      return stranger;
    },
    get mongoUrl() {
      return mongoUrl();
    },
    async addSource() {
      const { body } = await owner.call('post', '/sources', { name: 'Booking' });
      const id = body.source.source_id as string;
      const url = `${pipeline.urls[0]}/api/v1/events/webhook/${id}`;
      return { id, secret: body.signing_secret as string, url };
    },
    sendTo: ({ url, secret }, body) => post(url, signed({ secret, body })),
    list,
    async logged(source, count) {
      let rows: DeliveryItem[] = [];
      const enough = async () => {
        rows = await list(source);
        return rows.length >= count;
      };
      await until(enough, { what: `${count} rows` });
      return rows;
    },
  };
}
