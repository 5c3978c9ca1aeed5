import type { UntoldChange } from '@sluice/contract/change';
import type { ApiKeys } from '@sluice/store/accounts/api-keys';
import type { Sources } from '@sluice/store/sources/sources';
import type { Users } from '@sluice/store/users/users';

export interface ActorNamesDeps {
  readonly users: Pick<Users, 'findUsers'>;
  readonly apiKeys: Pick<ApiKeys, 'findApiKey'>;
  readonly sources: Pick<Sources, 'findSource'>;
}

/** The display names of the authors of changes, by id: email addresses of members, names of API keys and channels. */
export async function actorNames(
  { users, apiKeys, sources }: ActorNamesDeps,
  accountId: string,
  changes: readonly UntoldChange[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (type: UntoldChange['actor']['type']) => [
    ...new Set(changes.flatMap(({ actor }) => (actor.type === type ? [actor.id] : []))),
  ];
  const [people, keys, channels] = await Promise.all([
    users.findUsers(idsOf('member')),
    Promise.all(idsOf('api_key').map((id) => apiKeys.findApiKey(id))),
    Promise.all(idsOf('source').map((id) => sources.findSource(id))),
  ]);
  const own = [...keys, ...channels].filter((one) => one?.account_id === accountId);
  return new Map([
    ...people.map(({ user_id, email }) => [user_id, email] as const),
    ...own.flatMap((one) => {
      if (one === undefined) return [];
      return [['key_id' in one ? one.key_id : one.source_id, one.name] as const];
    }),
  ]);
}
