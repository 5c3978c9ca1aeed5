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

/** The pids of all processes below one, without those whose parent has ended. */
export function processesBelow(pid: number): readonly number[] {
  const parents = existsSync('/proc/self/stat') ? parentsByProc() : parentsByPs();
  const found = [pid];
  for (const above of found)
    for (const [one, parent] of parents) if (parent === above) found.push(one as number);
  return found.slice(1);
}

function parentsByProc(): readonly number[][] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  // The name before the state may contain spaces and brackets.
  return pids.map((pid) => [Number(pid), Number(read(pid, 'stat').split(') ').at(-1)?.split(' ')[1])]);
}

function parentsByPs(): readonly number[][] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/).map(Number));
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
