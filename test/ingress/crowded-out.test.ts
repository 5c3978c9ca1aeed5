import { connect } from 'node:net';
import { createBodyRoom, type PartialBody } from '@sluice/ingress/receive/body-room';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useWebhook } from './support/use-webhook.ts';

const ROOM = 100;

describe('ingress: incomplete bodies and their room', () => {
  const codes: (string | null)[] = [];
  let held = 0;
  const holding = new Set<PartialBody>();
  const room = createBodyRoom(ROOM);
  const { url } = useWebhook(
    {
      bodies: {
        hold(body, bytes) {
          held += bytes;
          holding.add(body);
          room.hold(body, bytes);
        },
        leave(body) {
          holding.delete(body);
          room.leave(body);
        },
      },
    },
    (reply) => {
      codes.push(reply?.kind === 'refused' ? reply.refusal.code : null);
      return 200;
    },
  );

  /** Begins a request with a body of 80 bytes, and sends `bytes` of them with its head. */
  function begin(bytes: number) {
    const socket = connect(Number(new URL(url()).port), '127.0.0.1').on('error', () => {});
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 80\r\n\r\n${'x'.repeat(bytes)}`,
    );
    return socket;
  }

  it('get 503 if others need their room, and leave it once they are complete or their sender has gone', async () => {
    const slow = begin(60);
    await until(() => held === 60);
    const other = begin(60);
    await until(() => codes.length === 1);
    expect(codes).to.deep.equal(['unavailable']);
    other.write('x'.repeat(20));
    await until(() => codes.length === 2);
    const gone = begin(60);
    await until(() => held === 180);
    gone.destroy();
    await until(() => codes.length === 3);
    const last = begin(60);
    await until(() => held === 240);
    last.write('x'.repeat(20));
    await until(() => codes.length === 4);
    expect(codes).to.deep.equal(['unavailable', 'source_not_found', null, 'source_not_found']);
    expect(holding).to.be.empty;
    slow.destroy();
    last.destroy();
    other.destroy();
  });
});
