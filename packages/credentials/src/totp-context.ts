/** The seal context of a user's second factor (see seal.ts). The key does not open for another user. */
export function totpContext(userId: string): string {
  return `totp:${userId}`;
}
