import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SendReport, startSender } from '../../../../bench/support/sender.ts';
import { presign } from '../../../../bench/support/sign-requests.ts';

const CONNECTIONS = 64;

/**
 * Sends signed upserts of new events to a path of the ingress at a rate, independent of the responses. They are signed
 * before, and another process sends them, so that the sender takes little of the machine. Throws unless each gets a 200.
 */
export async function steadyLoad({
  path,
  secret,
  rate,
  seconds,
}: {
  readonly path: string;
  readonly secret: string;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}): Promise<SendReport> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-load-'));
  try {
    const file = join(folder, 'requests');
    await presign({ file, count: rate * seconds, targets: [{ path, secret }] });
    const sender = await startSender(file);
    try {
      const url = `http://127.0.0.1:${process.env.INGRESS_PORT}`;
      return await sender.send({ url, connections: CONNECTIONS, rate, seconds });
    } finally {
      await sender.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
