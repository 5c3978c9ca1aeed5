import type { Delivery } from '@sluice/contract/delivery/delivery';
import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { expect } from 'chai';
import { rowOfAction, rowOfUnreadable } from '../../services/worker/src/delivery-log/delivery-rows.ts';
import type { DeliveryLog } from '../../services/worker/src/ports.ts';
import { countingLog } from '../../services/worker/src/publish-activity.ts';

const ACTION: AdmittedAction = {
  delivery_id: 'dlv_1',
  request_id: 'req_1',
  source_id: 'src_1',
  account_id: 'acc_1',
  sequence: 1,
  received_at: 1000,
  duplicate_of: null,
  action: { kind: 'delete', identity: { title: 'Yoga', starts_at: 0, location: '' } },
};
const APPLIED = { event_id: 'evt_1', outcome: 'deleted', reason: null } as const;
const REQUEST = {
  content_type: 'application/json',
  user_agent: '',
  timestamp: '1',
  signature_start: 'sha256=0',
  bytes: 2,
  body: '{}',
  address: '192.0.2.1',
};

describe('worker: optional fields of a row', () => {
  it('include the kept request, its origin, and the use of the previous secret', () => {
    const more = {
      request: REQUEST,
      origin: 'dashboard',
      reprocess_of: 'dlv_0',
      signed_with: 'previous',
    } as const;
    expect(rowOfAction({ ...ACTION, ...more }, APPLIED, 1250)).to.deep.include(more);
  });

  it('are the same for an unreadable action, which is a failure', () => {
    const more = {
      request: REQUEST,
      origin: 'csv',
      reprocess_of: 'dlv_0',
      signed_with: 'previous',
    } as const;
    const unreadable = { ...ACTION, ...more, request_for: 'failures', action: { kind: 'explode' } };
    expect(rowOfUnreadable(unreadable, 'not known', 1250)).to.deep.include({ outcome: 'failed', ...more });
  });

  it('include no request of an applied action if the source keeps only those of failures', () => {
    const asked = { ...ACTION, request: REQUEST, request_for: 'failures' } as const;
    for (const outcome of ['created', 'updated', 'deleted', 'not_found', 'superseded', 'duplicate'] as const)
      expect(rowOfAction(asked, { ...APPLIED, outcome }, 1250), outcome).not.to.have.any.keys(
        'request',
        'request_for',
      );
    const failed = rowOfAction(asked, { ...APPLIED, outcome: 'failed', reason: 'It is too large.' }, 1250);
    expect(failed.request).to.deep.equal(REQUEST);
    const unknown = { ...asked, request_for: 'a later version knows' } as unknown as AdmittedAction;
    expect(rowOfAction(unknown, APPLIED, 1250)).not.to.have.any.keys('request');
  });

  it('leave out fields in an unknown form, and the action is still logged', () => {
    const strange = {
      request: { body: 5 },
      origin: 'moon',
      reprocess_of: 7,
      signed_with: 'something',
    } as unknown as Partial<AdmittedAction>;
    const row = rowOfAction({ ...ACTION, ...strange }, APPLIED, 1250);
    expect(row)
      .to.include({ outcome: 'deleted' })
      .and.not.to.have.any.keys('request', 'origin', 'reprocess_of', 'signed_with');
  });

  it('are counted only after the rows are written, with the time of applying', async () => {
    const counted: string[] = [];
    const written: Delivery[] = [];
    const store: DeliveryLog = {
      async insertDeliveries(rows) {
        if (written.length === 0 && counted.length === 0) written.push(...rows);
        else throw new Error('MongoDB is away');
      },
      async replaceDelivery() {},
    };
    const log = countingLog(store, {
      add: (scope, _at, name) => void counted.push(`${scope} ${name}`),
      sawDelivery: (sourceId) => void counted.push(sourceId),
    });
    const row = rowOfAction(ACTION, APPLIED, 1250);
    await log.insertDeliveries([row, { ...row, delivery_id: 'dlv_2', origin: 'dashboard' }]);
    expect(written.map(({ applied_at }) => applied_at)).to.deep.equal([1250, 1250]);
    expect(counted).to.deep.equal(['acc_1 s:200', 'src_1 s:200', 'src_1', 'acc_1 lag:16']);
    await log.insertDeliveries([row]).catch(() => {});
    expect(counted).to.have.length(4);
  });
});
