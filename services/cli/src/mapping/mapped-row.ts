import { titleOf } from '@sluice/contract/delivery/action-title';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { type Mapper, mapText, storedHeaders } from '@sluice/signature/mapping/mapper';
import type { Mapping } from '@sluice/signature/mapping/mapping';
import type { Row } from '../output.ts';

export const MAPPED_COLUMNS = ['delivery_id', 'outcome', 'rule', 'action', 'title', 'detail'] as const;

/** What a mapping makes of each stored body. */
export async function* tried(mapping: Mapping, deliveries: AsyncIterable<Delivery>): AsyncIterable<Row> {
  const mapper = { mapping, preset: '', version: 0 };
  for await (const delivery of deliveries)
    if (typeof delivery.request?.body === 'string') yield mappedRow(delivery, mapBodyOf(mapper, delivery));
}

type MappedBody = ReturnType<typeof mapText>;

/** What a mapping makes of the stored body of a delivery. Nearly no headers are stored, so conditions on them are not met. */
export function mapBodyOf(mapper: Mapper, { request }: Delivery): MappedBody {
  const headerOf = request === undefined ? () => undefined : storedHeaders(request);
  return mapText(mapper, request?.body ?? '', headerOf);
}

/** The row of a mapped body. */
export function mappedRow({ delivery_id }: Delivery, { result, mapped }: MappedBody): Row {
  const empty = { delivery_id, outcome: 'failed', rule: mapped.rule ?? null, action: null, title: null };
  switch (result.outcome) {
    case 'action': {
      const { action } = result;
      const about = { action: action.kind, title: titleOf(action) };
      return { ...empty, outcome: 'action', ...about, detail: mapped.note ?? null };
    }
    case 'ignored':
      return { ...empty, outcome: 'ignored', detail: result.code };
    case 'failed':
    case 'malformed_json':
      return { ...empty, detail: result.detail };
  }
}
