import type { PendingChange } from '@sluice/contract/message/change';
import { messageBody, outboundText } from '@sluice/contract/message/outbound-text';
import { expect } from 'chai';

const CHANGE: PendingChange = {
  sequence: 1_795_244_762_000_001,
  kind: 'lead.stage_changed',
  at: 1_795_244_762_000,
  actor: { type: 'member', id: 'usr_1', import_id: 'imp_1' },
  data: { id: 'lead_1', name: 'Zoë "Z" \u2028', fields: { id: 1 } },
  previous: { stage: 'stg_new' },
  note: 'They signed',
};

describe('contract: the text of outbound messages', () => {
  it('has exactly these characters, because receivers verify a signature of them', () => {
    expect(messageBody('msg_1', outboundText(CHANGE, 'acc_1'))).to.equal(
      '{"id":"msg_1","type":"lead.stage_changed","timestamp":"2026-11-21T07:06:02.000Z","account_id":"acc_1",' +
        '"sequence":1795244762000001,"actor":{"type":"member","id":"usr_1"},' +
        '"data":{"id":"lead_1","name":"Zoë \\"Z\\" \u2028","fields":{"id":1},"previous":{"stage":"stg_new"}}}',
    );
  });

  it('is one flat object with the same keys for every kind of change', () => {
    const { previous: _, ...created } = CHANGE;
    const texts = [CHANGE, created, { ...CHANGE, kind: 'lead.erased', data: { id: 'lead_1' } } as const];
    for (const change of texts) {
      const body = JSON.parse(messageBody('msg_1', outboundText(change, 'acc_1')));
      expect(Object.keys(body)).to.deep.equal([
        ...['id', 'type', 'timestamp', 'account_id', 'sequence', 'actor', 'data'],
      ]);
    }
  });

  it('has no `previous` for a new record', () => {
    const { previous: _, ...created } = CHANGE;
    expect(JSON.parse(messageBody('msg_1', outboundText(created, 'acc_1'))).data).to.deep.equal(created.data);
  });
});
