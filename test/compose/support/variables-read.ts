import { apiVariables } from '@sluice/api/config';
import { dispatcherVariables } from '@sluice/dispatcher/config';
import { ingressVariables } from '@sluice/ingress/config';
import { workerVariables } from '../../../services/worker/src/config.ts';

export const PARTS = ['ingress', 'worker', 'dispatcher', 'api'] as const;

/** The variables that each service reads. */
export const READS = {
  ingress: ingressVariables,
  worker: workerVariables,
  dispatcher: dispatcherVariables,
  api: apiVariables,
};
