import type { AdmittedAction } from '@sluice/contract/groups';

export const identity = { title: 'Open day', starts_at: 0, location: '' };

/** Whose event it is, as the work on it says. */
export const ids = { event_id: 'evt_1', source_id: 'src_1', account_id: 'acc_1', identity };

/** An upsert of always the same event, whose price is its sequence number. */
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
