import type { Deed } from '@sluice/management/audit-entry';
import type { ApiKey } from '@sluice/store/api-keys';
import type { Source } from '@sluice/store/sources';

/** What entries of the audit log are about, named as the dashboard names it. */
export const aboutSource = ({ source_id, name }: Source): Deed['target'] => ({ id: source_id, name });

export const aboutKey = ({ key_id, name, prefix }: ApiKey): Deed['target'] => ({
  id: key_id,
  name: `${name} (${prefix}…)`,
});
