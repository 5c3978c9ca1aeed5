import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, expectSound, post } from '../../../support/post.ts';
import { type SignedRequest, signed, upsertBody } from '../../../support/signed.ts';
import { until } from '../../../support/until.ts';
import { COMPOSE, shell } from './containers.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape is what tests assert
type Row = any;

/** A source of the composed deployment: made by `sluice` in a container, and used through the published port. */
export interface ContainerSource {
  readonly id: string;
  /** Signs an upsert of a new event and sends it. */
  upsert(): Promise<Answer>;
  /** The same, and again until the response is a 200, as docs/sending-events.md asks senders to. */
  upsertUntilTaken(): Promise<Taken>;
  /**
   * Waits until each of these deliveries is in the log. The log names one `created` for each new event, because a
   * repeated request whose first response was lost is another delivery, a `duplicate`.
   */
  applied(deliveryIds: readonly string[]): Promise<void>;
}

/** A request that was accepted. */
export interface Taken {
  readonly deliveryId: string;
  /** The status of each earlier attempt, or the code of its broken connection. */
  readonly failures: readonly string[];
  /** Sluice had accepted the same bytes before: their first response was lost. */
  readonly duplicate: boolean;
}

const APPLIED_WITHIN_MS = 120_000;
/** The samples of docs/sending-events.md use the same. */
const TIMEOUT_MS = 15_000;
const RETRY_MS = 1000;
/** The exit code of `sluice` when a store does not respond. */
const TRY_AGAIN = 75;

/**
 * Runs `sluice … --json` in the container of the API, and returns the rows. That container has every variable that the
 * command line reads. Repeats a command that ended with 75, because a store was away.
 */
export async function rows(args: string): Promise<Row[]> {
  let output = '';
  const done = async () => {
    const { code, output: both, stdout } = await shell(`${COMPOSE} exec api sluice ${args} --json`);
    if (code !== 0 && code !== TRY_AGAIN) throw new Error(`sluice ${args} ended with ${code}:\n${both}`);
    output = stdout;
    return code === 0;
  };
  await until(done, { withinMs: APPLIED_WITHIN_MS, what: `sluice ${args} reaches the stores` });
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line));
}

export async function createContainerSource(): Promise<ContainerSource> {
  const [{ source_id: id, signing_secret: secret, endpoint_url }] = await rows(
    'source create --name Containers',
  );
  const { pathname } = new URL(endpoint_url);
  const url = `http://127.0.0.1:${process.env.INGRESS_PORT}${pathname}`;
  let events = 0;
  const newEvent = () => {
    events += 1;
    return signed({ secret, body: upsertBody() });
  };

  return {
    id,
    upsert: () => post(url, newEvent()),
    upsertUntilTaken: () => untilTaken(url, newEvent()),
    async applied(deliveryIds) {
      let state = '';
      const all = async () => {
        const logged = await rows(`deliveries list --source ${id}`);
        const effects = new Map(logged.map(({ delivery_id, outcome }) => [delivery_id, outcome]));
        const missing = deliveryIds.filter((one) => !['created', 'duplicate'].includes(effects.get(one)));
        const created = logged.filter(({ outcome }) => outcome === 'created').length;
        state = `${missing.length} of ${deliveryIds.length} missing, ${created} of ${events} events created`;
        return missing.length === 0 && created === events;
      };
      await until(all, { withinMs: APPLIED_WITHIN_MS, what: 'every delivery is applied' }).catch((error) => {
        throw new Error(`${error.message}: ${state}`);
      });
    },
  };
}

/** Sends the same bytes again after no response within 15 s, a 429, a 503 or another 5xx. */
async function untilTaken(url: string, request: SignedRequest): Promise<Taken> {
  const failures: string[] = [];
  let accepted = { deliveryId: '', duplicate: false };
  const taken = async () => {
    const answer = await inTime(url, request);
    if (typeof answer === 'string') {
      failures.push(answer);
      await sleep(RETRY_MS);
      return false;
    }
    expectSound(answer);
    if (answer.status === 200) {
      accepted = { deliveryId: answer.body.delivery_id, duplicate: answer.body.duplicate === true };
      return true;
    }
    failures.push(String(answer.status));
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000);
    return false;
  };
  await until(taken, { what: 'a 200' }).catch((error) => {
    throw new Error(`${error.message}, but ${failures.join(', ')}`);
  });
  return { ...accepted, failures };
}

/** The response, or the code of the error of a request without one. */
async function inTime(url: string, { headers, body }: SignedRequest): Promise<Answer | string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal });
    return { status: response.status, headers: response.headers, body: await response.json() };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? name;
  }
}

/** Sends this many new events, each once. Expects a 200 for each. Resolves to the ids of the deliveries. */
export async function accepted(source: ContainerSource, count: number): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => source.upsert()));
  const refused = answers.filter(({ status }) => status !== 200);
  if (refused.length > 0)
    throw new Error(`${refused.length} of ${count} refused: ${JSON.stringify(refused[0])}`);
  return answers.map(({ body }) => body.delivery_id);
}
