import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
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
  const hash = createHash('sha256').update(readFileSync(join(source, 'package-lock.json')));
  const folder = join(KEPT, `${name}-${hash.digest('hex').slice(0, 12)}`);
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

/** The folder with the binary of Node 24, which n8n needs. */
export function installNode24(): string {
  const folder = installProgram('node', 'integrations/programs/node');
  return join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
}

/** The folder in which n8n is installed. */
export function installN8n(bin: string): string {
  return installProgram('n8n', 'integrations/programs/n8n', { rebuild: ['sqlite3', 'isolated-vm'], bin });
}

/**
 * Builds the node package with n8n's own tool and packs it as npm would publish it. Returns the path of the package.
 * Throws if the build fails.
 */
export function packN8nNodes(bin: string): string {
  const folder = join(ROOT, 'integrations', 'n8n-nodes-sluice');
  const tools = installProgram('n8n-node-tool', 'integrations/n8n-nodes-sluice');
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(tools, 'node_modules'), modules);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const run = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
    if (status !== 0)
      throw new Error(`${command} ${args.join(' ')} failed with ${status}:\n${stdout}${stderr}`);
    return stdout;
  };
  run(join(modules, '.bin', 'n8n-node'), 'build');
  const [packed] = JSON.parse(
    run('npm', 'pack', '--json', '--ignore-scripts', `--pack-destination=${tools}`),
  );
  return join(tools, packed.filename);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
