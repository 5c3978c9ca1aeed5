import { BODY_STORAGES, type BodyStorage } from '@sluice/contract/delivery/body-storage';
import type { Source, SourceSettings } from '@sluice/store/sources/source';
import { type Command, Option } from 'commander';
import type { CommonOptions } from '../context.ts';
import { givenName, rateNumber } from '../option-types.ts';
import type { Row } from '../output.ts';

/** The settings that sources and channels share, as options. */
export interface SettingsOptions extends CommonOptions {
  readonly name?: string;
  readonly bodyStorage?: BodyStorage;
  readonly ratePerSecond?: Rate;
  readonly rateBurst?: Rate;
  /** Only of a source. */
  readonly externalIds?: 'on' | 'off';
}

const DEFAULT = 'default';
type Rate = number | typeof DEFAULT;

/** Adds the options of `SettingsOptions`. `noun`: "source". */
export function addSettingsOptions(command: Command, noun: string): Command {
  return command
    .option('--name <name>', `name of the ${noun}`, givenName)
    .addOption(
      new Option('--body-storage <which>', 'which signed requests keep their bodies').choices(BODY_STORAGES),
    )
    .option('--rate-per-second <n>', `requests per second; "${DEFAULT}": the installation's`, rateOrDefault)
    .option('--rate-burst <n>', `requests in a burst; "${DEFAULT}": the installation's`, rateOrDefault);
}

/** The given settings. Absent options are absent. */
export function settingsOf(options: SettingsOptions): SourceSettings {
  const { name, bodyStorage, ratePerSecond, rateBurst, externalIds } = options;
  return {
    ...(name !== undefined && { name }),
    ...(bodyStorage !== undefined && { body_storage: bodyStorage }),
    ...(ratePerSecond !== undefined && { rate_per_second: ownRate(ratePerSecond) }),
    ...(rateBurst !== undefined && { rate_burst: ownRate(rateBurst) }),
    ...(externalIds !== undefined && { external_ids: externalIds === 'on' }),
  };
}

/** The settings of a source or channel. A rate of null is the default of the installation. */
export function settingsRow({ body_storage, rate_per_second, rate_burst, sender, ...source }: Source): Row {
  const ids = source.kind === 'channel' ? {} : { external_ids: source.external_ids ?? false };
  return { body_storage, rate_per_second, rate_burst, ...ids, ...(sender && { sender: sender.preset }) };
}

/** commander takes null for a value that is missing, so the default has a word. */
function rateOrDefault(text: string): Rate {
  return text === DEFAULT ? DEFAULT : rateNumber(text);
}

/** Null removes the own rate. */
function ownRate(rate: Rate): number | null {
  return rate === DEFAULT ? null : rate;
}
