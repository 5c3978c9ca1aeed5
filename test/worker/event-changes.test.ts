import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { eventId } from '@sluice/contract/event/event-id';
import type { StoredEvent } from '@sluice/store/events/event-document';
import { expect } from 'chai';
import { eventChanges } from '../../services/worker/src/apply/event-changes.ts';
import { foldEvent } from '../../services/worker/src/apply/fold-event.ts';
import { planWork } from '../../services/worker/src/apply/plan-work.ts';
import { cancel, createSource, identity, remove, upsert } from './support/groups.ts';

const AT = Date.UTC(2026, 10, 27);

describe('changes of an event', () => {
  const source = createSource();
  const admitted = (...actions: ReturnType<typeof cancel>[]) => actions.map((one) => source.admit(one));
  const fold = (actions: readonly AdmittedAction[], stored?: StoredEvent) => {
    const [work] = planWork(actions).works;
    if (work === undefined) throw new Error('no work');
    return foldEvent(work, stored);
  };
  const changesOf = (actions: readonly AdmittedAction[], before?: StoredEvent) =>
    eventChanges(fold(actions, before), { revision: AT, at: AT });
  /** Admits the actions after those of the stored event. */
  const changesAfter = (before: StoredEvent, ...actions: ReturnType<typeof cancel>[]) =>
    changesOf(admitted(...actions), before);
  const brief = (changes: ReturnType<typeof changesOf>) =>
    changes.map(({ kind, previous }) => (previous === undefined ? kind : [kind, previous]));
  const stored = (...actions: ReturnType<typeof cancel>[]) => fold(admitted(...actions)).event;
  const yoga = () => stored(upsert('Yoga', '5 EUR'));

  it('of a new event are one, with the whole event and its source as actor', () => {
    const [change, ...others] = changesOf(admitted(upsert('Yoga', '5 EUR')));
    expect(others).to.deep.equal([]);
    expect(change).to.include({ kind: 'event.created', at: AT, sequence: AT * 1000 });
    expect(change).to.not.have.property('previous');
    expect(change?.actor).to.deep.equal({ type: 'source', id: source.source_id });
    const id = eventId(source.source_id, identity('Yoga'));
    expect(change?.data).to.include({ id, title: 'Yoga', price: '5 EUR', status: 'upcoming' });
  });

  it('are net: several actions of one write are published once', () => {
    expect(brief(changesOf(admitted(upsert('Yoga', '1'), upsert('Yoga', '2'))))).to.deep.equal([
      'event.created',
    ]);
    expect(brief(changesAfter(yoga(), upsert('Yoga', '1'), upsert('Yoga', '2')))).to.deep.equal([
      ['event.updated', { price: '5 EUR' }],
    ]);
    expect(brief(changesOf(admitted(upsert('Yoga', '1'), remove('Yoga'))))).to.deep.equal([]);
  });

  it('are none if nothing differs that a subscriber could see', () => {
    expect(changesAfter(yoga(), upsert('Yoga', '5 EUR'))).to.deep.equal([]);
    expect(changesAfter(yoga(), upsert('Yoga', '6 EUR'), upsert('Yoga', '5 EUR'))).to.deep.equal([]);
    expect(changesOf(admitted(cancel('Yoga')))).to.deep.equal([]);
    expect(changesOf(admitted(remove('Yoga')))).to.deep.equal([]);
    const before = yoga();
    const again = { ...source.admit(upsert('Yoga', '5 EUR')), origin: 'csv', import_id: 'imp_1' } as const;
    expect(changesOf([again], before)).to.deep.equal([]);
  });

  it('are none for actions that were applied before', () => {
    const actions = admitted(upsert('Yoga', '5 EUR'), cancel('Yoga'));
    expect(changesOf(actions, fold(actions).event)).to.deep.equal([]);
  });

  it('of a cancellation are told apart from those of the content', () => {
    expect(brief(changesAfter(yoga(), cancel('Yoga')))).to.deep.equal([
      ['event.cancelled', { status: 'upcoming' }],
    ]);
    expect(brief(changesAfter(yoga(), upsert('Yoga', '6 EUR'), cancel('Yoga')))).to.deep.equal([
      ['event.updated', { price: '5 EUR' }],
      ['event.cancelled', { status: 'upcoming' }],
    ]);
    const cancelled = stored(upsert('Yoga', '5 EUR'), cancel('Yoga'));
    const again = changesAfter(cancelled, upsert('Yoga', '5 EUR'));
    expect(brief(again)).to.deep.equal([['event.updated', { status: 'cancelled' }]]);
  });

  it('of an event that is cancelled when it is created are both', () => {
    const changes = changesOf(admitted(upsert('Yoga', '5 EUR'), cancel('Yoga')));
    expect(brief(changes)).to.deep.equal(['event.created', 'event.cancelled']);
    expect(changes.map(({ sequence }) => sequence - AT * 1000)).to.deep.equal([0, 1]);
  });

  it('of a deleted event have its identity, and what it was', () => {
    const [change] = changesAfter(yoga(), remove('Yoga'));
    expect(change?.kind).to.equal('event.deleted');
    expect(change?.data).to.include({ title: 'Yoga', price: null, status: null });
    expect(change?.previous).to.deep.equal({ price: '5 EUR', status: 'upcoming', deleted_at: null });
  });

  it('of an event that is created again after its deletion are a creation', () => {
    const gone = stored(upsert('Yoga', '5 EUR'), remove('Yoga'));
    expect(brief(changesAfter(gone, upsert('Yoga', '6 EUR')))).to.deep.equal(['event.created']);
  });

  it('name the import that made them', () => {
    const before = yoga();
    const action = { ...source.admit(upsert('Yoga', '6 EUR')), origin: 'csv', import_id: 'imp_1' } as const;
    expect(changesOf([action], before)[0]?.actor).to.include({ import_id: 'imp_1' });
  });
});
