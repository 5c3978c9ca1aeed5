/**
 * How long the write of an admin's change may take on the server, in milliseconds. With the 5 s that the driver looks
 * for a server it stays below the 15 s for which the source is fenced meanwhile (admission/source-directory.ts):
 * a write that still comes through finds the fence up.
 */
export const ADMIN_WRITE = {
  maxTimeMS: 5000,
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5000 },
} as const;
