import type { Bundle, ZObject } from 'zapier-platform-core';
import { readList, readPages } from '../api';

/** A hidden trigger that fills a drop-down with id and name. */
function menu(key: string, noun: string, path: string, read: typeof readPages = readList) {
  return {
    key,
    noun,
    display: {
      label: `List ${noun}s`,
      description: `Fills the menu of ${noun.toLowerCase()}s.`,
      hidden: true,
    },
    operation: {
      type: 'polling' as const,
      perform: async (z: ZObject, bundle: Bundle) =>
        (await read(z, bundle, path)).map(({ id, name }) => ({
          id: String(id),
          name: String(name),
        })),
    },
  };
}

/** The fields of a lead that can be empty. */
async function readClearable(z: ZObject, bundle: Pick<Bundle, 'authData'>, path: string) {
  const fields = await readList(z, bundle, path);
  return fields
    .filter(({ key, read_only }) => read_only !== true && key !== 'stage')
    .map(({ key, label }) => ({ id: key, name: label }));
}

export const menus = [
  menu('stages', 'Stage', '/pipeline-stages'),
  menu('event_kinds', 'Event Kind', '/event-kinds'),
  menu('sources', 'Source', '/sources', readPages),
  menu('channels', 'Channel', '/channels', readPages),
  menu('clearable_fields', 'Field', '/leads/fields', readClearable),
];
