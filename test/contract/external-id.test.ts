import { eventIdOf } from '@sluice/contract/event/event-id';
import { readAction, readActionWithId } from '@sluice/contract/event/parse-action';
import { expect } from 'chai';

const YOGA = { title: 'Yoga', starts_at: '2027-01-01T10:00Z' };
const upsert = (more: object) => ({ action: 'upsert', event: { ...YOGA, ...more } });

describe('contract: external_id and replaces', () => {
  const actionOf = (value: unknown) => {
    const read = readActionWithId(value);
    if (read.outcome !== 'valid') throw new Error(JSON.stringify(read));
    return read.action;
  };
  const errorsOf = (value: unknown) => {
    const read = readActionWithId(value);
    return read.outcome === 'validation_failed' ? read.errors : [];
  };

  it('are trimmed and in NFC, with their case', () => {
    const { external_id, replaces } = actionOf(
      upsert({ external_id: ' Cafe\u0301-A ', replaces: ' B ' }),
    ) as { external_id?: string; replaces?: string };
    expect([external_id, replaces]).to.deep.equal(['Café-A', 'B']);
  });

  for (const none of [undefined, null, '', '  '])
    it(`are absent if they are ${JSON.stringify(none)}`, () => {
      const plain = actionOf(upsert({}));
      expect(actionOf(upsert({ external_id: none, replaces: none }))).to.deep.equal(plain);
      expect(actionOf(upsert({ external_id: 'A', replaces: none }))).to.deep.equal({
        ...plain,
        external_id: 'A',
      });
    });

  it('replace nothing if both are the same', () => {
    expect(actionOf(upsert({ external_id: 'A', replaces: ' A ' }))).to.not.have.property('replaces');
  });

  for (const wrong of [7, true, [], {}, 'x'.repeat(201)])
    it(`are rejected if they are ${JSON.stringify(wrong).slice(0, 10)}`, () => {
      expect(errorsOf(upsert({ external_id: wrong }))[0]?.pointer).to.equal('/event/external_id');
      expect(errorsOf({ action: 'cancel', event: { external_id: wrong } })[0]?.pointer).to.equal(
        '/event/external_id',
      );
      expect(errorsOf(upsert({ external_id: 'A', replaces: wrong }))[0]?.pointer).to.equal('/event/replaces');
    });

  it('need an external_id to replace another event', () => {
    expect(errorsOf(upsert({ replaces: 'A' }))).to.deep.equal([
      {
        pointer: '/event/replaces',
        detail: 'Needs the external_id of this event too. Send both, or omit it.',
      },
    ]);
  });

  for (const action of ['cancel', 'delete'])
    it(`are all that a ${action} needs`, () => {
      const event = { external_id: 'A', title: 'Yoga', starts_at: 'no time', replaces: 7 };
      const { identity, ...rest } = actionOf({ action, event });
      expect(rest).to.deep.equal({ kind: action, external_id: 'A' });
      expect(identity.title).to.equal('Yoga');
      expect(actionOf({ action, event: { external_id: 'A' } }).identity.title).to.equal('');
      expect(errorsOf({ action, event: { external_id: ' ' } })).to.have.length(2);
    });

  it('are not read for a source that does not use them, whatever they are', () => {
    for (const external_id of ['A', 7, null]) {
      const read = readAction(upsert({ external_id, replaces: ['B'] }));
      const { action } = readAction(upsert({})) as { action: object };
      expect(read).to.deep.equal({ outcome: 'valid', action, unread: ['external_id', 'replaces'] });
    }
    expect(readAction({ action: 'cancel', event: { external_id: 'A' } }).outcome).to.equal(
      'validation_failed',
    );
  });

  it('identify an event alone, apart from every event without one', () => {
    const { identity } = actionOf(upsert({}));
    const id = (external_id?: string, title = 'Yoga') =>
      eventIdOf('src_1', {
        identity: { ...identity, title },
        ...(external_id !== undefined && { external_id }),
      });
    expect(id('A', 'Chess')).to.equal(id('A'));
    expect(new Set([id('A'), id('a'), id(), id(undefined, 'A')]).size).to.equal(4);
  });
});
