/**
 * Checks an address before a call. The message does not show it: a key or a secret may have been passed as the address.
 * @throws TypeError if it is no http or https address.
 */
export function expectHttpUrl(name: string, url: string, example: string): void {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new TypeError(`${name} is not an http or https address, such as "${example}".`);
}
