import type { Deed } from '@sluice/accounts/audit/audited';
import { type AuditedChange, knownChange } from '@sluice/accounts/audit/audited';
import { describeUnfit } from '@sluice/accounts/secrets/change-sender';
import {
  endOverlap,
  overlapDetail,
  overlapEnd,
  type RotateSecretDeps,
  type Rotation,
  rotateSecret,
  type SecretRotated,
} from '@sluice/accounts/secrets/rotate-secret';
import { changeSource, isChanged } from '@sluice/accounts/sources/change-source';
import { newSecretFor } from '@sluice/accounts/sources/new-secret';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import { type Keyring, open, seal } from '@sluice/credentials/seal';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { pasteSecret } from '@sluice/dashboard-api/senders';
import { confirmRotation } from '@sluice/dashboard-api/sources';
import type { RefusedUse } from '@sluice/store/deliveries/secret-use';
import type { Source } from '@sluice/store/sources/source';
import type { Binder } from '../http/bind.ts';
import { done, notFound, refuse, refuseFields } from '../http/result.ts';
import { eventSourcesOf, refuseUnknownKey } from '../parts/own-source.ts';
import type { RouteDeps } from '../parts.ts';
import { sourceActivity } from './activity.ts';
import { describeSource } from './describe-source.ts';
import { targetOf } from './routes.ts';

/** How long an admin has to configure the sender. */
const PREPARED_MS = HOUR_MS;

const STALE = refuse(
  'rotation_stale',
  'The secret was rotated in the meantime, or the preparation expired. Start the rotation again.',
);

const CONFIRMED_BEFORE = refuse(
  'rotation_stale',
  'This rotation was already confirmed. The secret you were shown is in use. Nothing is left to do.',
);

/** The two stages of a rotation, the check that follows, and the paste of a secret that the sender has made. */
export function rotationRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { ownSource, keyring, now, audited } = deps;
  const routes = ROUTES.sources;
  const ownEventSource = eventSourcesOf(ownSource);

  guarded(routes.prepareRotation, {}, async ({ who, params }) => {
    const source = await ownSource(who, params.sourceId);
    if (source === undefined) return notFound('source');
    const otherKey = await refuseUnknownKey(deps);
    if (otherKey !== undefined) return otherKey;
    const secret = newSecretFor(source);
    const expiresAt = now() + PREPARED_MS;
    const [activity] = await sourceActivity(deps, [source.source_id]);
    return done({
      signing_secret: secret,
      rotation_token: sealPrepared(keyring, source, { secret, expiresAt }),
      expires_at: formatInstant(expiresAt),
      accepted_24h: activity?.accepted_24h ?? 0,
      last_delivery_at: activity?.last_delivery_at ?? null,
    });
  });

  guarded(routes.confirmRotation, { body: confirmRotation }, async ({ who, params, body, request }) => {
    const source = await ownSource(who, params.sourceId);
    if (source === undefined) return notFound('source');
    const prepared = openPrepared(keyring, source, body.rotation_token);
    if (prepared === undefined || prepared.expiresAt <= now()) return STALE;
    const { secret: signingSecret, lastRotated } = prepared;
    const rotation = { signingSecret, lastRotated, overlap: body.overlap ?? '0' };
    const rotated = await audited(who, request, auditedRotation(deps, source, rotation));
    if (rotated.status === 'source_not_found') return notFound('source');
    if (rotated.status === 'stale') {
      if (!isCurrent(keyring, rotated.source, signingSecret)) return STALE;
      // The first confirmation may have ended with an unknown result. This makes the change certain.
      const again = () => changeSource(deps, source.source_id, undefined);
      await audited(who, request, knownChange(rotatedDeed(rotated.source, now()), again));
      return CONFIRMED_BEFORE;
    }
    return done(describeSource(deps, rotated.source));
  });

  guarded(routes.pasteSecret, { body: pasteSecret }, async ({ who, params, body, request }) => {
    const source = await ownEventSource(who, params.sourceId);
    if (source === undefined) return notFound('source');
    const fault = describeUnfit(source.sender ?? null, body.secret);
    if (fault !== null) return refuseFields([{ pointer: '/secret', detail: fault }]);
    const otherKey = await refuseUnknownKey(deps);
    if (otherKey !== undefined) return otherKey;
    const rotation = { signingSecret: body.secret, overlap: body.overlap ?? '0' };
    const rotated = await audited(who, request, auditedRotation(deps, source, rotation));
    return rotated.status === 'source_not_found'
      ? notFound('source')
      : done(describeSource(deps, rotated.source));
  });

  guarded(routes.endOverlap, {}, async ({ who, params, request }) => {
    const source = await ownSource(who, params.sourceId);
    if (source === undefined) return notFound('source');
    if (overlapEnd(source, now()) === null) return done(describeSource(deps, source));
    const deed = { action: 'secret.overlap_ended', target: targetOf(source) } as const;
    const work = () => endOverlap(deps, source.source_id);
    const ended = await audited(who, request, knownChange(deed, work, isChanged));
    if (ended.status === 'source_not_found') return notFound('source');
    return done(describeSource(deps, ended.source));
  });

  guarded(routes.rotationCheck, {}, async ({ who, params }) => {
    const source = await ownSource(who, params.sourceId);
    if (source === undefined) return notFound('source');
    const since = source.secret_rotated_at ?? source.created_at;
    const seen = await deps.secretUse.since(source.source_id, since);
    const refused = ({ count, last }: RefusedUse) => ({ count, last_at: instantOrNull(last) });
    return done({
      rotated_at: instantOrNull(source.secret_rotated_at),
      overlap_until: instantOrNull(overlapEnd(source, now())),
      first_accepted_at: instantOrNull(seen.firstAccepted),
      old_accepted_at: instantOrNull(seen.previousAccepted),
      old_refused: refused(seen.previousRefused),
      neither_refused: refused(seen.neitherRefused),
    });
  });
}

/** A prepared rotation. Times are milliseconds since the Unix epoch. */
interface Prepared {
  readonly secret: string;
  readonly expiresAt: number;
  /** The last rotation before this one; null: never rotated. */
  readonly lastRotated: number | null;
}

/**
 * The token contains the prepared secret, encrypted for this source. It is stored nowhere else, so closing the dialog
 * leaves nothing behind.
 */
function sealPrepared(
  keyring: Keyring,
  source: Source,
  prepared: Pick<Prepared, 'secret' | 'expiresAt'>,
): string {
  const all: Prepared = { ...prepared, lastRotated: source.secret_rotated_at };
  return seal(keyring, contextOf(source), JSON.stringify(all));
}

function openPrepared(keyring: Keyring, source: Source, token: string): Prepared | undefined {
  const opened = open(keyring, contextOf(source), token);
  return opened.status === 'opened' ? (JSON.parse(opened.secret) as Prepared) : undefined;
}

function isCurrent(keyring: Keyring, { source_id, sealed_secret }: Source, secret: string): boolean {
  const opened = open(keyring, source_id, sealed_secret);
  return opened.status === 'opened' && opened.secret === secret;
}

const contextOf = ({ source_id }: Source): string => `rotation:${source_id}`;

/** The audited change for a source's last rotation. Idempotent: a retry of the confirmation writes the same entry. */
function rotatedDeed(source: Source, nowMs: number): Deed {
  const until = overlapEnd(source, nowMs);
  return {
    action: 'secret.rotated',
    target: targetOf(source),
    ongoing: String(source.secret_rotated_at),
    ...(until !== null && { detail: overlapDetail(until) }),
  };
}

/** A rotation with its audit entry. Its time names the entry, so that a repeat of the confirmation finds it. */
function auditedRotation(
  deps: RotateSecretDeps,
  source: Source,
  rotation: Rotation,
): AuditedChange<SecretRotated> {
  const at = deps.now();
  return {
    intent: { action: 'secret.rotated', target: targetOf(source), ongoing: String(at) },
    work: () => rotateSecret({ ...deps, now: () => at }, source.source_id, rotation),
    deed: (result) => (result.status === 'rotated' ? rotatedDeed(result.source, at) : undefined),
  };
}
