import { contract } from '../contract';
import { anyMessage } from './any-message';
import { menus } from './menus';
import { messageTrigger } from './message-trigger';

const all = [...contract.event_kinds.map(messageTrigger), anyMessage, ...menus];

/** A trigger for each event kind, one for several kinds, and the hidden ones that fill menus. */
export const triggers = Object.fromEntries(all.map((trigger) => [trigger.key, trigger]));
