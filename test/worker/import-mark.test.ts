import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import type { StoredEvent } from '@sluice/store/events/event-document';
import { expect } from 'chai';
import { foldEvent } from '../../services/worker/src/apply/fold-event.ts';
import { admitted, identity, ids } from './support/admitted-upsert.ts';

const imported = (sequence: number, import_id = 'import_1') =>
  admitted(sequence, { origin: 'csv', import_id });
const deleted = (sequence: number) => admitted(sequence, { action: { kind: 'delete', identity } });

/**
 * Shows the mark for an undo of the last import: the previous price ('none': no event), 'changed', 'undone', or no
 * mark.
 */
function kept(...actions: readonly AdmittedAction[]): string | undefined {
  let stored: StoredEvent | undefined;
  for (const action of actions) {
    const { event, changed } = foldEvent({ ...ids, actions: [action] }, stored);
    if (changed) stored = event;
  }
  const mark = stored?.imported;
  if (mark === undefined) return undefined;
  if (mark.undone) return 'undone';
  return mark.before === null ? 'changed' : (mark.before.content?.value.price ?? 'none');
}

describe('worker: state of an event before its last import', () => {
  it('is stored with the event: no event, or its content', () => {
    expect(kept(admitted(1))).to.equal(undefined);
    expect(kept(imported(1))).to.equal('none');
    expect(kept(admitted(1), imported(2))).to.equal('1');
    expect(kept(admitted(1), deleted(2), imported(3))).to.equal('none');
  });

  it('stays the same if one file names an event twice, and belongs to the last import if two files do', () => {
    expect(kept(admitted(1), imported(2), imported(3))).to.equal('1');
    expect(kept(admitted(1), imported(2), imported(3, 'import_2'))).to.equal('2');
  });

  it('is cleared once any newer action has changed the event', () => {
    expect(kept(admitted(1), imported(2), admitted(3))).to.equal('changed');
    expect(kept(admitted(1), imported(2), deleted(3))).to.equal('changed');
    const cancel = admitted(3, { action: { kind: 'cancel', identity } });
    expect(kept(admitted(1), imported(2), cancel)).to.equal('changed');
  });

  it('includes late actions that are older than the import', () => {
    expect(kept(imported(2), admitted(1))).to.equal('1');
    expect(kept(admitted(1), imported(4), admitted(2), deleted(3))).to.equal('none');
    expect(kept(admitted(1), imported(4), deleted(3), admitted(2))).to.equal('none');
    expect(kept(imported(3), imported(2), admitted(1))).to.equal('1');
  });

  it('is cleared from the start if a row of the import changes nothing', () => {
    expect(kept(admitted(3), imported(2)), 'a newer action arrived first').to.equal('changed');
    const cancel = admitted(1, {
      origin: 'csv',
      import_id: 'import_1',
      action: { kind: 'cancel', identity },
    });
    expect(kept(cancel), 'no event to cancel').to.equal('changed');
    expect(kept(cancel, imported(2)), 'a later row creates one').to.equal('none');
  });

  it('is cleared if a row that changes nothing arrives after a newer action', () => {
    const lateCancel = admitted(2, {
      origin: 'csv',
      import_id: 'import_1',
      action: { kind: 'cancel', identity },
    });
    expect(kept(admitted(3), lateCancel)).to.equal('changed');
  });

  it('stays cleared if an older action arrives late', () => {
    expect(kept(admitted(3), imported(2), admitted(1))).to.equal('changed');
    expect(kept(admitted(2), imported(3), admitted(4), deleted(1))).to.equal('changed');
  });

  it('names the import even if it is cleared, so that an undo does not wait for its row', () => {
    const mark = { import_id: 'import_1', sequence: 2, before: null };
    for (const actions of [
      [admitted(3), imported(2)],
      [admitted(1), imported(2), admitted(3)],
    ]) {
      let stored: StoredEvent | undefined;
      for (const action of actions) stored = foldEvent({ ...ids, actions: [action] }, stored).event;
      expect(stored?.imported).to.deep.equal(mark);
    }
  });

  it('stays if the undo is for another import, or arrives after a newer action', () => {
    const undo = (sequence: number) => admitted(sequence, { origin: 'dashboard', undoes: 'import_1' });
    expect(kept(admitted(1), imported(2), imported(3, 'import_2'), undo(4))).to.equal('changed');
    expect(kept(admitted(1), imported(2), admitted(4), undo(3))).to.equal('changed');
    expect(kept(admitted(1), undo(2)), 'none to undo').to.equal(undefined);
  });

  it('does not pass its origin to an undo of another import', () => {
    const undo = admitted(3, { origin: 'dashboard', undoes: 'import_1' });
    const actions = [imported(1, 'import_0'), imported(2, 'import_2'), undo];
    const { event } = foldEvent({ ...ids, actions }, undefined);
    expect(event.state.content).to.deep.equal({ sequence: 3, value: { price: '3' } });
  });

  it('is marked as undone until another import, and the undo restores the previous origin', () => {
    const undo = admitted(3, { origin: 'dashboard', undoes: 'import_1' });
    expect(kept(admitted(1), imported(2), undo)).to.equal('undone');
    expect(kept(admitted(1), imported(2), undo, admitted(4))).to.equal('undone');
    expect(kept(imported(1), undo, imported(2)), 'another row arrives late').to.equal('undone');
    expect(kept(admitted(1), imported(2), undo, imported(4, 'import_2'))).to.equal('3');
    const actions = [imported(1, 'import_0'), imported(2), undo];
    const { event } = foldEvent({ ...ids, actions }, undefined);
    expect(event.state.content).to.deep.include({ origin: 'csv', value: { price: '3' } });
  });
});
