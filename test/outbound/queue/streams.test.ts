import {
  createStreams,
  readPlace,
  STREAM_START,
  type StreamPlace,
  type Streams,
  textOfPlace,
} from '@sluice/outbound/queue/streams';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { ACCOUNT, subscription, useDirectory } from '../directory/support/use-directory.ts';

describe('outbound: streams of connected programs', () => {
  const at = useDirectory();
  let streams: Streams;
  beforeEach(async () => {
    const namespace = at.keyspace().tag.replace(/:0$/, '');
    streams = createStreams({ redis: at.redis(), shards: createShards(namespace, 1) });
    await at.publishAll(subscription());
  });

  const append = (body: string) =>
    streams.append(ACCOUNT, 'sub_1', { headers: { 'webhook-id': body }, body });
  const read = async (after: StreamPlace = STREAM_START) => {
    const found = await streams.read(ACCOUNT, 'sub_1', after);
    if (found.status !== 'open') throw new Error(found.status);
    return found.entries;
  };

  it('return messages byte for byte, in order, after a place', async () => {
    expect(await append('{"name":"Größe"}')).to.equal('stored');
    await append('2');
    const [one, two] = await read();
    expect(one?.message).to.deep.equal({
      headers: { 'webhook-id': '{"name":"Größe"}' },
      body: '{"name":"Größe"}',
    });
    expect(await read(one)).to.deep.equal([{ ...two, missed: 0 }]);
    expect(await read(two)).to.deep.equal([]);
  });

  it('drop the oldest messages beyond 1,000, and tell the reader how many', async () => {
    await append('first');
    const [first] = await read();
    await Promise.all(Array.from({ length: 1010 }, (_, n) => append(String(n))));
    const [next, after] = await read(first);
    expect([next?.number, next?.missed, after?.missed]).to.deep.equal([12, 10, 0]);
    expect(await at.redis().xlen(at.keyspace().messageStream('sub_1'))).to.equal(1000);
  });

  it('drop the oldest messages beyond 4 MiB, but never the newest', async () => {
    const large = 'x'.repeat(1024 * 1024);
    const send = (body: string) => streams.append(ACCOUNT, 'sub_1', { headers: {}, body });
    for (let n = 0; n < 6; n++) await send(large);
    expect(await read()).to.have.length(3);
    await send('x'.repeat(5 * 1024 * 1024));
    expect(await read()).to.have.length(1);
  });

  it('have at most 8 MiB of an account together. Its largest stream loses its oldest messages', async () => {
    const MIB = 1024 * 1024;
    const ids = ['sub_1', 'sub_2', 'sub_3', 'sub_4'];
    await at.publishAll(...ids.map((subscription_id) => subscription({ subscription_id })));
    const send = (id: string, body: string) => streams.append(ACCOUNT, id, { headers: {}, body });
    for (const id of ids.slice(0, 3)) for (let n = 0; n < 3; n++) await send(id, 'x'.repeat(MIB));
    await send('sub_4', 'small');
    const bytes = await Promise.all(
      ids.map(async (id) => {
        const found = await streams.read(ACCOUNT, id, STREAM_START);
        return found.status === 'open' ? found.entries.map(({ message }) => message.body.length) : [];
      }),
    );
    expect(bytes.flat().reduce((sum, one) => sum + one)).to.be.within(6 * MIB, 8 * MIB);
    expect(bytes.map(({ length }) => length).sort()).to.deep.equal([1, 2, 2, 3]);
    expect(bytes[3]).to.deep.equal([5]);
  });

  for (const [name, changed] of [
    ['an admin has paused', { paused: 'by_admin' }],
    ['the key was revoked', { paused: 'key_revoked' }],
    ['the time is over', { ephemeral_until: 1 }],
    ['the key has expired', { key_expires_at: 1 }],
  ] as const)
    it(`store nothing and hand nothing over once ${name}`, async () => {
      await append('before');
      await at.publish(subscription({ version: 2, ...changed }));
      expect(await append('after')).to.equal('stopped');
      expect(await streams.read(ACCOUNT, 'sub_1', STREAM_START)).to.deep.equal({ status: 'stopped' });
    });

  it('say that Redis has lost the subscription, so that it is published again', async () => {
    expect(await streams.read(ACCOUNT, 'sub_2', STREAM_START)).to.deep.equal({ status: 'absent' });
    await at.redis().del(at.keyspace().mailbox('sub_1'));
    expect(await append('lost')).to.equal('stopped');
  });

  const FUTURE = `${Date.now() + 3_600_000}-0`;
  const placeOf = (entry: StreamPlace | undefined): StreamPlace => {
    if (entry === undefined) throw new Error('nothing was read');
    const { id, number, series } = entry;
    return { id, number, series };
  };
  const bodies = (entries: readonly { readonly message: { readonly body: string } }[]) =>
    entries.map(({ message }) => message.body);

  it('go on in another run of Redis whose clock is behind, and repeat nothing', async () => {
    await append('1');
    await append('2');
    // A server that has failed since gave the place.
    const found = await read({ id: FUTURE, number: 9, series: '0123456789abcdef-01234567' });
    expect(bodies(found)).to.deep.equal(['1', '2']);
    const place = placeOf(found.at(-1));
    expect(await read(place)).to.deep.equal([]);
    await append('3');
    expect(bodies(await read(place))).to.deep.equal(['3']);
  });

  it('have no unread messages in a run that has appended none', async () => {
    await append('1');
    const place = placeOf((await read()).at(-1));
    const { id } = place;
    const key = at.keyspace().messageStream('sub_1');
    await at.redis().del(key);
    const fields = ['number', '1', 'total', '1', 'bytes', '1', 'headers', '{}', 'body', '1'];
    await at.redis().xadd(key, id, ...fields, 'series', '0123456789abcdef-76543210');
    expect(await read({ ...place, series: '0123456789abcdef-01234567' })).to.deep.equal([]);
  });

  it('have places that are texts. A text of another form is the start', async () => {
    await append('1');
    const place = placeOf((await read()).at(-1));
    expect(place.series).to.match(/^[0-9a-f]{16}-[0-9a-f]{8}$/);
    expect(readPlace(textOfPlace(place))).to.deep.equal(place);
    for (const text of ['', '12-3', `${textOfPlace(place)}x`])
      expect(readPlace(text), text).to.deep.equal(STREAM_START);
  });

  it('expire without a reader and without messages', async () => {
    await append('1');
    const ttl = await at.redis().pttl(at.keyspace().messageStream('sub_1'));
    expect(ttl).to.be.within(1, 120_000);
  });
});
