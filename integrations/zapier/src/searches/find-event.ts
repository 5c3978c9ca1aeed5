import type { Bundle, ZObject } from 'zapier-platform-core';
import { contract, recordFields } from '../contract';
import { find } from './find';

const INPUTS = {
  id: 'event_id',
  identities: [],
  others: ['source', 'status', 'starts_from', 'starts_until'],
};

export const findEvent = {
  key: 'find_event',
  noun: 'Event',
  display: {
    label: 'Find Event',
    description: 'Finds events by source, status and start. The earliest start comes first.',
  },
  operation: {
    inputFields: [
      { key: 'source', label: 'Source', dynamic: 'sources.id.name' },
      { key: 'status', label: 'Status', choices: { upcoming: 'Upcoming', cancelled: 'Cancelled' } },
      { key: 'starts_from', label: 'Starts From', type: 'datetime' as const },
      { key: 'starts_until', label: 'Starts Before', type: 'datetime' as const },
      { key: 'event_id', label: 'Event ID', helpText: 'With an ID, the other fields are ignored.' },
    ],
    perform: (z: ZObject, bundle: Bundle) => find(z, bundle, '/events', INPUTS),
    sample: contract.samples.event,
    outputFields: recordFields('event.created'),
  },
};
