import { execFile, execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A network namespace behind a link with a rate and a queue. Clients run inside of it. */
export interface SlowLink {
  /** The address of this side, for servers. */
  readonly host: string;
  /** Runs a program behind the link. Resolves with its output, also if it fails. */
  exec(program: string, args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Why there can be no slow link on this machine; undefined if there can. */
export function whyNoSlowLink(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux';
  const missing = ['ip', 'tc'].filter((program) => !isInstalled(program));
  return missing.length === 0 ? undefined : `${missing.join(' and ')} (iproute2) not installed`;
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens a link that sends `rate` (as tc writes it) towards us, and queues for up to `latency`. Rejects where the kernel
 * lacks namespaces, veth or tbf.
 */
export async function openSlowLink(rate: string, latency: string): Promise<SlowLink> {
  const id = randomInt(1, 16_000);
  const [space, near, far] = [`sluice-${id}`, `slc${id}a`, `slc${id}b`];
  const network = `10.213.${id >> 6}.${(id & 63) * 4}`.split('.');
  const address = (last: number) => [...network.slice(0, 3), Number(network[3]) + last].join('.');
  const ip = (...args: string[]) => run('ip', args);
  await ip('netns', 'add', space);
  const close = async (): Promise<void> => {
    await ip('netns', 'del', space);
  };
  try {
    await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', space);
    await ip('addr', 'add', `${address(1)}/30`, 'dev', near);
    await ip('link', 'set', near, 'up');
    await ip('-n', space, 'addr', 'add', `${address(2)}/30`, 'dev', far);
    await ip('-n', space, 'link', 'set', far, 'up');
    const shape = [
      'qdisc',
      'add',
      'dev',
      far,
      'root',
      'tbf',
      'rate',
      rate,
      'burst',
      '32kb',
      'latency',
      latency,
    ];
    await run('tc', ['-n', space, ...shape]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    host: address(1),
    async exec(program, args) {
      const { stdout } = await run('ip', ['netns', 'exec', space, program, ...args], {
        timeout: 100_000,
      }).catch((error: { stdout?: string; message: string }) => ({
        stdout: `${error.stdout ?? ''}${error.message}`,
      }));
      return stdout;
    },
    close,
  };
}
