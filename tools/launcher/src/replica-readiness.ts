import { CHECK_TIMEOUT_MS } from '@sluice/runtime/http/readiness';

/** One process of a service and its admin URL, which is missing until the process has reported it. */
export interface ReplicaAdmin {
  readonly name: string;
  readonly url: string | undefined;
}

/** The processes of one service. */
export interface ReplicaAdmins {
  readonly kind: string;
  admins(): readonly ReplicaAdmin[];
}

/** A process's checks time out earlier, so that the process can name the failed one. A busy machine delays both. */
export const PROBE_TIMEOUT_MS = CHECK_TIMEOUT_MS + 1000;

/** Resolves when every replica is ready. Otherwise rejects with the name of each one that is not, and the reason. */
export async function allReady(replicas: ReplicaAdmins): Promise<void> {
  const states = await Promise.all(
    replicas.admins().map(async ({ name, url }) => ({ name, trouble: await troubleOf(url) })),
  );
  const unready = states.filter((state) => state.trouble !== undefined);
  if (unready.length === 0) return;
  throw new Error(unready.map((state) => `${state.name} ${state.trouble}`).join('; '));
}

/** Why the process at this admin URL is not ready. Undefined when it is ready. */
async function troubleOf(url: string | undefined): Promise<string | undefined> {
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
