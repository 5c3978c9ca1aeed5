import type { LeadSettings, LeadSettingsStore } from '@sluice/store/leads/lead-settings';

/** Reads the settings of leads, without one read of the store for each write. */
export interface SettingsReader {
  /** The settings, at most `SETTINGS_AGE_MS` old. */
  read(accountId: string): Promise<LeadSettings>;
  /** The settings that are stored now. */
  readFresh(accountId: string): Promise<LeadSettings>;
}

/** Age of settings that a process may use. The retirement of a stage waits much longer (retire-stage.ts). Milliseconds. */
export const SETTINGS_AGE_MS = 2000;
const MOST_ACCOUNTS = 10_000;

export function createSettingsReader(
  leadSettings: Pick<LeadSettingsStore, 'findSettings'>,
  now: () => number,
): SettingsReader {
  const known = new Map<string, { readonly at: number; readonly settings: LeadSettings }>();

  async function readFresh(accountId: string): Promise<LeadSettings> {
    // The age counts from before the read.
    const at = now();
    const settings = await leadSettings.findSettings(accountId);
    if (known.size >= MOST_ACCOUNTS) known.clear();
    known.set(accountId, { at, settings });
    return settings;
  }

  return {
    readFresh,
    async read(accountId) {
      const one = known.get(accountId);
      const age = one === undefined ? Number.POSITIVE_INFINITY : now() - one.at;
      return one !== undefined && age >= 0 && age < SETTINGS_AGE_MS ? one.settings : readFresh(accountId);
    },
  };
}
