import { freePort } from '../../support/free-port.ts';
import type { ComposeFile } from './compose-file.ts';

/** The ports on which the stores listen in their images. */
const STORE_PORTS: Readonly<Record<string, readonly number[]>> = { redis: [6379], mongo: [27017] };

/** Maps each port of a container to a port of this machine. */
export type LocalPorts = ReadonlyMap<number, number>;

/** A free port for every port that a service listens on. */
export async function choosePorts(file: ComposeFile, name: string): Promise<LocalPorts> {
  const own = Object.entries(file.services[name]?.environment ?? {})
    .filter(([variable]) => variable.endsWith('_PORT'))
    .map(([, value]) => Number(value));
  const ports = [...(STORE_PORTS[name] ?? []), ...own];
  return new Map(await Promise.all(ports.map(async (port) => [port, await freePort()] as const)));
}

/** The ports of every service, by host name. */
export type LocalHosts = ReadonlyMap<string, LocalPorts>;

/** The environment of a container, changed for a local process, because here all services share one host. */
export function localEnvironment(
  environment: Readonly<Record<string, string>>,
  own: LocalPorts,
  hosts: LocalHosts,
): Record<string, string> {
  const entries = Object.entries(environment).map(([name, value]) => {
    if (name === 'HOST') return [name, '127.0.0.1'];
    if (name.endsWith('_PORT')) return [name, String(own.get(Number(value)) ?? value)];
    return [name, localAddresses(value, hosts)];
  });
  return Object.fromEntries(entries);
}

function localAddresses(text: string, hosts: LocalHosts): string {
  return text.replaceAll(/\b([a-z][\w-]*):(\d+)\b/g, (address, host: string, port: string) => {
    const local = hosts.get(host)?.get(Number(port));
    return local === undefined ? address : `127.0.0.1:${local}`;
  });
}
