import type { ParsedDeliveryFilter } from '@sluice/dashboard-api/deliveries';
import type { DeliveryFilter } from '@sluice/store/deliveries/delivery-search';

/** Converts a request's filter into a store filter. */
export function storeFilter(
  filter: Omit<ParsedDeliveryFilter, 'source_id'>,
  source_id: DeliveryFilter['source_id'],
): DeliveryFilter {
  const { status_class, status, code, action, outcome, from, to, title, event_id, made_by } = filter;
  const range = status === undefined ? classRange(status_class) : ([status, status + 1] as const);
  return {
    source_id,
    ...(range !== undefined && { status: range }),
    ...(code !== undefined && { code }),
    ...(action !== undefined && { action }),
    ...(outcome !== undefined && { outcome }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(title !== undefined && { title }),
    ...(event_id !== undefined && { event_id }),
    ...(made_by !== undefined && { by_request: made_by === 'requests' }),
  };
}

function classRange(
  statusClass: ParsedDeliveryFilter['status_class'],
): readonly [number, number] | undefined {
  if (statusClass === undefined) return undefined;
  const from = Number(statusClass[0]) * 100;
  return [from, from + 100];
}
