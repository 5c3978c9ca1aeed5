import type { AdmittedAction } from '@sluice/contract/delivery/groups';

export const identity = { title: 'Open day', starts_at: 0, location: '' };

/** The ids of the event, as in its EventWork. */
export const ids = { event_id: 'evt_1', source_id: 'src_1', account_id: 'acc_1', identity };

/** An upsert of a fixed event. The price is the sequence number. */
export function admitted(sequence: number, more: Partial<AdmittedAction> = {}): AdmittedAction {
  return {
    delivery_id: `dlv_${sequence}`,
    request_id: `req_${sequence}`,
    source_id: 'src_1',
    account_id: 'acc_1',
    sequence,
    received_at: 0,
    duplicate_of: null,
    action: { kind: 'upsert', identity, content: { price: String(sequence) }, status: 'upcoming' },
    ...more,
  };
}
