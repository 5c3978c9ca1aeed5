import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat on every Linux of today (`getconf CLK_TCK`). */
const TICKS_A_SECOND = 100;

/**
 * The CPU time of this process and of all processes below it, including those that ended, in seconds. undefined where
 * there is no /proc. A process whose parent died before it is not counted.
 */
export function cpuSeconds() {
  const table = new Map();
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const found = readStat(pid);
      if (found !== undefined) table.set(Number(pid), found);
    }
  } catch {
    return undefined;
  }
  const isBelow = (pid) => {
    for (let at = pid; at > 1; at = table.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  let ticks = 0;
  for (const [pid, found] of table) if (isBelow(pid)) ticks += found.ticks;
  return table.size === 0 ? undefined : ticks / TICKS_A_SECOND;
}

/** undefined if the process has ended meanwhile. */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may contain spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}
