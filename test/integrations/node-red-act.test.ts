import { expect } from 'chai';
import { requireNodeRed } from './support/require-node-red.ts';

type Row = Record<string, unknown>;
interface Act {
  leadBody(payload: unknown): Row;
  idempotencyKey(node: Row, msg: Row, body: Row): string;
  upsertKey(node: Row, msg: Row, body: Row, matchOn: string): string;
}

const { leadBody, idempotencyKey, upsertKey } = requireNodeRed<Act>('lib/act.js');

describe('integrations: the writes of node-red-sluice', () => {
  const node = { id: 'node_1' };
  const msg = { _msgid: 'msg_1' };

  it('leaves out fields with an empty text, and clears those with null', () => {
    const payload = { id: 'lead_1', name: '', company: ' ', phone: null, note: 'Called', tags: [] };
    expect(leadBody({ ...payload, fields: { city: '', budget: 0, vip: false, source: null } })).to.deep.equal(
      {
        ...{ phone: null, note: 'Called', tags: [] },
        fields: { budget: 0, vip: false, source: null },
      },
    );
    // The API says what is wrong with them.
    expect(leadBody({ fields: 'none' })).to.deep.equal({ fields: 'none' });
    expect(leadBody({ fields: null })).to.deep.equal({ fields: null });
  });

  it('makes a text of a number in a field of text, and of no other', () => {
    const payload = { phone: 493012345, external_id: 0, tags: [7, 'fair'], name: { wrong: true } };
    expect(leadBody({ ...payload, fields: { budget: 5 } })).to.deep.equal({
      ...{ phone: '493012345', external_id: '0', tags: ['7', 'fair'], name: { wrong: true } },
      fields: { budget: 5 },
    });
  });

  it('has one key for a message and its contents', () => {
    const [a, b] = [{ name: 'A' }, { name: 'B' }];
    expect(idempotencyKey(node, msg, a)).to.equal(idempotencyKey(node, msg, { ...a }));
    const others = [
      idempotencyKey(node, msg, b),
      idempotencyKey(node, { _msgid: 'msg_2' }, a),
      idempotencyKey({ id: 'node_2' }, msg, a),
    ];
    expect(new Set([...others, idempotencyKey(node, msg, a)]).size).to.equal(4);
  });

  it('has another key for each create or update of a lead that is found again', () => {
    const again = (body: Row, matchOn: string) =>
      new Set([1, 2].map(() => upsertKey(node, msg, body, matchOn))).size === 1;
    const email = 'ada@example.com';
    expect(again({ email }, 'email')).to.equal(false);
    expect(again({ external_id: '7' }, 'phone, external_id')).to.equal(false);
    expect(again({ name: 'Ada' }, 'email')).to.equal(true);
    expect(again({ email }, 'external_id')).to.equal(true);
    expect(again({ phone: '+49 30 12345' }, 'phone')).to.equal(false);
    // Sluice finds no lead by a number without a digit other than zero.
    for (const phone of ['none', '000', null]) expect(again({ phone }, 'phone')).to.equal(true);
  });
});
