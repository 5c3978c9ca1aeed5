import { GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { expect } from 'chai';
import { readActions } from '../../services/worker/src/take/read-actions.ts';

const body = JSON.stringify({
  action: 'request_handoff',
  conversation: { external_id: 'c-1', subject: 'Tickets' },
  message: { external_id: 'm-1', author: 'visitor', text: 'Hello' },
});
const enqueued = {
  request_id: 'req_1',
  source_id: 'chn_1',
  account_id: 'acc_1',
  received_at: 1_795_000_000_000,
  source_kind: 'channel',
  request: {
    content_type: 'application/json',
    user_agent: '',
    timestamp: '1795000000',
    signature_start: 'sha256=01234567',
    bytes: body.length,
    body,
  },
};
const group = (action: object) => ({
  v: GROUP_VERSION,
  group_id: 'grp_1',
  sequences: [1_795_000_000_000_000],
  actions: [{ ...enqueued, ...action }],
});

describe('worker: actions of channels', () => {
  it('reads the action from the stored body of a channel', () => {
    const [member] = readActions(group({}), '1').members;
    expect(member?.status === 'readable' && member.action.action).to.deep.equal({
      kind: 'request_handoff',
      conversation: { external_id: 'c-1', subject: 'Tickets' },
      message: { external_id: 'm-1', author: 'visitor', text: 'Hello' },
    });
  });

  it('reads the action of an agent as the API server enqueued it', () => {
    const action = {
      kind: 'message',
      conversation: { external_id: 'c-1' },
      message: { external_id: 'r-1', author: 'agent', text: 'Hi', reply: true },
      by: { type: 'member', id: 'usr_1', name: 'Ada' },
      doer: { actor: { user_id: 'usr_1', email: 'ada@example.com' }, address: '192.0.2.7' },
    };
    const [member] = readActions(group({ request: undefined, action }), '1').members;
    expect(member?.status === 'readable' && member.action.action).to.deep.equal(action);
  });

  it('keeps an action that it cannot read as a dead letter, with the reason', () => {
    const conversation = { external_id: 'c-1' };
    const reasons = [
      { kind: 'explode', conversation },
      { kind: 'open', conversation: { external_id: 5 } },
      { kind: 'message', conversation },
      { kind: 'open', conversation: { ...conversation, session: { page: '/' } } },
      { kind: 'open', conversation, message: { external_id: 'm', author: 'ghost', text: 'Boo' } },
      { kind: 'open', conversation, by: { type: 'member' } },
      { kind: 'open', conversation, doer: { actor: { user_id: 'usr_1' }, address: '192.0.2.7' } },
    ].map((action) => {
      const [member] = readActions(group({ action }), '1').members;
      return member?.status === 'unreadable' ? member.reason : 'readable';
    });
    expect(reasons).to.deep.equal([
      'This version knows no action "explode" of a channel.',
      'The action has no valid conversation.',
      'The action has no message.',
      'The action has no valid conversation.',
      'The action has no valid message.',
      'The action has no valid agent.',
      'The action has no valid doer.',
    ]);
  });
});
