/** Options of MongoDB's URL that send reads to other servers than the primary, in lower case. */
const READ_PREFERENCES = ['readpreference', 'readpreferencetags', 'maxstalenessseconds'];

/**
 * The URL without a read preference. Whether a key is revoked and which subscriptions there are must be read from the primary: a
 * secondary that lags accepts a revoked key, and hides a new subscription, whose messages would then be lost. It also lacks new
 * texts of messages, and still has erased ones.
 */
export function primaryUrl(url: string): string {
  const [address = '', query] = url.split(/\?(.*)/s);
  if (query === undefined) return url;
  const kept = query
    .split('&')
    .filter((option) => !READ_PREFERENCES.includes(option.split('=')[0]?.toLowerCase() ?? ''));
  return kept.length === 0 ? address : `${address}?${kept.join('&')}`;
}
