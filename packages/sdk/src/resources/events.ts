import { bodyOf, type Http, signalOf } from '../http.ts';
import type { CallOptions } from '../options.ts';
import { type List, paginate } from '../paginate.ts';
import { pageQuery } from '../query.ts';
import type { EventRecord, FiltersOf } from '../types.ts';

const EVENTS = '/api/public/events';

/** The events of all sources. `sendEvent` writes them. */
export function eventsOf(http: Http) {
  return {
    list(filters: FiltersOf<'listEvents'> = {}, options: CallOptions = {}): List<EventRecord> {
      return paginate((cursor) => {
        const query = pageQuery<'listEvents'>(filters, cursor);
        return bodyOf(http.GET(EVENTS, { params: { query }, ...signalOf(options) }));
      });
    },
    get(eventId: string, options: CallOptions = {}): Promise<EventRecord> {
      return bodyOf(http.GET(`${EVENTS}/{eventId}`, { params: { path: { eventId } }, ...signalOf(options) }));
    },
  };
}
