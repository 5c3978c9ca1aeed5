import type { Deed } from '@sluice/accounts/audit/audited';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Source } from '@sluice/store/sources/source';

/** Targets of audit log entries, with the same names as in the dashboard. */
export const sourceTarget = ({ source_id, name }: Source): Deed['target'] => ({ id: source_id, name });

export const keyTarget = ({ key_id, name, prefix }: ApiKey): Deed['target'] => ({
  id: key_id,
  name: `${name} (${prefix}…)`,
});
