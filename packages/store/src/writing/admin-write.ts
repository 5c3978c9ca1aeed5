/**
 * Time limit of an admin's write on the server, in milliseconds. The driver also spends up to 5 s to select a server.
 * Both together stay below the 15 s for which the source is fenced (admission/source-directory.ts). So a late write still
 * finds the fence in place.
 */
export const ADMIN_WRITE = {
  maxTimeMS: 5000,
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5000 },
} as const;
