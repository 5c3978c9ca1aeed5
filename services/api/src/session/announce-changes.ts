import type { Memberships } from '@sluice/store/accounts/memberships';
import type { Sessions } from '@sluice/store/users/sessions';

export interface AnnounceDeps {
  readonly sessions: Sessions;
  readonly memberships: Memberships;
  /** Must not throw. */
  readonly announce: (userId: string) => void;
}

/**
 * Wraps the collections so that each stored change that may end a user's access is announced. Here instead of in the
 * routes, so that no route can forget it.
 */
export function announceChanges({ sessions, memberships, announce }: AnnounceDeps): {
  readonly sessions: Sessions;
  readonly memberships: Memberships;
} {
  return { sessions: ofSessions(sessions, announce), memberships: ofMemberships(memberships, announce) };
}

function ofSessions(sessions: Sessions, announce: AnnounceDeps['announce']): Sessions {
  return extended(sessions, {
    async switchAccount(tokenHash, accountId) {
      await sessions.switchAccount(tokenHash, accountId);
      const session = await sessions.findSession(tokenHash);
      if (session !== undefined) announce(session.user_id);
    },
    async endSession(userId, sessionId) {
      const found = await sessions.endSession(userId, sessionId);
      if (found) announce(userId);
      return found;
    },
    async endSessions(which) {
      await sessions.endSessions(which);
      announce(which.user_id);
    },
  });
}

function ofMemberships(memberships: Memberships, announce: AnnounceDeps['announce']): Memberships {
  return extended(memberships, {
    async setRole(accountId, userId, role) {
      const before = await memberships.setRole(accountId, userId, role);
      announce(userId);
      return before;
    },
    async removeMembership(accountId, userId) {
      const before = await memberships.removeMembership(accountId, userId);
      announce(userId);
      return before;
    },
  });
}

/** Inherits the collection's other methods, even if they are replaced later. */
function extended<T extends object>(collection: T, methods: Partial<T>): T {
  return Object.assign(Object.create(collection) as T, methods);
}
