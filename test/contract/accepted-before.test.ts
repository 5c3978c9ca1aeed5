import { readKeptAction } from '@sluice/api/deliveries/reprocessable';
import type { Delivery } from '@sluice/contract/delivery';
import { parseAcceptedText, parseActionText } from '@sluice/contract/parse-action';
import { readRow } from '@sluice/import/apply/read-row';
import { expect } from 'chai';
import { expandAction } from '../../services/worker/src/take/expand-action.ts';

const url = `https://example.com/${'x'.repeat(30_000)}`;
const event = { title: 'Open day', starts_at: '2027-01-01T10:00Z', url };
const body = JSON.stringify({ action: 'upsert', event });
const refused = [{ pointer: '/event/url', detail: 'Longer than 2000 characters. Shorten it.' }];

describe('contract: a url longer than 2,000 characters', () => {
  it('is rejected in a request and in an import, with the name of the field', () => {
    expect(parseActionText(body)).to.deep.include({ outcome: 'validation_failed', errors: refused });
    const imported = readRow('src_1', { row: 2, event });
    expect(imported).to.deep.include({
      outcome: 'bad',
      errors: [{ field: 'url', detail: 'Longer than 2000 characters. Shorten it.' }],
    });
  });

  it('is applied if an earlier version has accepted it', () => {
    expect(parseAcceptedText(body)).to.deep.include({ outcome: 'valid' });
    const enqueued = { source_id: 'src_1', request_id: 'req_1', request: { body } };
    expect(expandAction(enqueued, { sequence: 1, repeated: false })).to.have.nested.property(
      'action.content.url',
      url,
    );
  });

  it('is reprocessed if an earlier version has accepted it, and not if it was rejected', () => {
    const row = { source_id: 'src_1', count: 1, code: null, request: { body } } as Delivery;
    expect(readKeptAction(row)).to.have.nested.property('action.content.url', url);
    expect(readKeptAction({ ...row, code: 'validation_failed' })).to.deep.equal({
      status: 'not_reprocessable',
      why: 'not_an_action',
    });
  });
});
