/** A new id for a reply. 128 random bits never repeat in practice. */
export function newReplyId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
