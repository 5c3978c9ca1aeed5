import { join } from 'node:path';
import type { LocalPorts } from './local-hosts.ts';
import { ROOT } from './root.ts';

const EMBEDDED_MONGODB = join(ROOT, 'tools', 'embedded-mongodb', 'dist', 'main.js');

/** Resources that a container has to itself, and that a local process must be given. */
export interface Placement {
  readonly ports: LocalPorts;
  readonly dataDir: string;
}

/** A command of an image as run locally: with the same arguments, on separate ports and in a separate folder. */
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
      // The development store replaces the server, because every machine has it.
      return [process.execPath, EMBEDDED_MONGODB, '--port', String(ports.get(27017)), '--data-dir', dataDir];
    case 'mongosh':
      return [process.execPath, '--eval', connectTo(ports.get(27017))];
    default:
      return [program, ...args];
  }
}

/** Replaces mongosh, which is not installed here. The store listens only once its data is loaded. */
function connectTo(port: number | undefined): string {
  return `require('node:net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`;
}

/** The command of a health check: CMD unchanged, CMD-SHELL through a shell. */
export function healthCommand([kind, ...args]: readonly string[]): string[] {
  if (kind === 'CMD') return args;
  if (kind === 'CMD-SHELL') return ['sh', '-c', ...args];
  throw new Error(`a health check must begin with CMD or CMD-SHELL, not ${kind}`);
}
