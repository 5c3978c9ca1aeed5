import { CONVERSATION_MAX } from '@sluice/contract/conversation/conversation';
import { conversationId, messageId } from '@sluice/contract/conversation/conversation-id';
import { parseConversationText } from '@sluice/contract/conversation/parse-conversation';
import { expect } from 'chai';

const read = (value: unknown) => parseConversationText(JSON.stringify(value));
const about = (conversation: Record<string, unknown>) =>
  read({ action: 'open', conversation: { external_id: 'c-1', ...conversation } });
const saying = (message: Record<string, unknown>) =>
  read({
    action: 'message',
    conversation: { external_id: 'c-1' },
    message: { external_id: 'm-1', author: 'visitor', text: 'Hello', ...message },
  });
const long = (length: number) => 'x'.repeat(length);
const values = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

function actionOf(parsed: ReturnType<typeof read>) {
  if (parsed.outcome !== 'valid') throw new Error(JSON.stringify(parsed));
  return parsed.action;
}

function complaintOf(parsed: ReturnType<typeof read>) {
  if (parsed.outcome !== 'validation_failed')
    throw new Error(`expected a complaint: ${JSON.stringify(parsed)}`);
  expect(parsed.errors).to.have.length(1);
  return parsed.errors[0] as { pointer: string; detail: string };
}

describe("contract: a channel's actions", () => {
  it('points at a wrong value under a key with a slash or a tilde, by RFC 6901', () => {
    const { pointer } = complaintOf(about({ session: { 'a/b~c': [1] } }));
    expect(pointer).to.equal('/conversation/session/a~1b~0c');
  });

  it('reads every field of a conversation and its message', () => {
    const parsed = read({
      action: 'message',
      conversation: {
        external_id: 'c-1',
        subject: 'Open day',
        language: 'en',
        contact: { name: 'Ada', email: 'Ada@Example.com', phone: '030 1' },
        session: { page: '/pricing', visits: 3, returning: true, campaign: null },
      },
      message: {
        external_id: 'm-1',
        author: 'visitor',
        author_name: 'Ada',
        text: 'Hello',
        sent_at: '2026-12-01T18:00:00+01:00',
      },
    });
    expect(actionOf(parsed)).to.deep.equal({
      kind: 'message',
      conversation: {
        external_id: 'c-1',
        subject: 'Open day',
        language: 'en',
        contact: { name: 'Ada', email: 'Ada@Example.com', phone: '030 1' },
        session: [
          ['page', '/pricing'],
          ['visits', 3],
          ['returning', true],
          ['campaign', null],
        ],
      },
      message: {
        external_id: 'm-1',
        author: 'visitor',
        author_name: 'Ada',
        text: 'Hello',
        sent_at: Date.UTC(2026, 11, 1, 17),
      },
    });
  });

  it('leaves out optional fields that are empty, null or unknown', () => {
    const fields = { subject: '', language: null, contact: null, session: null, colour: 'red' };
    expect(actionOf(about(fields))).to.deep.equal({ kind: 'open', conversation: { external_id: 'c-1' } });
    expect(
      actionOf(about({ contact: { name: null, email: '', phone: '1' } })).conversation.contact,
    ).to.deep.equal({
      phone: '1',
    });
    expect(
      actionOf(read({ action: 'close', conversation: { external_id: 'c' }, message: null })),
    ).to.not.have.property('message');
  });

  it('never lets a channel mark a message as a reply, or name who asked', () => {
    const parsed = read({
      action: 'accept_handoff',
      by: { type: 'member', id: 'usr_1', name: 'Mallory' },
      doer: { actor: { user_id: 'usr_1', email: 'mallory@example.com' }, address: '192.0.2.7' },
      agent_name: 'Mallory',
      agent: { name: 'Grace', id: 'usr_1' },
      conversation: { external_id: 'c-1' },
      message: { external_id: 'm-1', author: 'agent', text: 'Hello', reply: true, delivery: 'delivered' },
    });
    expect(actionOf(parsed)).to.deep.equal({
      kind: 'accept_handoff',
      conversation: { external_id: 'c-1' },
      message: { external_id: 'm-1', author: 'agent', text: 'Hello' },
      agent_name: 'Grace',
    });
  });

  it('keeps session values with the names of inherited properties, and changes no prototype', () => {
    const body =
      '{"action":"open","conversation":{"external_id":"c","session":{"__proto__":"x","constructor":1,"a.b":2,"$c":3}}}';
    expect(actionOf(parseConversationText(body)).conversation.session).to.deep.equal([
      ['__proto__', 'x'],
      ['constructor', 1],
      ['a.b', 2],
      ['$c', 3],
    ]);
  });

  for (const [field, longest] of [
    ['external_id', CONVERSATION_MAX.external_id],
    ['subject', CONVERSATION_MAX.subject],
    ['language', CONVERSATION_MAX.language],
  ] as const) {
    it(`accepts ${longest} characters as ${field} of a conversation, and rejects one more`, () => {
      expect(about({ [field]: long(longest) }).outcome).to.equal('valid');
      expect(complaintOf(about({ [field]: long(longest + 1) }))).to.deep.equal({
        pointer: `/conversation/${field}`,
        detail: `Longer than ${longest} characters. Shorten it.`,
      });
    });
  }

  for (const field of ['name', 'email', 'phone'] as const) {
    it(`accepts ${CONVERSATION_MAX[field]} characters as ${field} of a contact, and rejects one more`, () => {
      expect(about({ contact: { [field]: long(CONVERSATION_MAX[field]) } }).outcome).to.equal('valid');
      expect(
        complaintOf(about({ contact: { [field]: long(CONVERSATION_MAX[field] + 1) } })).pointer,
      ).to.equal(`/conversation/contact/${field}`);
    });
  }

  it('accepts 10,000 characters of text, counted as people count, and rejects one more', () => {
    expect(saying({ text: '🎉'.repeat(10_000) }).outcome).to.equal('valid');
    expect(complaintOf(saying({ text: long(10_001) }))).to.deep.equal({
      pointer: '/message/text',
      detail: 'Longer than 10000 characters. Shorten it.',
    });
  });

  it('makes the text of a message without one from its attachments', () => {
    const textOf = (attachments: unknown, text?: unknown) => actionOf(saying({ text, attachments }));
    const image = { type: 'image', url: 'https://example.org/a.png' };
    for (const text of ['', null, undefined])
      expect(textOf([image, { type: 'sticker' }, 7], text)).to.have.nested.property(
        'message.text',
        '[image] https://example.org/a.png\n[sticker]\n[attachment]',
      );
    expect(textOf([image], 'Look')).to.have.nested.property('message.text', 'Look');
    expect(textOf([{ type: 'x'.repeat(20_000) }]))
      .to.have.nested.property('message.text')
      .with.length(10_000);
  });

  it('accepts 50 session values of 1,000 characters with names of 100, and rejects one more', () => {
    expect(about({ session: values(50) }).outcome).to.equal('valid');
    expect(complaintOf(about({ session: values(51) })).pointer).to.equal('/conversation/session');
    expect(about({ session: { [long(100)]: long(1000) } }).outcome).to.equal('valid');
    expect(complaintOf(about({ session: { a: long(1001) } })).pointer).to.equal('/conversation/session/a');
    expect(complaintOf(about({ session: { [long(101)]: 1 } })).pointer).to.equal(
      `/conversation/session/${long(101)}`,
    );
  });

  for (const [value, pointer] of [
    [{ action: 'shout', conversation: { external_id: 'c' } }, '/action'],
    [{ action: 'open' }, '/conversation'],
    [{ action: 'open', conversation: {} }, '/conversation/external_id'],
    [{ action: 'open', conversation: { external_id: '' } }, '/conversation/external_id'],
    [{ action: 'open', conversation: { external_id: 7 } }, '/conversation/external_id'],
    [{ action: 'open', conversation: { external_id: { $ne: null } } }, '/conversation/external_id'],
    [{ action: 'open', conversation: { external_id: '\ud800' } }, '/conversation/external_id'],
    [{ action: 'open', conversation: { external_id: 'c', contact: [] } }, '/conversation/contact'],
    [{ action: 'open', conversation: { external_id: 'c', session: [] } }, '/conversation/session'],
    [{ action: 'open', conversation: { external_id: 'c', session: { a: {} } } }, '/conversation/session/a'],
    [{ action: 'message', conversation: { external_id: 'c' } }, '/message'],
    [null, ''],
  ] as const) {
    it(`rejects ${JSON.stringify(value)} at ${pointer || 'the body'}`, () => {
      expect(complaintOf(read(value)).pointer).to.equal(pointer);
    });
  }

  for (const [message, pointer] of [
    [{ external_id: undefined }, '/message/external_id'],
    [{ author: 'robot' }, '/message/author'],
    [{ author: undefined }, '/message/author'],
    [{ text: '' }, '/message/text'],
    [{ text: '', attachments: [] }, '/message/text'],
    [{ text: ['Hello'] }, '/message/text'],
    [{ sent_at: '2026-12-01' }, '/message/sent_at'],
  ] as const) {
    it(`rejects a message with ${JSON.stringify(message)} at ${pointer}`, () => {
      expect(complaintOf(saying(message)).pointer).to.equal(pointer);
    });
  }

  it('rejects a number that JSON reads as infinite', () => {
    const body = '{"action":"open","conversation":{"external_id":"c","session":{"a":1e999}}}';
    expect(complaintOf(parseConversationText(body)).pointer).to.equal('/conversation/session/a');
  });

  it('reads action and subject of a rejected body for the delivery log', () => {
    const logged = (value: unknown) => {
      const parsed = read(value);
      return parsed.outcome === 'validation_failed' ? [parsed.action, parsed.title] : parsed.outcome;
    };
    expect(logged({ action: 'close', conversation: { subject: 'Prices' } })).to.deep.equal([
      'close',
      'Prices',
    ]);
    expect(logged({ action: 'shout', conversation: { external_id: 'c-1' } })).to.deep.equal([null, 'c-1']);
    expect(logged({ action: 'upsert', event: { title: 'Yoga' } })).to.deep.equal([null, null]);
    expect(logged('close')).to.deep.equal([null, null]);
  });

  it('explains a body that is not UTF-8 or not JSON', () => {
    expect(parseConversationText(undefined)).to.include({ outcome: 'malformed_json' });
    expect(parseConversationText('{"action": open}')).to.deep.equal({
      outcome: 'malformed_json',
      detail: 'The body is not valid JSON (line 1, column 12). Correct it there.',
    });
  });

  it('derives ids that differ by channel, conversation and message', () => {
    expect(conversationId('chn_1', 'c')).to.match(/^conv_[0-9a-f]{32}$/);
    expect(conversationId('chn_1', 'c')).to.not.equal(conversationId('chn_2', 'c'));
    expect(conversationId('a","b', 'c')).to.not.equal(conversationId('a', 'b","c'));
    expect(messageId('conv_1', 'm')).to.match(/^cmsg_[0-9a-f]{32}$/);
    expect(messageId('conv_1', 'm')).to.not.equal(messageId('conv_2', 'm'));
  });
});
