import type { AdmittedAction } from '@sluice/contract/groups';
import type { StoredEvent } from '@sluice/store/event-document';
import { expect } from 'chai';
import { foldEvent } from '../../services/worker/src/apply/fold-event.ts';
import { admitted, identity, ids } from './support/admitted-upsert.ts';

const imported = (sequence: number, import_id = 'import_1') =>
  admitted(sequence, { origin: 'csv', import_id });
const deleted = (sequence: number) => admitted(sequence, { action: { kind: 'delete', identity } });

/** What an undo of the last import would find: the price before ('none': no event), 'changed', 'undone', or no mark. */
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

describe('worker: what an event was before its last import', () => {
  it('is kept with it: nothing, or its content', () => {
    expect(kept(admitted(1))).to.equal(undefined);
    expect(kept(imported(1))).to.equal('none');
    expect(kept(admitted(1), imported(2))).to.equal('1');
    expect(kept(admitted(1), deleted(2), imported(3))).to.equal('none');
  });

  it('stays what it was where a file names an event twice, and is of the last import where two do', () => {
    expect(kept(admitted(1), imported(2), imported(3))).to.equal('1');
    expect(kept(admitted(1), imported(2), imported(3, 'import_2'))).to.equal('2');
  });

  it('is gone once something newer has changed the event, whatever that was', () => {
    expect(kept(admitted(1), imported(2), admitted(3))).to.equal('changed');
    expect(kept(admitted(1), imported(2), deleted(3))).to.equal('changed');
    const cancel = admitted(3, { action: { kind: 'cancel', identity } });
    expect(kept(admitted(1), imported(2), cancel)).to.equal('changed');
  });

  it('takes in what is older than the import and comes late', () => {
    expect(kept(imported(2), admitted(1))).to.equal('1');
    expect(kept(admitted(1), imported(4), admitted(2), deleted(3))).to.equal('none');
    expect(kept(admitted(1), imported(4), deleted(3), admitted(2))).to.equal('none');
    expect(kept(imported(3), imported(2), admitted(1))).to.equal('1');
  });

  it('is useless from the start where a row of the import changes nothing', () => {
    expect(kept(admitted(3), imported(2)), 'something newer was first').to.equal('changed');
    const cancel = admitted(1, {
      origin: 'csv',
      import_id: 'import_1',
      action: { kind: 'cancel', identity },
    });
    expect(kept(cancel), 'no event to cancel').to.equal('changed');
    expect(kept(cancel, imported(2)), 'a later row of it makes one').to.equal('none');
  });

  it('is useless where even a row that changes nothing came after something newer', () => {
    const lateCancel = admitted(2, {
      origin: 'csv',
      import_id: 'import_1',
      action: { kind: 'cancel', identity },
    });
    expect(kept(admitted(3), lateCancel)).to.equal('changed');
  });

  it('stays useless where what is older than the import comes late', () => {
    expect(kept(admitted(3), imported(2), admitted(1))).to.equal('changed');
    expect(kept(admitted(2), imported(3), admitted(4), deleted(1))).to.equal('changed');
  });

  it('names the import even where it is useless, so that an undo need not wait for its row', () => {
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

  it('stays where the undo is of another import, or comes after something newer', () => {
    const undo = (sequence: number) => admitted(sequence, { origin: 'dashboard', undoes: 'import_1' });
    expect(kept(admitted(1), imported(2), imported(3, 'import_2'), undo(4))).to.equal('changed');
    expect(kept(admitted(1), imported(2), admitted(4), undo(3))).to.equal('changed');
    expect(kept(admitted(1), undo(2)), 'none to undo').to.equal(undefined);
  });

  it('an undo of another import does not take the origin that this one found', () => {
    const undo = admitted(3, { origin: 'dashboard', undoes: 'import_1' });
    const actions = [imported(1, 'import_0'), imported(2, 'import_2'), undo];
    const { event } = foldEvent({ ...ids, actions }, undefined);
    expect(event.state.content).to.deep.equal({ sequence: 3, value: { price: '3' } });
  });

  it('is known to be undone after the undo, until another import comes; the undo gives the content the origin that it had', () => {
    const undo = admitted(3, { origin: 'dashboard', undoes: 'import_1' });
    expect(kept(admitted(1), imported(2), undo)).to.equal('undone');
    expect(kept(admitted(1), imported(2), undo, admitted(4))).to.equal('undone');
    expect(kept(imported(1), undo, imported(2)), 'another row of it comes late').to.equal('undone');
    expect(kept(admitted(1), imported(2), undo, imported(4, 'import_2'))).to.equal('3');
    const actions = [imported(1, 'import_0'), imported(2), undo];
    const { event } = foldEvent({ ...ids, actions }, undefined);
    expect(event.state.content).to.deep.include({ origin: 'csv', value: { price: '3' } });
  });
});
