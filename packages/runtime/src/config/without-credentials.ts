/**
 * The address of a store as it may be shown, and pasted into a command: without user name and password. A password that
 * holds "@" or "/" should be percent-encoded there; where it is not, it is taken out all the same.
 */
export function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^?#]*@/, '//');
}
