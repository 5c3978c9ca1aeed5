import { parseArgs } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { memoryForDocuments } from '@sluice/machine/memory';
import { startServer } from './server.ts';

const USAGE = 'usage: main.js --data-dir DIR [--port N] [--host H] [--expiry-sweep-ms N] [--max-memory-mb N]';

/** Standard output gets one line once the server is ready. Everything else goes to standard error. */
function log(message: string): void {
  process.stderr.write(`${new Date().toISOString()} embedded-mongodb: ${message}\n`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '27017' },
      host: { type: 'string', default: '127.0.0.1' },
      'data-dir': { type: 'string' },
      'expiry-sweep-ms': { type: 'string', default: '60000' },
      'compact-min-bytes': { type: 'string' },
      'max-memory-mb': { type: 'string' },
    },
  });
  const dataDir = values['data-dir'];
  if (!dataDir) throw new Error(`--data-dir is missing; ${USAGE}`);
  const maxMemory = values['max-memory-mb'];
  const compactMinBytes = values['compact-min-bytes'];
  const server = await startServer({
    port: wholeNumber('port', values.port, 65_535),
    host: values.host,
    dataDir,
    maxMemoryBytes: maxMemory === undefined ? memoryWithinHeap() : megabytes('max-memory-mb', maxMemory),
    expirySweepMilliseconds: wholeNumber('expiry-sweep-ms', values['expiry-sweep-ms'], 2 ** 31 - 1),
    ...(compactMinBytes === undefined
      ? {}
      : { compactMinBytes: wholeNumber('compact-min-bytes', compactMinBytes, Number.MAX_SAFE_INTEGER) }),
    log,
    onFatal: (error) => {
      log(
        `The journal cannot be written; stopping, so that nothing is acknowledged that is not kept: ${error.message}`,
      );
      process.exit(1);
    },
  });
  const stop = (signal: string): void => {
    log(`${signal}: stopping.`);
    server.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(`${JSON.stringify({ ready: true, url: server.url })}\n`);
}

/** V8 counts its young generation as heap, but no document stays there: three semi-spaces of 16 MiB. Bytes. */
const YOUNG_GENERATION = 48 * 1024 * 1024;
/** The rest of the heap is for garbage and for the temporary objects of a command. */
const OF_HEAP = 0.7;

/** All documents and indexes are in the heap. */
function memoryWithinHeap(): number {
  const heap = Math.max(0, getHeapStatistics().heap_size_limit - YOUNG_GENERATION);
  return Math.min(memoryForDocuments(), Math.floor(OF_HEAP * heap));
}

function megabytes(name: string, value: string): number {
  return wholeNumber(name, value, 2 ** 31 - 1) * 1024 * 1024;
}

function wholeNumber(name: string, value: string, most: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= most) return number;
  throw new Error(`--${name} must be a whole number from 0 to ${most}, not '${value}'; ${USAGE}`);
}

function fail(error: unknown): void {
  log(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

main().catch(fail);
