import type { Socket } from 'node:net';

/** Both are in the set for as long as they are open, and neither outlives the other. */
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
