import type { AuditPage, AuditQuery } from './audit.ts';
import { CHANNEL_ROUTES } from './channel-routes.ts';
import { CONVERSATION_ROUTES } from './conversation-routes.ts';
import { DELIVERY_ROUTES } from './delivery-routes.ts';
import { EVENT_ROUTES } from './event-routes.ts';
import type { KeyCreated, KeyItem, KeyList, KeyName, KeyRotation, NewKey } from './keys.ts';
import { LEAD_ROUTES } from './lead-routes.ts';
import type {
  ChangeRole,
  InviteCreated,
  Member,
  MemberList,
  NewInvite,
  RequireTwoFactor,
} from './members.ts';
import type { DeadLetterList, OperatorList, Ops } from './ops.ts';
import type { Overview, OverviewQuery } from './overview.ts';
import type { LogDays, OverviewParts, PartsQuery } from './overview-parts.ts';
import { PIPELINE_ROUTES } from './pipeline-routes.ts';
import type { CheckReset, ForgotPassword, ResetLink, ResetPassword, SignInOptions } from './recovery.ts';
import { route } from './route.ts';
import { SESSION_ROUTES } from './session-routes.ts';
import { SOURCE_ROUTES } from './source-routes.ts';
import { WEBHOOK_ROUTES } from './webhook-routes.ts';

/**
 * Every route of the dashboard's API. Bodies are JSON; errors are problems (contract/problem/problem.ts). Besides the errors
 * that a route documents, any route can respond with: 401 `signed_out`, 403 `forbidden` (role), 403
 * `two_factor_required` (set it up first; `signed_in` routes still work), 403 `cross_site`, 404 `not_found` (not in the
 * current account), 400 `validation_failed` with `errors`, 409 `conflict`, 503 `unavailable`.
 */
export const ROUTES = {
  session: SESSION_ROUTES,
  /** Setting a new password without the old one. */
  recovery: {
    options: route<{ response: SignInOptions }>('GET', '/sign-in-options', 'anyone'),
    /** 409 `conflict` if the installation sends no mail. */
    forgot: route<{ body: ForgotPassword; response: null }>('POST', '/password/forgot', 'anyone', 204),
    check: route<{ body: CheckReset; response: ResetLink }>('POST', '/password/reset/check', 'anyone'),
    reset: route<{ body: ResetPassword; response: null }>('POST', '/password/reset', 'anyone', 204),
  },
  sources: SOURCE_ROUTES,
  channels: CHANNEL_ROUTES,
  conversations: CONVERSATION_ROUTES,
  deliveries: DELIVERY_ROUTES,
  events: EVENT_ROUTES,
  leads: LEAD_ROUTES,
  pipeline: PIPELINE_ROUTES,
  webhooks: WEBHOOK_ROUTES,
  keys: {
    list: route<{ response: KeyList }>('GET', '/keys', 'viewer'),
    create: route<{ body: NewKey; response: KeyCreated }>('POST', '/keys', 'admin', 201),
    rename: route<{ params: 'keyId'; body: KeyName; response: KeyItem }>('PATCH', '/keys/:keyId', 'admin'),
    rotate: route<{ params: 'keyId'; body: KeyRotation; response: KeyCreated }>(
      'POST',
      '/keys/:keyId/rotate',
      'admin',
      201,
    ),
    revoke: route<{ params: 'keyId'; response: KeyItem }>('POST', '/keys/:keyId/revoke', 'admin'),
  },
  members: {
    list: route<{ response: MemberList }>('GET', '/members', 'viewer'),
    invite: route<{ body: NewInvite; response: InviteCreated }>('POST', '/members/invites', 'owner', 201),
    withdrawInvite: route<{ params: 'inviteId'; response: null }>(
      'DELETE',
      '/members/invites/:inviteId',
      'owner',
      204,
    ),
    changeRole: route<{ params: 'userId'; body: ChangeRole; response: Member }>(
      'PUT',
      '/members/:userId/role',
      'owner',
    ),
    requireTwoFactor: route<{ body: RequireTwoFactor; response: null }>(
      'PUT',
      '/members/two-factor',
      'owner',
      204,
    ),
    /** Also ends the member's sessions in this account. */
    remove: route<{ params: 'userId'; response: null }>('DELETE', '/members/:userId', 'owner', 204),
  },
  audit: {
    list: route<{ query: AuditQuery; response: AuditPage }>('GET', '/audit', 'admin'),
  },
  overview: {
    show: route<{ query: OverviewQuery; response: Overview }>('GET', '/overview', 'viewer'),
    parts: route<{ query: PartsQuery; response: OverviewParts }>('GET', '/overview/parts', 'viewer'),
    days: route<{ response: LogDays }>('GET', '/overview/days', 'viewer'),
  },
  ops: {
    show: route<{ response: Ops }>('GET', '/ops', 'owner'),
    /** 403 `forbidden` unless the user is an operator. */
    operators: route<{ response: OperatorList }>('GET', '/ops/operators', 'owner'),
    deadLetters: route<{ response: DeadLetterList }>('GET', '/ops/dead-letters', 'owner'),
    retryDeadLetter: route<{ params: 'deliveryId'; response: null }>(
      'POST',
      '/ops/dead-letters/:deliveryId/retry',
      'owner',
      204,
    ),
    dropDeadLetter: route<{ params: 'deliveryId'; response: null }>(
      'DELETE',
      '/ops/dead-letters/:deliveryId',
      'owner',
      204,
    ),
  },
} as const;
