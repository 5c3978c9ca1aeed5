import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { expect } from 'chai';
import { inLogOrder } from '../../services/dashboard/src/pages/deliveries/log-order.ts';

describe('dashboard: live deliveries follow the order of the log', () => {
  it('keeps a newer delivery above an older one that arrives after it', () => {
    const [first, second] = [row({ at: 1, sequence: 10 }), row({ at: 2, sequence: 20 })];
    expect(inLogOrder([first, second], [])).to.deep.equal([second, first]);
  });

  it('inserts an older live delivery among the loaded ones', () => {
    const [older, late, newer] = [1, 2, 3].map((at) => row({ at, sequence: at })) as Rows;
    expect(inLogOrder([late], [newer, older])).to.deep.equal([newer, late, older]);
  });

  it('sorts deliveries of the same millisecond by admission, rejected ones last', () => {
    const [refused, first, second] = [null, 10, 20].map((sequence) => row({ at: 1, sequence })) as Rows;
    expect(inLogOrder([refused, first, second], [])).to.deep.equal([second, first, refused]);
  });

  it('lists a counter row once, in its place, with its highest count', () => {
    const counter = row({ at: 1, sequence: null });
    const after = row({ at: 2, sequence: 20 });
    const grown = { ...counter, count: 7 };
    expect(inLogOrder([grown], [after, counter])).to.deep.equal([after, grown]);
  });
});

type Rows = [DeliveryItem, DeliveryItem, DeliveryItem];

function row({ at, sequence }: { at: number; sequence: number | null }): DeliveryItem {
  return {
    delivery_id: `dlv_${at}_${sequence}`,
    source_id: 'src_1',
    received_at: new Date(at).toISOString(),
    sequence,
    action: 'upsert',
    http_status: sequence === null ? 401 : 200,
    title: null,
    outcome: sequence === null ? 'rejected' : 'created',
    code: null,
    ...{ unapplied: null, preset: null, mapping_version: null, rule: null },
    latency_ms: null,
    count: 1,
    request_id: null,
    external_id: null,
    event_id: null,
    conversation_id: null,
    duplicate_of: null,
    reprocess_of: null,
    origin: 'webhook',
    reason: null,
    bytes: null,
  };
}
