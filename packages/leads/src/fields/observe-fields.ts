import type { LeadContent } from '@sluice/store/leads/lead-document';
import type { CustomFieldType, LeadSettings } from '@sluice/store/leads/lead-settings';
import type { LeadDeps } from '../deps.ts';

/** Limit of the custom fields that an account's forms list. Leads may have others. */
const MOST_FIELDS = 500;
const MOST_TRIES = 5;

/** Remembers the custom fields of an account, so that forms can list them. Writes only when a name is new. */
export async function observeFields(
  { settings, leadSettings }: LeadDeps,
  accountId: string,
  fields: LeadContent['fields'],
): Promise<void> {
  if (fields.size === 0 || unknownFields(await settings.read(accountId), fields).length === 0) return;
  // A writer that is always second leaves it to the next lead with the field.
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const current = await settings.readFresh(accountId);
    const added = unknownFields(current, fields);
    if (added.length === 0) return;
    const custom_fields = [...current.custom_fields, ...added];
    if (await leadSettings.putSettings({ ...current, custom_fields })) {
      await settings.readFresh(accountId);
      return;
    }
  }
}

function unknownFields({ custom_fields }: LeadSettings, fields: LeadContent['fields']) {
  const room = MOST_FIELDS - custom_fields.length;
  const known = new Set(custom_fields.map(({ name }) => name));
  const added = [...fields].filter(([name]) => !known.has(name));
  return added.slice(0, room).map(([name, value]) => ({ name, type: typeof value as CustomFieldType }));
}
