import { type Answer, post } from '../../../support/post.ts';
import { signed, upsertBody } from '../../../support/signed.ts';
import { until } from '../../../support/until.ts';
import { compose } from './containers.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape is what tests assert
type Row = any;

/** A source of the composed deployment: made by `sluice` in a container, and used through the published port. */
export interface ContainerSource {
  readonly id: string;
  /** Signs an upsert of a new event and sends it. */
  upsert(): Promise<Answer>;
  /** The same, and again until the response is a 200, as senders do. Resolves to the delivery's id. */
  upsertUntilTaken(): Promise<string>;
  /** Waits until each of these deliveries is in the log, as created. */
  applied(deliveryIds: readonly string[]): Promise<void>;
}

const APPLIED_WITHIN_MS = 120_000;
const RETRY_MS = 200;

/** Runs `sluice … --json` in the container of the ingress, and returns the rows. */
export async function rows(args: string): Promise<Row[]> {
  const output = await compose(`exec ingress sluice ${args} --json`);
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line));
}

export async function createContainerSource(): Promise<ContainerSource> {
  const [{ source_id: id, signing_secret: secret, endpoint_url }] = await rows(
    'source create --name Containers',
  );
  const { pathname } = new URL(endpoint_url);
  const url = `http://127.0.0.1:${process.env.INGRESS_PORT}${pathname}`;
  const upsert = () => post(url, signed({ secret, body: upsertBody() }));

  return {
    id,
    upsert,
    async upsertUntilTaken() {
      const request = signed({ secret, body: upsertBody() });
      let taken: Answer | undefined;
      await until(
        async () => {
          taken = await post(url, request).catch(() => undefined);
          if (taken?.status !== 200) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          return taken?.status === 200;
        },
        { what: 'a 200 for the request' },
      );
      return taken?.body.delivery_id;
    },
    async applied(deliveryIds) {
      let missing = [...deliveryIds];
      const all = async () => {
        const logged = await rows(`deliveries list --source ${id}`);
        const created = new Set(
          logged.filter(({ outcome }) => outcome === 'created').map((row) => row.delivery_id),
        );
        missing = deliveryIds.filter((one) => !created.has(one));
        return missing.length === 0;
      };
      await until(all, { withinMs: APPLIED_WITHIN_MS, what: `${deliveryIds.length} deliveries in the log` });
    },
  };
}

/** Sends this many new events, each once. Expects a 200 for each. Resolves to the ids of the deliveries. */
export async function accepted(source: ContainerSource, count: number): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => source.upsert()));
  const refused = answers.filter(({ status }) => status !== 200);
  if (refused.length > 0)
    throw new Error(`${refused.length} of ${count} refused: ${JSON.stringify(refused[0])}`);
  return answers.map(({ body }) => body.delivery_id);
}
