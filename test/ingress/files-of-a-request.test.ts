import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { connect, type Socket } from 'node:net';
import type { Observer } from '@sluice/ingress/observe/observer';
import { expect } from 'chai';
import { startIngress, type TestIngress } from '../support/ingress.ts';
import { signed, upsertBody } from '../support/signed.ts';

const ROOT = new URL('../../', import.meta.url).href;
const OURS = /^(?:packages|services)\/[\w-]+\/src\//;

/** The loader of the tests adds a getter to each export, `()=>NAME`, and a function that names others. */
function isOfTheLoader({ functionName, ranges: [range] }: Profiler.FunctionCoverage): boolean {
  if (functionName === '__name' || functionName === 'get') return true;
  return range !== undefined && range.endOffset - range.startOffset === `()=>${functionName}`.length;
}

const ran = (one: Profiler.FunctionCoverage): boolean =>
  (one.ranges[0]?.count ?? 0) > 0 && !isOfTheLoader(one);

/** Metrics and log lines come after the response. */
const NO_OBSERVER: Observer = {
  onAnswer: () => undefined,
  onError: (error) => expect.fail(String(error)),
  onStray: () => undefined,
  onActions: () => undefined,
  onRefusals: () => undefined,
  onRead: () => undefined,
  onLostWrites: () => undefined,
};

/** A reader must open each of these files to follow one body. Redis runs the admission script besides. */
const MOST_FILES = 28;

describe('ingress: the files that a body passes', () => {
  const session = new Session();
  let ingress: TestIngress;
  let socket: Socket;
  before(async () => {
    ingress = await startIngress({ observer: NO_OBSERVER });
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const { hostname, port } = new URL(ingress.url);
    socket = connect(Number(port), hostname);
  });
  after(async () => {
    socket?.destroy();
    session.disconnect();
    await ingress?.close();
  });

  /** The files with a function that ran since the last call. */
  async function filesThatRan(): Promise<string[]> {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(ran))
      .map(({ url }) => (url.startsWith(ROOT) ? (url.slice(ROOT.length).split('?')[0] ?? '') : ''))
      .filter((path) => OURS.test(path));
  }

  it(`are at most ${MOST_FILES} from the socket to the 200`, async () => {
    const source = await ingress.addSource();
    const runs: string[][] = [];
    for (let n = 0; n < 6; n++) {
      const { headers, body } = signed({ secret: source.secret, body: upsertBody() });
      const lines = Object.entries({ host: 'sluice', ...headers, 'content-length': body.length });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      await filesThatRan();
      const response = new Promise<Buffer>((resolve) => socket.once('data', resolve));
      socket.write(`POST ${source.path} HTTP/1.1\r\n${head}\r\n${body}`);
      expect(String(await response)).to.match(/^HTTP\/1\.1 200 /);
      runs.push(await filesThatRan());
    }
    // The first request looks its source up. Timers such as the poll of the gate run beside some of the others.
    const [, ...later] = runs;
    const files = [...new Set(later[0])].filter((path) => later.every((run) => run.includes(path)));
    expect(files).to.include('services/ingress/src/webhook.ts');
    expect(files, files.sort().join('\n')).to.have.length.at.most(MOST_FILES);
  });
});
