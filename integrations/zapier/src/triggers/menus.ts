import type { Bundle, ZObject } from 'zapier-platform-core';
import { readList } from '../api';

/** A hidden trigger that fills a drop-down with id and name. */
function menu(key: string, noun: string, path: string, params: Record<string, string> = {}) {
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
        (await readList(z, bundle, path, params)).map(({ id, name }) => ({
          id: String(id),
          name: String(name),
        })),
    },
  };
}

const LONG_PAGE = { limit: '200' };

export const menus = [
  menu('stages', 'Stage', '/pipeline-stages'),
  menu('event_kinds', 'Event Kind', '/event-kinds'),
  menu('sources', 'Source', '/sources', LONG_PAGE),
  menu('channels', 'Channel', '/channels', LONG_PAGE),
];
