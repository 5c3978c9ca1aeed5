import { ROUTES } from '@sluice/dashboard-api/routes';

/** The routes whose responses show when a secret was rotated. */
export const SHOWING = [
  ROUTES.sources.list,
  ROUTES.sources.show,
  ROUTES.channels.list,
  ROUTES.channels.show,
] as const;
