import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneProcess, queueMode } from './n8n-processes.ts';
import { installN8n, installNode24, packN8nNodes } from './programs.ts';

const BROWSER = 'test-browser';
const OWNER = { email: 'owner@example.com', firstName: 'O', lastName: 'W', password: 'Correct-horse-1' };

/** A real n8n with the packed node package in its folder of community nodes, as its users have it. */
export interface N8n {
  readonly url: string;
  /** The address of the webhooks of published workflows. */
  readonly webhookUrl: string;
  /** The response to a request of the editor. Fails with the body if the status is not 2xx. */
  rest<T = unknown>(method: string, path: string, body?: object, headers?: object): Promise<T>;
  /** Ends it. SIGTERM: in order. SIGKILL: at once. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again, at the same address and on the same data. */
  start(): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
}

/** Installs what is missing, then starts n8n and signs its owner up. */
export async function startN8n({ inQueueMode = false } = {}): Promise<N8n> {
  const bin = installNode24();
  const program = installN8n(bin);
  const home = mkdtempSync(join(tmpdir(), 'sluice-n8n-'));
  addPackage(home, packN8nNodes(bin).path);
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    N8N_USER_FOLDER: home,
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_ENCRYPTION_KEY: 'only-for-tests',
    ...OFFLINE,
  };
  const processes = await (inQueueMode ? queueMode : oneProcess)({ bin, program }, env);
  const { url, webhookUrl } = processes;
  let cookie = '';

  const call = async (method: string, path: string, body?: object, headers: object = {}) =>
    fetch(`${url}/rest${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'browser-id': BROWSER, cookie, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  async function start() {
    for (const one of processes.all) await one.start();
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM') {
    await Promise.all(processes.all.map((one) => one.stop(signal)));
  }

  const n8n: N8n = {
    url,
    webhookUrl,
    async rest<T>(method: string, path: string, body?: object, headers?: object): Promise<T> {
      const response = await call(method, path, body, headers);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (JSON.parse(text) as { data: T }).data;
    },
    stop,
    start,
    async remove() {
      await stop('SIGKILL');
      await processes.end();
      rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    await start();
    const setUp = await call('POST', '/owner/setup', OWNER);
    if (!setUp.ok) throw new Error(`owner: ${setUp.status} ${await setUp.text()}`);
    cookie = (setUp.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  } catch (error) {
    await n8n.remove();
    throw error;
  }
  return n8n;
}

/** Nothing leaves the machine. */
const OFFLINE = {
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_SECURE_COOKIE: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
};

/** A community package is a folder beside a package.json that names it. */
function addPackage(home: string, packed: string) {
  const nodes = join(home, '.n8n', 'nodes');
  const folder = join(nodes, 'node_modules', 'n8n-nodes-sluice');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(nodes, 'package.json'),
    JSON.stringify({ name: 'installed-nodes', private: true, dependencies: { 'n8n-nodes-sluice': '*' } }),
  );
  const { status, stderr } = spawnSync('tar', ['xzf', packed, '--strip-components=1', '-C', folder]);
  if (status !== 0) throw new Error(`tar: ${stderr}`);
}
