import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { type PackedPackage, packPackage } from './packed.ts';
import { installNode24, installProgram } from './programs.ts';

const STARTS_WITHIN_MS = 120_000;

export type FlowNode = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

/** A real Node-RED with the packed nodes in its user directory, as its users have them. */
export interface NodeRed {
  readonly url: string;
  readonly packed: PackedPackage;
  /** A request to the admin API. Fails with the body if the status is not 2xx. */
  admin<T = unknown>(method: string, path: string, body?: unknown, headers?: object): Promise<T>;
  /** Replaces the flows, as the editor does. Resolves once they have started. */
  deploy(flows: readonly FlowNode[], type?: 'full' | 'nodes' | 'flows'): Promise<void>;
  /** Changes the saved flows. Node-RED reads them when it starts. */
  editFlows(change: (saved: readonly FlowNode[]) => readonly FlowNode[]): void;
  /** Changes its settings. Node-RED reads them when it starts. */
  configure(settings: object): void;
  /** The text that Node-RED has printed. */
  output(): string;
  /** Ends it. SIGTERM: in order. SIGKILL: at once. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again, at the same address and on the same data. */
  start(): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
}

/** Installs what is missing, then starts Node-RED. `settings` has more of its settings. */
export async function startNodeRed(settings: object = {}): Promise<NodeRed> {
  const bin = installNode24();
  const program = installProgram('node-red', 'integrations/programs/node-red');
  const packed = packPackage('node-red-sluice');
  const home = mkdtempSync(join(tmpdir(), 'sluice-node-red-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const configure = (changed: object) =>
    writeSettings(home, { ...SETTINGS, uiPort: port, ...settings, ...changed });
  prepareHome(home, packed.folder);
  configure({});
  let child: ChildProcess | undefined;
  let output = '';

  async function start() {
    const script = join(program, 'node_modules', 'node-red', 'red.js');
    child = spawn(join(bin, 'node'), [script, '--userDir', home], {
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printedBefore = output.length;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    await until(
      () => {
        if (child?.exitCode !== null) throw new Error(`Node-RED ended:\n${output}`);
        return output.slice(printedBefore).includes('Started flows');
      },
      { what: 'Node-RED has started its flows', withinMs: STARTS_WITHIN_MS },
    );
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM') {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  const starts = () => output.match(/Started (modified )?(flows|nodes)/g)?.length ?? 0;

  const nodeRed: NodeRed = {
    ...{ url, packed, start, stop, configure },
    async admin<T>(method: string, path: string, body?: unknown, headers: object = {}): Promise<T> {
      const response = await fetch(url + path, {
        method,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    async deploy(flows, type = 'full') {
      const before = starts();
      await nodeRed.admin('POST', '/flows', flows, { 'Node-RED-Deployment-Type': type });
      // Node-RED responds before the nodes start.
      await until(() => starts() > before, { what: 'the flows have started' });
    },
    editFlows(change) {
      const file = join(home, 'flows.json');
      writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
    },
    output: () => output,
    async remove() {
      await stop('SIGKILL');
      packed.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    await start();
  } catch (error) {
    await nodeRed.remove();
    throw error;
  }
  return nodeRed;
}

/** Nothing leaves the machine. */
const SETTINGS = {
  uiHost: '127.0.0.1',
  flowFile: 'flows.json',
  credentialSecret: 'only-for-tests',
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { palette: { allowInstall: false }, modules: { allowInstall: false } },
  disableEditor: false,
  logging: { console: { level: 'debug', metrics: false, audit: false } },
};

function prepareHome(home: string, packageFolder: string) {
  const modules = join(home, 'node_modules');
  mkdirSync(modules, { recursive: true });
  symlinkSync(packageFolder, join(modules, 'node-red-sluice'));
  const dependencies = { 'node-red-sluice': '*' };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'flows', private: true, dependencies }));
}

function writeSettings(home: string, settings: object) {
  writeFileSync(join(home, 'settings.js'), `module.exports = ${JSON.stringify(settings)};\n`);
}
