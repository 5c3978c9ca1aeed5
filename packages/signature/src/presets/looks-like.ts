import { OWN_PRESET } from '../sender/sender.ts';
import { SIGNATURE_HEADER } from '../sign.ts';
import { PRESET_NAMES, PRESETS } from './presets.ts';

/** The headers that only one preset has, in lower case. Those of the last three are the sender's to choose. */
const HEADERS: readonly (readonly [header: string, preset: string, title: string])[] = [
  [SIGNATURE_HEADER, OWN_PRESET, 'Sluice'],
  ...PRESET_NAMES.flatMap((name) => {
    const { title, verify } = PRESETS[name];
    if (verify.kind !== 'hmac' || name === 'hmac') return [];
    return verify.header.map((header) => [header.toLowerCase(), name, title] as const);
  }),
];

/**
 * Names the sender whose signature a request has, for one that lacks a header of its own preset; undefined: none is known. Names of
 * headers are in lower case.
 */
export function describeOtherSender(
  headers: Readonly<Record<string, unknown>>,
  ownPreset: string,
): string | undefined {
  const found = HEADERS.find(([header, preset]) => headers[header] !== undefined && preset !== ownPreset);
  if (found === undefined) return undefined;
  const [header, preset, title] = found;
  return `The request has ${header}, so it looks like one of ${title}. If it is, choose the preset ${preset} for this source.`;
}
