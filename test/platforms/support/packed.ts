import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installProgram } from './programs.ts';

const INTEGRATIONS = fileURLToPath(new URL('../../../integrations/', import.meta.url));

/** A package of `integrations`, as npm would publish it. */
export interface PackedPackage {
  /** The path of the .tgz. */
  readonly file: string;
  /** The folder with its unpacked files, beside the dependencies of its lock file. */
  readonly folder: string;
  /** The paths in it. */
  readonly files: readonly string[];
  remove(): void;
}

/** Installs the dependencies of a package of `integrations`, unless they are there. Returns where. Throws if npm fails. */
export function installPackage(name: string): string {
  return installProgram(name, `integrations/${name}`);
}

/** Whether the dependencies of a package of `integrations` are there, or could be installed. */
export function canInstallPackage(name: string): boolean {
  try {
    installPackage(name);
    return true;
  } catch {
    return false;
  }
}

/** Builds a package of `integrations`, packs it and unpacks it. Throws with the output if the build fails. */
export function packPackage(name: string): PackedPackage {
  const source = join(INTEGRATIONS, name);
  const tools = installPackage(name);
  const modules = join(source, 'node_modules');
  // A link to the dependencies of an earlier lock file is replaced.
  if (existsSync(modules) && realpathSync(modules) !== join(tools, 'node_modules'))
    rmSync(modules, { recursive: true });
  if (!existsSync(modules)) symlinkSync(join(tools, 'node_modules'), modules);
  const unpacked = mkdtempSync(join(tools, 'packed-'));
  // Its script `prepack` builds it, without output.
  const args = ['pack', '--json', '--foreground-scripts=false', `--pack-destination=${unpacked}`];
  const [{ filename, files }] = JSON.parse(run(source, 'npm', ...args)) as [
    { filename: string; files: { path: string }[] },
  ];
  run(unpacked, 'tar', 'xzf', filename);
  return {
    file: join(unpacked, filename),
    folder: join(unpacked, 'package'),
    files: files.map(({ path }) => path).sort(),
    remove: () => rmSync(unpacked, { recursive: true, force: true }),
  };
}

function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
