import type { Bundle, ZObject } from 'zapier-platform-core';
import { readList } from '../api';
import { type EventKind, outputFields } from '../contract';
import { filtersFor } from './filters';
import { receive } from './receive';
import { subscribe, unsubscribe } from './subscription';

/** The key of an event kind in Zapier, which allows no dot. */
export function triggerKey(kindId: string): string {
  return kindId.replaceAll('.', '_');
}

/** The trigger for one event kind. */
export function messageTrigger(kind: EventKind) {
  return {
    key: triggerKey(kind.id),
    noun: (kind.id.split('.')[0] as string).replace(/^./, (first) => first.toUpperCase()),
    display: {
      label: kind.name.replace(/(?<=[ ])./g, (first) => first.toUpperCase()),
      description: sentence(kind),
    },
    operation: {
      type: 'hook' as const,
      inputFields: filtersFor(kind.id),
      performSubscribe: (z: ZObject, bundle: Bundle) => subscribe(z, bundle, [kind.id]),
      performUnsubscribe: (z: ZObject, bundle: Bundle) => unsubscribe(z, bundle),
      perform: (z: ZObject, bundle: Bundle) => receive(z, bundle),
      performList: (z: ZObject, bundle: Bundle) => readSamples(z, bundle, kind.id),
      sample: kind.sample,
      outputFields: outputFields(kind),
    },
  };
}

/** Zapier wants a description that begins with "Triggers when". */
function sentence({ description }: EventKind): string {
  return `Triggers when ${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

/** The newest messages of the account, and made-up ones where there are none. In the form of a delivery. */
export function readSamples(z: ZObject, bundle: Bundle, kindId: string) {
  return readList(z, bundle, `/event-kinds/${encodeURIComponent(kindId)}/samples`, { limit: '3' });
}
