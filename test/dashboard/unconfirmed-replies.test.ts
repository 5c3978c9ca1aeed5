import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { expect } from 'chai';
import { createUnconfirmedReplies } from '../../services/dashboard/src/pages/conversations/unconfirmed-replies.ts';

function replies() {
  let last = 0;
  let now = 0;
  const { idOf, confirm } = createUnconfirmedReplies({ newId: () => `reply-${++last}`, now: () => now });
  return {
    pass: (minutes: number) => {
      now += minutes * 60_000;
    },
    idOf: (conversationId: string, text: string, messages: readonly MessageItem[] = []) =>
      idOf({ conversationId, text, messages }),
    confirm: (conversationId: string, text: string) => confirm({ conversationId, text }),
  };
}

let messages = 0;
const message = (author: MessageItem['author'], text: string): MessageItem => ({
  ...{ message_id: `msg_${++messages}`, author, author_name: null, text, delivery: null },
  delivery_reason: null,
  sent_at: '2026-11-27T10:00:00.000Z',
});

describe('dashboard: the ids of replies', () => {
  it('stay the same for one text and conversation until the reply is confirmed', () => {
    const { idOf, confirm } = replies();
    expect(['Hello', 'Hello ', 'Hello'].map((text) => idOf('conv_1', text))).to.deep.equal([
      'reply-1',
      'reply-1',
      'reply-1',
    ]);
    confirm('conv_1', 'Hello');
    expect(idOf('conv_1', 'Hello')).to.equal('reply-2');
  });

  it('change once the thread shows the reply, and not because a visitor says the same', () => {
    const { idOf } = replies();
    const earlier = message('agent', 'Yes');
    expect(idOf('conv_1', 'Yes', [earlier])).to.equal('reply-1');
    expect(idOf('conv_1', 'Yes', [earlier, message('visitor', 'Yes')])).to.equal('reply-1');
    const shown = [earlier, message('agent', 'Yes')];
    expect(idOf('conv_1', 'Yes', shown)).to.equal('reply-2');
    expect(idOf('conv_1', 'Yes', shown)).to.equal('reply-2');
  });

  it('stay the same if older messages are loaded above, with the same text', () => {
    const { idOf } = replies();
    const thread = [message('visitor', 'Are you there?')];
    expect(idOf('conv_1', 'One moment', thread)).to.equal('reply-1');
    expect(idOf('conv_1', 'One moment', [message('agent', 'One moment'), ...thread])).to.equal('reply-1');
  });

  it('change if only messages are loaded that are all newer than the reply', () => {
    const { idOf } = replies();
    expect(idOf('conv_1', 'One moment', [message('visitor', 'Hello')])).to.equal('reply-1');
    expect(idOf('conv_1', 'One moment', [message('agent', 'One moment')])).to.equal('reply-2');
  });

  it('change after ten minutes, when the thread may no longer have the reply', () => {
    const { idOf, pass } = replies();
    expect(idOf('conv_1', 'One moment')).to.equal('reply-1');
    pass(9);
    expect(idOf('conv_1', 'One moment')).to.equal('reply-1');
    pass(1);
    expect(idOf('conv_1', 'One moment')).to.equal('reply-2');
  });

  it('differ for another text, and for another conversation', () => {
    const { idOf, confirm } = replies();
    const ids = [idOf('conv_1', 'Hello'), idOf('conv_1', 'Bye'), idOf('conv_2', 'Hello')];
    expect(new Set(ids)).to.have.property('size', 3);
    confirm('conv_2', 'Hello');
    expect(idOf('conv_1', 'Hello')).to.equal(ids[0]);
  });

  it('are kept for the latest 100 replies', () => {
    const { idOf } = replies();
    for (let n = 0; n <= 100; n++) idOf('conv_1', `${n}`);
    expect([idOf('conv_1', '100'), idOf('conv_1', '0')]).to.deep.equal(['reply-101', 'reply-102']);
  });
});
