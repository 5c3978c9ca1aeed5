import { IDS_PER_DAY } from '@sluice/admission/checks/duplicates.lua';
import type { Ticket } from '@sluice/admission/ticket';
import { expect } from 'chai';
import { outcomes, sequences, useAdmission } from './support/use-admission.ts';

describe('admission: ids of a sender', () => {
  const { redis, keyspace, publish, admit } = useAdmission();
  const ticket = (source: string, day: number, id: string): Ticket => ({
    ...{
      kind: 'action',
      upsert: true,
      signature: `sha256=${id.padStart(16, '0')}`,
      rememberSeconds: 259_200,
    },
    timestamp: `d${day}.${source}`,
    earlier: [`d${day - 1}.${source}`, `d${day - 2}.${source}`],
  });

  it('are remembered over two midnights, and forgotten after the third', async () => {
    const record = await publish();
    const on = (day: number) => admit(record, [ticket(record.source_id, day, 'a1')]);
    const first = await on(20_000);
    expect(outcomes(first)).to.deep.equal(['admitted']);
    for (const day of [20_000, 20_001, 20_002]) {
      const again = await on(day);
      expect(outcomes(again)).to.deep.equal(['duplicate']);
      expect(sequences(again)).to.deep.equal(sequences(first));
    }
    expect(outcomes(await on(20_003))).to.deep.equal(['admitted']);
    expect(await redis().ttl(keyspace().seen(`d20000.${record.source_id}`))).to.be.within(259_000, 259_200);
  });

  it('belong to one source', async () => {
    const [one, other] = [await publish(), await publish()];
    await admit(one, [ticket(one.source_id, 1, 'a1')]);
    expect(outcomes(await admit(other, [ticket(other.source_id, 1, 'a1')]))).to.deep.equal(['admitted']);
  });

  it('beyond the limit of a day are admitted and not remembered', async () => {
    const record = await publish();
    const key = keyspace().seen(`d1.${record.source_id}`);
    const fields = Array.from({ length: IDS_PER_DAY }, (_, id) => [id, 1]);
    for (let at = 0; at < fields.length; at += 10_000)
      await redis().hset(key, ...fields.slice(at, at + 10_000).flat());
    const sent = ticket(record.source_id, 1, 'a1');
    expect(outcomes(await admit(record, [sent]))).to.deep.equal(['admitted']);
    expect(outcomes(await admit(record, [sent]))).to.deep.equal(['admitted']);
    expect(await redis().hlen(key)).to.equal(IDS_PER_DAY);
  });
});
