/** What the key of a user's second factor is sealed for (see seal.ts): moved to another user it does not open. */
export function totpContext(userId: string): string {
  return `totp:${userId}`;
}
