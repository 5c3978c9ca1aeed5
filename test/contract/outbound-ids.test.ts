import { changeId, messageId } from '@sluice/contract/message/outbound-ids';
import { expect } from 'chai';

describe('contract: ids of outbound messages', () => {
  it('never change, because receivers dedupe by them', () => {
    const change = changeId('lead_1', 1_795_244_762_000_001, 'lead.created');
    expect(change).to.equal('8150a779d806e2833087da7c8f606212');
    expect(messageId(change, 'sub_1')).to.equal('msg_4b63b10f57271c4ac4b9d777114d14d0');
  });

  it('differ if record, sequence, kind or subscription differ', () => {
    const changes = [
      changeId('lead_1', 1, 'lead.created'),
      changeId('lead_2', 1, 'lead.created'),
      changeId('lead_1', 2, 'lead.created'),
      changeId('lead_1', 1, 'lead.updated'),
    ];
    const messages = [...changes.map((id) => messageId(id, 'sub_1')), messageId(changes[0] ?? '', 'sub_2')];
    expect(new Set([...changes, ...messages])).to.have.length(9);
  });
});
