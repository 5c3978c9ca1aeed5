/** The processes of one service and where each answers; no URL while it has not reported one. */
export interface ReplicaAdmins {
  readonly kind: string;
  admins(): readonly { readonly name: string; readonly url: string | undefined }[];
}

/** Below the 500 ms that a readiness check may take, so that the slow replica can be named. */
export const PROBE_TIMEOUT_MS = 450;

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
    return `does not answer: ${(error as Error).message}`;
  }
}
