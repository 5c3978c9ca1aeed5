import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ROOT } from '../../docs/support.ts';

export const RULES_PATH = 'deploy/prometheus/alerts.yml';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly runbook_url: string;
    readonly dashboard: string;
  };
}

export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
}

const rules = (): (AlertRule | RecordingRule)[] =>
  parse(readFileSync(ROOT + RULES_PATH, 'utf8')).groups.flatMap(
    ({ rules: found }: { rules: (AlertRule | RecordingRule)[] }) => found,
  );

/** The alerts that Prometheus fires, in the order of the file. */
export function alertRules(): readonly AlertRule[] {
  return rules().filter((one) => 'alert' in one);
}

/** The series that Prometheus computes from others. */
export function recordingRules(): readonly RecordingRule[] {
  return rules().filter((one) => 'record' in one);
}
