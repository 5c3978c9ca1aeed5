import { join } from 'node:path';
import type { LocalPorts } from './local-hosts.ts';
import { ROOT } from './root.ts';

const EMBEDDED_MONGODB = join(ROOT, 'tools', 'embedded-mongodb', 'dist', 'main.js');

/** What of the machine a container has for itself and a local process must be told. */
export interface Placement {
  readonly ports: LocalPorts;
  readonly dataDir: string;
}

/** A command of an image as it runs here: the same arguments, on the ports and in the folder of its own. */
export function localCommand(
  [program = '', ...args]: readonly string[],
  { ports, dataDir }: Placement,
): string[] {
  switch (program) {
    case 'node':
      return [process.execPath, ...args];
    case 'redis-server':
      return [program, ...args, '--port', String(ports.get(6379)), '--bind', '127.0.0.1', '--dir', dataDir];
    case 'redis-cli':
      return [program, '-p', String(ports.get(6379)), ...args];
    case 'mongod':
      // The development store stands for the server: it is what every machine has.
      return [process.execPath, EMBEDDED_MONGODB, '--port', String(ports.get(27017)), '--data-dir', dataDir];
    case 'mongosh':
      return [process.execPath, '--eval', connectTo(ports.get(27017))];
    default:
      return [program, ...args];
  }
}

/** Stands for mongosh, which nothing here installs: it listens only once its data is read. */
function connectTo(port: number | undefined): string {
  return `require('node:net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`;
}

/** The command of a health check: CMD as it stands, CMD-SHELL through a shell. */
export function healthCommand([kind, ...args]: readonly string[]): string[] {
  if (kind === 'CMD') return args;
  if (kind === 'CMD-SHELL') return ['sh', '-c', ...args];
  throw new Error(`a health check must begin with CMD or CMD-SHELL, not ${kind}`);
}
