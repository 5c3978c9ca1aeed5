import type { ConversationItem } from '@sluice/dashboard-api/conversations';
import { expect } from 'chai';
import { collected, withChanges } from '../../services/dashboard/src/pages/conversations/with-changes.ts';

const at = (second: number) => `2026-11-27T10:00:${String(second).padStart(2, '0')}.000Z`;

function item(
  id: string,
  updated: number,
  status: ConversationItem['status'] = 'open',
  requested = updated,
): ConversationItem {
  return {
    conversation_id: id,
    channel_id: 'chn_1',
    channel_name: 'Website chat',
    external_id: id,
    subject: null,
    status,
    contact: { name: null, email: null, phone: null },
    last_message: null,
    handoff: { requested_at: at(requested), accepted_at: null, agent: null, agent_user_id: null },
    erased_at: null,
    created_at: at(0),
    updated_at: at(updated),
  };
}

const idsOf = (items: readonly ConversationItem[]) => items.map(({ conversation_id }) => conversation_id);

describe('dashboard: the live list of conversations', () => {
  it('shows who waits for an agent first, by the longest wait, then the latest change first', () => {
    const loaded = [item('requested', 7, 'handoff_requested', 1), item('new', 5), item('old', 2)];
    const changed = [item('old', 9), item('late', 3, 'handoff_requested'), item('mine', 8, 'handoff_active')];
    expect(idsOf(withChanges({ loaded, changed, filter: {}, hasMore: false }))).to.deep.equal([
      'requested',
      'late',
      'mine',
      'old',
      'new',
    ]);
  });

  it('takes a conversation out that no longer matches the filter', () => {
    const loaded = [item('one', 1, 'handoff_requested'), item('two', 2, 'handoff_requested')];
    const changed = [item('one', 3, 'handoff_active'), item('three', 4, 'handoff_requested')];
    const filter = { status: 'handoff_requested' } as const;
    expect(idsOf(withChanges({ loaded, changed, filter, hasMore: false }))).to.deep.equal(['two', 'three']);
    expect(withChanges({ loaded, changed, filter: { channel_id: 'chn_2' }, hasMore: false })).to.deep.equal(
      [],
    );
  });

  it('leaves a conversation to the page to which it now belongs', () => {
    const loaded = [item('one', 9), item('two', 7)];
    const changed = [item('one', 10, 'closed'), item('far', 3)];
    expect(idsOf(withChanges({ loaded, changed, filter: {}, hasMore: true }))).to.deep.equal(['two']);
    expect(idsOf(withChanges({ loaded, changed, filter: {}, hasMore: false }))).to.deep.equal([
      'two',
      'far',
      'one',
    ]);
  });

  it('prefers the newer version, whether it was loaded or reported', () => {
    const loaded = [item('one', 5, 'closed')];
    const changed = [item('one', 4, 'open')];
    const [shown] = withChanges({ loaded, changed, filter: {}, hasMore: false });
    expect(shown?.status).to.equal('closed');
  });

  it('keeps one version of each change, and the same list where nothing is new', () => {
    const before = collected([], [item('one', 1), item('two', 1)]);
    expect(collected(before, [item('one', 1)])).to.equal(before);
    const after = collected(before, [item('one', 2, 'closed')]);
    expect(after).to.have.length(2);
    expect(after.find(({ conversation_id }) => conversation_id === 'one')?.status).to.equal('closed');
  });
});
