/** The metrics of a worker at /metrics. */
export interface WorkerMetrics {
  /** Actions applied and logged. */
  readonly applied: number;
  /** The failed ones among them. */
  readonly failed: number;
  /** Upper bound in seconds -> actions that were logged within it after their receipt. */
  readonly lag: ReadonlyMap<number, number>;
}

export async function readWorkerMetrics(adminUrl: string): Promise<WorkerMetrics> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  let [applied, failed] = [0, 0];
  const lag = new Map<number, number>();
  for (const line of text.split('\n')) {
    const value = Number(line.slice(line.lastIndexOf(' ')));
    if (line.startsWith('sluice_worker_actions_total{')) {
      applied += value;
      if (line.includes('outcome="failed"')) failed += value;
    }
    const bound = /^sluice_worker_lag_seconds_bucket\{.*?le="([^"]+)"/.exec(line)?.[1];
    if (bound !== undefined) lag.set(bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound), value);
  }
  return { applied, failed, lag };
}
