import type { Scope } from '@sluice/contract/scopes';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { type Refusal, refuse } from '../http/result.ts';
import type { ScopesNeeded } from './declare-route.ts';

/** Rejects a key without any scope that the route accepts. */
export function refuseMissingScope(
  needed: ScopesNeeded,
  { scopes, name }: Pick<ApiKey, 'scopes' | 'name'>,
): Refusal | undefined {
  if (needed === 'any_live_key' || needed.some((scope) => scopes.includes(scope))) return undefined;
  const detail = `The API key "${name}" lacks the scope ${orList(needed)}. Create a key with it in the dashboard under Settings, API Keys.`;
  return refuse('scope_missing', detail, { requiredScopes: needed });
}

function orList(scopes: readonly Scope[]): string {
  return scopes.join(' or ');
}
