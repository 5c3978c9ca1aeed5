import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bareHost } from './allowed-addresses.ts';

/**
 * Asks the proxy itself for its options, which it answers without any other host (RFC 9110, section 9.3.7). Resolves to whether it
 * has sent anything, or closed the connection, within `withinMs`. A process that hangs does neither.
 */
export function isProxyAlive(proxy: string, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const url = new URL(proxy);
    const end = (isAlive: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isAlive);
    };
    const timer = setTimeout(() => end(false), withinMs);
    let isOpen = false;
    const socket = open(url, () => {
      isOpen = true;
      const lines = ['OPTIONS * HTTP/1.1', `Host: ${url.host}`, 'Max-Forwards: 0', 'Connection: close'];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    });
    socket.on('data', () => end(true));
    socket.on('end', () => end(true));
    socket.on('error', () => end(isOpen));
  });
}

function open({ protocol, hostname, port }: URL, onOpen: () => void): Socket {
  const host = bareHost(hostname);
  return protocol === 'https:'
    ? connectTls({ host, port: Number(port || 443), ...(isIP(host) === 0 && { servername: host }) }, onOpen)
    : connectTcp({ host, port: Number(port || 80) }, onOpen);
}
