import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { messageKey, signatures } from '@sluice/signature/standard-webhooks';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';

const run = promisify(execFile);
const PROGRAMS = fileURLToPath(new URL('./verifiers/', import.meta.url));
const INSTALLING_MS = 180_000;

interface Message {
  readonly secret: string;
  readonly id: string;
  readonly timestamp: number;
  readonly signature: string;
  readonly body: string;
}

/** A published library, and a program that calls it. */
interface Verifier {
  readonly library: string;
  readonly program: string;
  /** Installs the library into the folder. Throws if its registry cannot be reached. */
  install(folder: string): Promise<unknown>;
  /** The command that reads messages from standard input. */
  readonly command: readonly [string, ...string[]];
  readonly write: (message: Message) => string;
}

const asJson = ({ secret, id, timestamp, signature, body }: Message): string => {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
  return JSON.stringify({ secret, headers, body });
};

const JAR = 'standardwebhooks-1.2.0.jar';
const JAR_URL = `https://repo1.maven.org/maven2/com/standardwebhooks/standardwebhooks/1.2.0/${JAR}`;

const VERIFIERS: readonly Verifier[] = [
  {
    library: 'standardwebhooks 1.0.1 for Python',
    program: 'python',
    install: (folder) =>
      run('python3', ['-m', 'pip', 'install', '-q', '-t', '.', '-r', 'requirements.txt'], { cwd: folder }),
    command: ['python3', 'verify.py'],
    write: asJson,
  },
  {
    library: 'standard-webhooks 0.0.1 for Go',
    program: 'go',
    install: (folder) => run('go', ['build', '-o', 'verify', '.'], { cwd: folder }),
    command: ['./verify'],
    write: asJson,
  },
  {
    library: 'standardwebhooks 1.2.0 for Java',
    program: 'java',
    async install(folder) {
      const answer = await fetch(JAR_URL);
      if (!answer.ok) throw new Error(`${JAR_URL}: ${answer.status}`);
      await writeFile(join(folder, JAR), Buffer.from(await answer.arrayBuffer()));
      await run('javac', ['-cp', JAR, 'Verify.java'], { cwd: folder });
    },
    command: ['java', '-Dfile.encoding=UTF-8', '-cp', `.:${JAR}`, 'Verify'],
    write: ({ secret, id, timestamp, signature, body }) =>
      [secret, id, timestamp, signature, body].join('\t'),
  },
];

const newSecret = () => `whsec_${randomBytes(48).toString('base64')}`;

/** Messages, and whether a receiver with the first secret must accept them. */
function messages(): readonly (readonly [Message, 'verified' | 'rejected'])[] {
  const [current, old] = [newSecret(), newSecret()];
  const now = Math.floor(Date.now() / 1000);
  const body = '{"id":"msg_1","data":{"name":"Größe"}}';
  const signed = (secrets: readonly string[], timestamp = now): Message => {
    const message = { messageId: 'msg_1', timestamp, body };
    const signature = signatures(secrets.map(messageKey), message);
    return { secret: current, id: 'msg_1', timestamp, signature, body };
  };
  return [
    [signed([current]), 'verified'],
    [signed([current, old]), 'verified'],
    [signed([old, current]), 'verified'],
    [signed([old]), 'rejected'],
    [{ ...signed([current]), body: body.replace('msg_1', 'msg_2') }, 'rejected'],
    [{ ...signed([current]), id: 'msg_2' }, 'rejected'],
    [signed([current], now - 400), 'rejected'],
  ];
}

for (const { library, program, install, command, write } of VERIFIERS)
  describe(`dispatcher: the verifier ${library}`, function () {
    this.timeout(INSTALLING_MS);
    let folder: string;
    before(async function () {
      folder = newFolder();
      await cp(join(PROGRAMS, program), folder, { recursive: true });
      try {
        await install(folder);
      } catch (error) {
        const reason = (error as Error).message.split('\n', 1)[0];
        process.stderr.write(`${library} is not run, because it cannot be installed: ${reason}\n`);
        this.skip();
      }
    });

    it('accepts genuine messages, also during a rotation, and rejects others', async () => {
      const sent = messages();
      const verifying = run(command[0], command.slice(1), { cwd: folder });
      verifying.child.stdin?.end(`${sent.map(([message]) => write(message)).join('\n')}\n`);
      const { stdout } = await verifying;
      expect(stdout.trim().split('\n')).to.deep.equal(sent.map(([, outcome]) => outcome));
    });
  });
