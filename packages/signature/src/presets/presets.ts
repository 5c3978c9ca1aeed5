import type { Sender } from '../sender/sender.ts';
import { BASIC } from './basic.ts';
import { CAL_COM } from './cal-com.ts';
import { CALENDLY } from './calendly.ts';
import { GITHUB } from './github.ts';
import { HMAC } from './hmac.ts';
import type { Preset } from './preset.ts';
import { SHOPIFY } from './shopify.ts';
import { STANDARD_WEBHOOKS } from './standard-webhooks.ts';
import { STRIPE } from './stripe.ts';
import { TICKET_TAILOR } from './ticket-tailor.ts';
import { TOKEN } from './token.ts';
import { TYPEFORM } from './typeform.ts';

/** The presets by name. The last three are starting points for senders without one. */
export const PRESETS = {
  'standard-webhooks': STANDARD_WEBHOOKS,
  calendly: CALENDLY,
  'cal-com': CAL_COM,
  'ticket-tailor': TICKET_TAILOR,
  typeform: TYPEFORM,
  github: GITHUB,
  stripe: STRIPE,
  shopify: SHOPIFY,
  hmac: HMAC,
  token: TOKEN,
  basic: BASIC,
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];

/** The sender of a preset, as stored: with the mapping of the preset, if it has one. */
export function senderOf(name: PresetName): Sender {
  const { verify, mapping }: Preset = PRESETS[name];
  return { preset: name, verify, ...(mapping && { mapping: JSON.stringify(mapping) }) };
}

/** The mapping of a sender's preset as JSON; undefined: the preset is not known or has none. */
export function presetMapping({ preset }: Pick<Sender, 'preset'>): string | undefined {
  return isPreset(preset) ? senderOf(preset).mapping : undefined;
}

export const isPreset = (name: string): name is PresetName => Object.hasOwn(PRESETS, name);
