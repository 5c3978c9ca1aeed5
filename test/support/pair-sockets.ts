import type { Socket } from 'node:net';

/** Both sockets stay in the set while they are open. When one closes, the other is destroyed. */
export function pairSockets(one: Socket, other: Socket, sockets: Set<Socket>): void {
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => peer.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      peer.destroy();
    });
  }
}
