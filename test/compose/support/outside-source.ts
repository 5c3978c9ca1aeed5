import { type Answer, post } from '../../support/post.ts';
import { type SignedRequest, signed } from '../../support/signed.ts';
import { until } from '../../support/until.ts';
import type { Deployment } from './deployment.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape is what tests assert
type Row = any;

/** A source of a deployment, used from outside. */
export interface OutsideSource {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  /** Signs an action and sends it. */
  send(action: 'upsert' | 'cancel' | 'delete', event: Record<string, unknown>): Promise<Answer>;
  sign(body: string | Uint8Array | object, timestamp?: number | string): SignedRequest;
  events(...options: string[]): Row[];
  /** Waits until the delivery log has this many rows, and returns them. */
  deliveries(count: number): Promise<Row[]>;
}

const LOGGED_WITHIN_MS = 90_000;

const NAME = 'Outside test';

/** Creates a source for one test. `account`: see `ownAccount`. */
export function createOutsideSource(deployment: Deployment, account: readonly string[]): OutsideSource {
  const [made] = deployment.rows('source', 'create', ...account, '--name', NAME);
  return outsideSource(deployment, made);
}

/**
 * The account that only these tests use, as options of `sluice`. The deployment may be in use, and its owners must not see
 * the tests. If there is no account yet, `sluice` creates the first one, for the later owner.
 */
export function ownAccount(deployment: Deployment): string[] {
  const accounts = deployment.rows('account', 'list');
  if (accounts.length === 0) return [];
  const found = accounts.find(({ name }) => name === NAME);
  const [own] = found ? [found] : deployment.rows('account', 'create', '--name', NAME);
  return ['--account', own.account_id];
}

/** A source from the output of `sluice source create` or `rotate-secret`. */
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
      const logged = () => {
        rows = deployment.rows('deliveries', 'list', '--source', id);
        return rows.length >= count;
      };
      await until(logged, { withinMs: LOGGED_WITHIN_MS, what: `${count} rows in the delivery log` });
      return rows;
    },
  };
}
