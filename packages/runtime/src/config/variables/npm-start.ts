import { inGroup } from '../variable-info.ts';
import { whole } from '../variable-types.ts';

const info = inGroup('npm start');

/** The processes of `npm start`. */
export const npmStartVariables = {
  INGRESS_REPLICAS: whole(0, 64).prefault('1').meta(info('Ingress processes; they share INGRESS_PORT.')),
  WORKER_REPLICAS: whole(0, 64).prefault('1').meta(info('Worker processes.')),
  DISPATCHER_REPLICAS: whole(0, 64).prefault('1').meta(info('Dispatcher processes.')),
} as const;
