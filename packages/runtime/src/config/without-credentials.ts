/**
 * Removes user name and password from the address of a store, so that it can be shown and pasted into a command. It also
 * removes a password with "@" or "/" that is not percent-encoded.
 */
export function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^?#]*@/, '//');
}
