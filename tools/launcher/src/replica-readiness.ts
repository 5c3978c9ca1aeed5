import { CHECK_TIMEOUT_MS } from '@sluice/runtime/http/readiness';

/** One process of a service, and where it answers; no URL while it has not reported one. */
export interface ReplicaAdmin {
  readonly name: string;
  readonly pid?: number | undefined;
  readonly url: string | undefined;
}

/** The processes of one service. */
export interface ReplicaAdmins {
  readonly kind: string;
  admins(): readonly ReplicaAdmin[];
}

/** A process's own checks end first, so that it can say itself which of them failed. A busy machine adds to both. */
export const PROBE_TIMEOUT_MS = CHECK_TIMEOUT_MS + 1000;

/** Resolves when every replica is ready; else rejects, naming each that is not and why. */
export async function allReady(replicas: ReplicaAdmins): Promise<void> {
  const states = await Promise.all(
    replicas.admins().map(async ({ name, url }) => ({ name, trouble: await troubleOf(url) })),
  );
  const unready = states.filter((state) => state.trouble !== undefined);
  if (unready.length === 0) return;
  throw new Error(unready.map((state) => `${state.name} ${state.trouble}`).join('; '));
}

/** Why the process at this admin URL is not ready; undefined when it is. */
export async function troubleOf(url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return 'is starting';
  try {
    const response = await fetch(`${url}/readyz?verbose`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const body = await response.text();
    return response.ok ? undefined : `is not ready: ${body}`;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return `does not answer within ${PROBE_TIMEOUT_MS} ms`;
    return `does not answer: ${(error as Error).message}`;
  }
}
