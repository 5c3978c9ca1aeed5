import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Every process that has this DATA_DIR in its environment, or works in that folder. redis-server overwrites its
 * environment when it sets its title. npm does so too, and is left out.
 */
export function processesOf(dataDir: string): readonly FoundProcess[] {
  const wanted = `DATA_DIR=${dataDir}`;
  if (!existsSync('/proc/self/environ')) return byPs(wanted);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => read(pid, 'environ').split('\0').includes(wanted) || worksIn(pid).startsWith(dataDir))
    .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => command !== '');
}

/** Empty for a process that has ended, is a zombie, or belongs to another user. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function worksIn(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** For systems without /proc, such as macOS. */
function byPs(wanted: string): readonly FoundProcess[] {
  const lines = execFileSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  const matching = lines.filter((line) => ` ${line} `.includes(` ${wanted} `));
  return matching.map((line) => ({
    pid: Number.parseInt(line, 10),
    command: line.trim().replace(/^\d+ /, ''),
  }));
}
