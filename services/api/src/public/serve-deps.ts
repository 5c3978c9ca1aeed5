import type { Auditing } from '@sluice/accounts/audit/audited';
import type { Rate, RateLimiter } from '@sluice/admission/rate-limiter';
import type { MacKeys } from '@sluice/credentials/mac';
import type { Activity } from '@sluice/monitoring/activity';
import type { AuditLog } from '@sluice/store/audit/audit-log';
import type { Idempotency } from '@sluice/store/idempotency';
import type { AuthenticateKeyDeps } from './authenticate-key.ts';
import type { LastUsed } from './last-used.ts';

/** The layer needs these for every public route, besides the dependencies of its handler. */
export interface ServeDeps extends AuthenticateKeyDeps {
  readonly take: RateLimiter;
  readonly keyRate: Rate;
  readonly lastUsed: Pick<LastUsed, 'note'>;
  readonly activity: Pick<Activity, 'add' | 'sawClient'>;
  readonly idempotency: Idempotency;
  readonly auditLog: Pick<AuditLog, 'putEntry'> & Auditing['auditLog'];
  readonly mac: MacKeys;
  readonly apiUrl: string;
  /** An error of work whose request already got its 503. */
  readonly onLateError: (error: unknown) => void;
}
