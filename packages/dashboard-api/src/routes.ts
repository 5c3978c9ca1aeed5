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
import { get, io, patch, post, put, remove } from './route.ts';
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
    options: get('/sign-in-options', 'anyone', io<{ response: SignInOptions }>()),
    /** 409 `conflict` if the installation sends no mail. */
    forgot: post('/password/forgot', 'anyone', io<{ body: ForgotPassword; response: null }>(), 204),
    check: post('/password/reset/check', 'anyone', io<{ body: CheckReset; response: ResetLink }>()),
    reset: post('/password/reset', 'anyone', io<{ body: ResetPassword; response: null }>(), 204),
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
    list: get('/keys', 'viewer', io<{ response: KeyList }>()),
    create: post('/keys', 'admin', io<{ body: NewKey; response: KeyCreated }>(), 201),
    rename: patch('/keys/:keyId', 'admin', io<{ body: KeyName; response: KeyItem }>()),
    rotate: post('/keys/:keyId/rotate', 'admin', io<{ body: KeyRotation; response: KeyCreated }>(), 201),
    revoke: post('/keys/:keyId/revoke', 'admin', io<{ response: KeyItem }>()),
  },
  members: {
    list: get('/members', 'viewer', io<{ response: MemberList }>()),
    invite: post('/members/invites', 'owner', io<{ body: NewInvite; response: InviteCreated }>(), 201),
    withdrawInvite: remove('/members/invites/:inviteId', 'owner', io<{ response: null }>(), 204),
    changeRole: put('/members/:userId/role', 'owner', io<{ body: ChangeRole; response: Member }>()),
    requireTwoFactor: put(
      '/members/two-factor',
      'owner',
      io<{ body: RequireTwoFactor; response: null }>(),
      204,
    ),
    /** Also ends the member's sessions in this account. */
    remove: remove('/members/:userId', 'owner', io<{ response: null }>(), 204),
  },
  audit: {
    list: get('/audit', 'admin', io<{ query: AuditQuery; response: AuditPage }>()),
  },
  overview: {
    show: get('/overview', 'viewer', io<{ query: OverviewQuery; response: Overview }>()),
    parts: get('/overview/parts', 'viewer', io<{ query: PartsQuery; response: OverviewParts }>()),
    days: get('/overview/days', 'viewer', io<{ response: LogDays }>()),
  },
  ops: {
    show: get('/ops', 'owner', io<{ response: Ops }>()),
    /** 403 `forbidden` unless the user is an operator. */
    operators: get('/ops/operators', 'owner', io<{ response: OperatorList }>()),
    deadLetters: get('/ops/dead-letters', 'owner', io<{ response: DeadLetterList }>()),
    retryDeadLetter: post('/ops/dead-letters/:deliveryId/retry', 'owner', io<{ response: null }>(), 204),
    dropDeadLetter: remove('/ops/dead-letters/:deliveryId', 'owner', io<{ response: null }>(), 204),
  },
} as const;
