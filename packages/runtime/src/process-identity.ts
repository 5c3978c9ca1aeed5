import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Identifies a process even after the operating system has given its number to a later one. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

/** The identity of a running process; undefined if no process has this number. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  if (!exists(pid)) return undefined;
  const started = (await startedOnLinux(pid)) ?? (await startedByPs(pid)) ?? '';
  return { pid, started };
}

/** Whether this very process still runs. */
export async function stillRuns(known: ProcessIdentity): Promise<boolean> {
  const now = await identify(known.pid);
  return now !== undefined && now.started === known.started;
}

/** Identifies a folder, even after it is renamed. A copy of the folder gets another value. */
export async function identifyFolder(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}:${ino}`;
}

/** The process that a file names; undefined if the file is missing, unreadable, or a copy from another folder. */
export async function readIdentity(path: string): Promise<ProcessIdentity | undefined> {
  try {
    const { pid, started, folder } = JSON.parse(await readFile(path, 'utf8')) as Partial<WrittenIdentity>;
    // Version 0.1.0 wrote no folder.
    if (folder !== undefined && folder !== (await identifyFolder(dirname(path)))) return undefined;
    return Number.isInteger(pid) && Number(pid) > 0 && typeof started === 'string'
      ? { pid: Number(pid), started }
      : undefined;
  } catch {
    return undefined;
  }
}

type WrittenIdentity = ProcessIdentity & { readonly folder: string };

/** Records which process uses the file's folder, so that a later process can check whether it still runs. */
export async function writeIdentity(path: string, pid: number): Promise<void> {
  const identity = (await identify(pid)) ?? { pid, started: '' };
  const written: WrittenIdentity = { ...identity, folder: await identifyFolder(dirname(path)) };
  await writeFile(path, `${JSON.stringify(written)}\n`, { mode: 0o600 });
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Fields of /proc/PID/stat after the command's name, which may contain spaces and parentheses. */
const STATE = 0;
const START_TIME = 19;

async function startedOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; its parent hasn't collected its exit status yet.
  return fields[STATE] === 'Z' ? 'ended' : fields[START_TIME];
}

async function startedByPs(pid: number): Promise<string | undefined> {
  const result = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined);
  return result?.stdout.trim();
}
