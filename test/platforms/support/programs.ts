import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The programs are kept here. They need 3 GB. */
const KEPT = process.env.SLUICE_PLATFORMS_DIR || join(homedir(), '.cache', 'sluice-platforms');

/**
 * Installs what the lock file of a folder names, unless it is there already, and returns where. A change of the lock file
 * installs again. Throws if npm fails.
 *
 * `from` is the folder with package.json and package-lock.json, below the root. `rebuild` has the native modules to build;
 * no other install script runs. `bin` is the folder of the `node` to build for.
 */
export function installProgram(
  name: string,
  from: string,
  { rebuild = [], bin }: { readonly rebuild?: readonly string[]; readonly bin?: string } = {},
): string {
  const source = join(ROOT, from);
  const folder = placeOf(name, from);
  if (existsSync(folder)) return folder;
  const began = Date.now();
  progress(`installing ${name} into ${folder} …`);
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(source, file), join(unfinished, file));
  const env = {
    ...process.env,
    ...(bin && { PATH: `${bin}:${process.env.PATH}`, npm_config_nodedir: join(bin, '..') }),
  };
  const npm = (...args: string[]) => {
    const { status } = spawnSync('npm', args, {
      cwd: unfinished,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0)
      throw new Error(`npm ${args.join(' ')} failed with ${status}. Run it in ${unfinished} to see why.`);
  };
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  if (rebuild.length > 0) npm('rebuild', ...rebuild, '--loglevel=error');
  renameSync(unfinished, folder);
  progress(`installed ${name} in ${Math.round((Date.now() - began) / 1000)} s`);
  return folder;
}

/** The folder of a program: another one for each lock file. */
function placeOf(name: string, from: string): string {
  const lock = readFileSync(join(ROOT, from, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  return join(KEPT, `${name}-${hash.slice(0, 12)}`);
}

/** The folder with the binary of Node 24, which n8n needs. */
export function installNode24(): string {
  const folder = installProgram('node', 'integrations/programs/node');
  return join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
}

/** The folder in which n8n is installed. */
export function installN8n(bin: string): string {
  return installProgram('n8n', 'integrations/programs/n8n', { rebuild: ['sqlite3', 'isolated-vm'], bin });
}

const NODES = 'integrations/n8n-nodes-sluice';

/** Whether n8n's own tool for node packages is installed, so that it needs no minutes. */
export function n8nToolIsInstalled(): boolean {
  return existsSync(placeOf('n8n-node-tool', NODES));
}

/** A package as npm would publish it. */
export interface Packed {
  /** The path of the .tgz. */
  readonly path: string;
  readonly files: readonly string[];
}

/** Builds the node package with n8n's own tool and packs it. Throws if the build fails. */
export function packN8nNodes(bin: string): Packed {
  const tools = installProgram('n8n-node-tool', NODES);
  runN8nTool(bin, 'build');
  const args = ['pack', '--json', '--ignore-scripts', `--pack-destination=${tools}`];
  const [packed] = JSON.parse(runIn(NODES, bin, 'npm', ...args));
  return {
    path: join(tools, packed.filename),
    files: packed.files.map(({ path }: { path: string }) => path),
  };
}

/** Runs n8n's own tool on the node package. Throws with its output if it fails. */
export function runN8nTool(bin: string, command: 'build' | 'lint'): void {
  const tools = installProgram('n8n-node-tool', NODES);
  const modules = join(ROOT, NODES, 'node_modules');
  // A link to the tools of an earlier lock file is replaced.
  if (existsSync(modules) && realpathSync(modules) !== join(tools, 'node_modules')) rmSync(modules);
  if (!existsSync(modules)) symlinkSync(join(tools, 'node_modules'), modules);
  runIn(NODES, bin, join(modules, '.bin', 'n8n-node'), command);
}

function runIn(folder: string, bin: string, command: string, ...args: string[]): string {
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...{ cwd: join(ROOT, folder), env, encoding: 'utf8' },
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
