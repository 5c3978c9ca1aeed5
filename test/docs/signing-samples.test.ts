import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { signBody } from '@sluice/signature/sign';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { serve } from '../support/serve.ts';
import { codeBlocks, isInstalled, ROOT } from './support.ts';

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly body_base64: string;
  readonly signature: string;
}

interface Language {
  readonly name: string;
  readonly needs: readonly string[];
  readonly run: readonly string[];
  /** Prints the signature by the sample's `sign` for VECTOR_TIMESTAMP and the file `body`. */
  readonly callSign: string;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'bash',
    needs: ['bash', 'openssl', 'curl'],
    run: ['bash', '-c'],
    callSign: 'sign "$VECTOR_TIMESTAMP" body',
  },
  {
    name: 'js',
    needs: ['node'],
    run: ['node', '--input-type=module', '-e'],
    callSign:
      "console.log(sign(process.env.SLUICE_SIGNING_SECRET, process.env.VECTOR_TIMESTAMP, (await import('node:fs')).readFileSync('body')))",
  },
  {
    name: 'python',
    needs: ['python3'],
    run: ['python3', '-c'],
    callSign:
      'import os\nprint(sign(os.environ["SLUICE_SIGNING_SECRET"], os.environ["VECTOR_TIMESTAMP"], open("body", "rb").read()))',
  },
  {
    name: 'php',
    needs: ['php'],
    run: ['php', '-r'],
    callSign:
      'echo sign(getenv("SLUICE_SIGNING_SECRET"), getenv("VECTOR_TIMESTAMP"), file_get_contents("body")), PHP_EOL;',
  },
  {
    name: 'ruby',
    needs: ['ruby'],
    run: ['ruby', '-e'],
    callSign:
      'puts sign(ENV.fetch("SLUICE_SIGNING_SECRET"), ENV.fetch("VECTOR_TIMESTAMP"), File.binread("body"))',
  },
];

/** A language whose sample is a whole program, which reads event.json as the others do. */
interface Compiled {
  readonly name: string;
  readonly needs: readonly string[];
  /** A library that some installations of the compiler lack. */
  readonly library?: string;
  readonly file: string;
  readonly run: string;
}

const COMPILED: readonly Compiled[] = [
  { name: 'go', needs: ['go'], file: 'send.go', run: 'go run send.go' },
  { name: 'java', needs: ['java'], file: 'Send.java', run: 'java Send.java' },
  {
    name: 'csharp',
    needs: ['mcs', 'mono'],
    library: '/usr/lib/mono/4.5/System.Net.Http.dll',
    file: 'Send.cs',
    run: 'mcs -r:System.Net.Http.dll Send.cs && mono Send.exe',
  },
];

const { vectors } = JSON.parse(readFileSync(`${ROOT}test/signature/signatures.json`, 'utf8')) as {
  vectors: Vector[];
};
const PAGE = 'docs/sending-events.md';

const canRun = ({ needs, library }: Pick<Compiled, 'needs' | 'library'>) =>
  needs.every(isInstalled) && (library === undefined || existsSync(library));
const installed = LANGUAGES.filter(canRun);
reportNotRun(
  'samples',
  [...LANGUAGES, ...COMPILED].filter((language) => !canRun(language)).map(({ name }) => name),
);

/** Each sample runs as printed on the page, if its language is installed here. */
for (const { name, run, callSign } of installed) {
  describe(`the ${name} sample for senders`, function () {
    this.timeout(240_000);
    const [sign = ''] = codeBlocks(PAGE, `${name} sign`);
    const [send = ''] = codeBlocks(PAGE, `${name} send`);
    const dir = newFolder();

    const execute = (code: string, env: Record<string, string>) => {
      const [program = '', ...args] = run;
      const options = { cwd: dir, env: { PATH: process.env.PATH, ...env } };
      return promisify(execFile)(program, [...args, code], options);
    };

    it('signs every shared vector with the expected signature', async () => {
      expect(vectors).to.not.deep.equal([]);
      for (const vector of vectors) {
        await writeFile(join(dir, 'body'), Buffer.from(vector.body_base64, 'base64'));
        const env = { SLUICE_SIGNING_SECRET: vector.secret, VECTOR_TIMESTAMP: vector.timestamp };
        const { stdout } = await execute(`${sign}\n${callSign}`, env);
        expect(`sha256=${stdout.trim()}`, vector.name).to.equal(vector.signature);
      }
    });

    it('sends the bytes of event.json, signed with the current time', () =>
      expectSigned(dir, (env) => execute(`${sign}\n${send}`, env)));
  });
}

for (const { name, file, run } of COMPILED.filter(canRun)) {
  describe(`the ${name} program for senders`, function () {
    this.timeout(240_000);
    const dir = newFolder();

    it('sends the bytes of event.json, signed with the current time', async () => {
      await writeFile(join(dir, file), codeBlocks(PAGE, `${name} program`)[0] ?? '');
      await expectSigned(dir, (env) => {
        const options = { cwd: dir, env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } };
        return promisify(execFile)('sh', ['-c', run], options);
      });
    });
  });
}

/** Expects a sample to send the exact bytes of event.json in the folder, with the signature of these bytes. */
async function expectSigned(
  dir: string,
  execute: (env: Record<string, string>) => Promise<{ stdout: string }>,
): Promise<void> {
  const secret = 'whsec_of_the_documentation';
  const event = Buffer.from('{ "action" : "upsert",\r\n "event": {"title":"Größe ✓"} }\n');
  await writeFile(join(dir, 'event.json'), event);
  const received = await receiveOne((url) => execute({ WEBHOOK_URL: url, SLUICE_SIGNING_SECRET: secret }));
  const { 'x-service-timestamp': timestamp, ...headers } = received.headers;
  expect(received.body.equals(event), received.body.toString()).to.equal(true);
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).to.be.lessThan(60);
  expect(headers['content-type']).to.equal('application/json');
  const expected = signBody({ secret, timestamp: String(timestamp), body: event });
  expect(headers['x-service-signature']).to.equal(expected);
}

/** Receives one request on a local URL and responds like the endpoint. */
async function receiveOne(
  send: (url: string) => Promise<{ stdout: string }>,
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  let received: { headers: IncomingHttpHeaders; body: Buffer } | undefined;
  const server = await serve(async (request, response) => {
    received = { headers: request.headers, body: await buffer(request) };
    response.writeHead(200, { connection: 'close' }).end('{"ok":true}');
  });
  try {
    const { stdout } = await send(`${server.url}/`);
    expect(stdout).to.match(/200.*\{"ok":true\}/s);
    if (received === undefined) throw new Error('nothing was sent');
    return received;
  } finally {
    await server.close();
  }
}
