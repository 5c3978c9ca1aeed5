import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { expect } from 'chai';
import { continues, withMessages } from '../../services/dashboard/src/pages/conversations/with-changes.ts';

function message(id: string, second: number, delivery: MessageItem['delivery'] = null): MessageItem {
  const sent_at = new Date(Date.UTC(2026, 10, 27, 10, 0, second)).toISOString();
  return {
    message_id: id,
    author: 'visitor',
    author_name: null,
    text: id,
    sent_at,
    delivery,
    delivery_reason: null,
  };
}

const idsOf = (messages: readonly MessageItem[]) => messages.map(({ message_id }) => message_id);

describe('dashboard: the thread of a conversation', () => {
  it('puts a late message where it belongs, and keeps the server’s order within an instant', () => {
    const thread = [message('a', 1), message('c', 3), message('d', 3)];
    expect(idsOf(withMessages(thread, [message('b', 2), message('e', 3)]))).to.deep.equal([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
  });

  it('replaces a message by its later version, such as a reply that was delivered', () => {
    const thread = withMessages([message('a', 1, 'pending')], [message('a', 1, 'delivered')]);
    expect(thread.map(({ delivery }) => delivery)).to.deep.equal(['delivered']);
  });

  it('notices that messages are missing between the thread and the newest page', () => {
    const thread = [message('a', 1), message('b', 2)];
    expect(continues(thread, [message('b', 2), message('c', 3)])).to.equal(true);
    expect(continues(thread, [message('y', 8), message('z', 9)])).to.equal(false);
    expect(continues([], [message('y', 8)])).to.equal(true);
    expect(continues(thread, [])).to.equal(true);
  });
});
