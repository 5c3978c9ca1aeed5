import { readFileSync } from 'node:fs';

/** Names in Node's diagnostic report of the handles that tests forget: sockets, servers, pipes and processes. */
const FORGOTTEN = new Set(['tcp', 'pipe', 'process', 'udp', 'fs_event']);

/**
 * Reports what keeps a process alive, and since which suite of tests. Call `look` at the end of each suite. A handle that
 * is open in every look from then on was left by that suite.
 */
export function createOpenHandles() {
  let since = new Map();
  return {
    look(suite) {
      since = new Map(open().map((handle) => [handle.address, since.get(handle.address) ?? suite]));
    },
    describe: () => [
      ...open().map((handle) => `${described(handle)}, since "${since.get(handle.address) ?? 'the end'}"`),
      `all: ${process.getActiveResourcesInfo().join(', ')}`,
    ],
  };
}

function open() {
  return process.report
    .getReport()
    .libuv.filter(({ type, is_active, is_referenced }) => FORGOTTEN.has(type) && is_active && is_referenced);
}

function described({ type, pid, localEndpoint, remoteEndpoint }) {
  if (type === 'process') return `process ${pid} (${commandOf(pid)})`;
  const ports = [localEndpoint, remoteEndpoint].map((end) => (end ? `${end.host}:${end.port}` : '-'));
  return `${type} ${ports.join(' to ')}`;
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return 'no longer there';
  }
}
