import { isAbout, mentionOf } from '@sluice/store/erasure/rejected-bodies';
import { expect } from 'chai';
import { useStore } from './support.ts';

const ERASED_AT = 1_795_250_000_000;

describe('the bodies of rejected requests of an erased lead', () => {
  const used = useStore();
  let requests = 0;

  /** Stores bodies of one channel. Resolves to those that are left after the lead of the conversation was erased. */
  async function leftOf(externalId: string, bodies: readonly string[]): Promise<string[]> {
    requests += 1;
    const [channel_id, lead_id] = [`chn_${requests}`, `lead_${requests}`];
    const collection = (name: string) => used.mongo.db.collection<{ _id: string }>(name);
    const linked = { account_id: 'acc_1', lead_id, channel_id, external_id: externalId };
    await collection('conversations').insertOne({ _id: `conv_${requests}`, ...linked } as never);
    await collection('deliveries').insertMany(
      bodies.map((body, index) => ({
        ...{ _id: `dlv_${requests}_${index}`, source_id: channel_id, outcome: 'rejected', title: 'Ada' },
        ...{ received_at: new Date(ERASED_AT - 1), request: { body } },
      })),
    );
    await used.store.erasedTraces.removeRejected('acc_1', lead_id, ERASED_AT);
    const rows = await collection('deliveries').find({ source_id: channel_id }).sort({ _id: 1 }).toArray();
    return rows.flatMap((row) => (row as { request?: { body: string } }).request?.body ?? []);
  }

  const bodyOf = (external_id: unknown, rest: object = {}) =>
    JSON.stringify({ action: 'nonsense', conversation: { external_id }, ...rest });

  it('are removed, and those of others that only have the same text stay', async () => {
    const others = [
      bodyOf('77', { message: { external_id: '1', author: 'visitor', text: '1' } }),
      bodyOf('77', { conversation: { external_id: '77', session: { step: '1', count: 1 } } }),
      bodyOf('11'),
      bodyOf(11),
    ];
    expect(await leftOf('1', [bodyOf('1'), bodyOf(' 1 '), bodyOf(1), ...others])).to.have.members(others);
  });

  it('are removed where they name no conversation, or are not JSON', async () => {
    const bodies = [
      '{"conversation":{"id":"visit-1"}}',
      '{"conversation":{"external_id":"visit-1"},',
      '["visit-1"]',
    ];
    expect(await leftOf('visit-1', [...bodies, '{"conversation":{"id":"visit-12"}}'])).to.deep.equal([
      '{"conversation":{"id":"visit-12"}}',
    ]);
  });

  it('are found however the sender escapes characters', async () => {
    const bodies = [
      String.raw`{"conversation":{"external_id":"caf\u00e9/\ud83d\ude00"}}`,
      String.raw`{"conversation":{"external_id":"caf\u00E9\/\uD83D\uDE00"}}`,
      String.raw`{"conversation":{"external_id":"\u0063afé/😀"}}`,
    ];
    expect(await leftOf('café/😀', bodies)).to.deep.equal([]);
    const id = 'a.*"\\$b';
    expect(await leftOf(id, [bodyOf(id), bodyOf('axx"\\$b')])).to.deep.equal([bodyOf('axx"\\$b')]);
  });

  it('have a pattern for ids of every length', () => {
    const id = 'é'.repeat(200);
    const escaped = `{"conversation":{"external_id":"${'\\u00e9'.repeat(200)}"}}`;
    expect(new RegExp(mentionOf(id)).test(escaped)).to.equal(true);
    expect(isAbout(escaped, id)).to.equal(true);
    expect(mentionOf(id).length, 'PCRE has a limit of 32 KiB').to.be.below(30_000);
  });
});
