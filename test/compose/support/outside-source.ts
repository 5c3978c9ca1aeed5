import { type Answer, post } from '../../support/post.ts';
import { type SignedRequest, signed } from '../../support/signed.ts';
import { until } from '../../support/until.ts';
import type { Deployment } from './deployment.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape is what tests assert
type Row = any;

/** A source of a deployment, used from outside of it. */
export interface OutsideSource {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  /** Signs an action and sends it. */
  send(action: 'upsert' | 'cancel' | 'delete', event: Record<string, unknown>): Promise<Answer>;
  sign(body: string | Uint8Array | object, timestamp?: number | string): SignedRequest;
  events(...options: string[]): Promise<Row[]>;
  /** The delivery log, once it has this many rows. */
  deliveries(count: number): Promise<Row[]>;
}

const LOGGED_WITHIN_MS = 90_000;

const NAME = 'Outside test';

/**
 * Makes a source of its own for one test, in an account that these tests have to themselves: deployments may be in use
 * meanwhile, and their owners see nothing of it.
 */
export async function createOutsideSource(deployment: Deployment): Promise<OutsideSource> {
  const inAccount = await ownAccount(deployment);
  const [made] = await deployment.rows('source', 'create', ...inAccount, '--name', NAME);
  return outsideSource(deployment, made);
}

/** As options of `sluice`. The very first account is left to `sluice` to make: it is whoever's comes next. */
async function ownAccount(deployment: Deployment): Promise<string[]> {
  const accounts = await deployment.rows('account', 'list');
  if (accounts.length === 0) return [];
  const found = accounts.find(({ name }) => name === NAME);
  const [own] = found ? [found] : await deployment.rows('account', 'create', '--name', NAME);
  return ['--account', own.account_id];
}

/** A source as `sluice source create` or `rotate-secret` printed it. */
export function outsideSource(deployment: Deployment, printed: Row): OutsideSource {
  const { source_id: id, signing_secret: secret, endpoint_url: url } = printed;
  const sign = (body: string | Uint8Array | object, timestamp?: number | string) =>
    signed({ secret, body, ...(timestamp !== undefined && { timestamp }) });
  return {
    id,
    url,
    secret,
    sign,
    send: (action, event) => post(url, sign({ action, event })),
    events: (...options) => deployment.rows('events', 'list', '--source', id, ...options),
    async deliveries(count) {
      let rows: Row[] = [];
      const logged = async () => {
        rows = await deployment.rows('deliveries', 'list', '--source', id);
        return rows.length >= count;
      };
      await until(logged, { withinMs: LOGGED_WITHIN_MS, what: `${count} rows in the delivery log` });
      return rows;
    },
  };
}
