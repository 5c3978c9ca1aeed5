import type { Bundle, ZObject } from 'zapier-platform-core';
import { contract, type EventKind, outputFields } from '../contract';
import { readSamples } from './message-trigger';
import { receive } from './receive';
import { subscribe, unsubscribe } from './subscription';

const [first] = contract.event_kinds as [EventKind];

/** The event kinds that the user chose. */
function chosen({ inputData }: Bundle): string[] {
  return [inputData.events ?? first.id].flat().map(String);
}

/** One trigger for several event kinds, also for kinds that a newer Sluice adds. */
export const anyMessage = {
  key: 'any_message',
  noun: 'Change',
  display: {
    label: 'Any Change',
    description:
      'Triggers when a lead, a conversation or an event changes in one of the ways that you choose.',
  },
  operation: {
    type: 'hook' as const,
    inputFields: [
      { key: 'events', label: 'Event Kinds', required: true, list: true, dynamic: 'event_kinds.id.name' },
    ],
    performSubscribe: (z: ZObject, bundle: Bundle) => subscribe(z, bundle, chosen(bundle)),
    performUnsubscribe: (z: ZObject, bundle: Bundle) => unsubscribe(z, bundle),
    perform: (z: ZObject, bundle: Bundle) => receive(z, bundle),
    performList: (z: ZObject, bundle: Bundle) => readSamples(z, bundle, chosen(bundle)[0] as string),
    sample: first.sample,
    outputFields: outputFields(first).filter(({ key }) => !key.startsWith('data__')),
  },
};
