/** Whether a line of a service's log is a warning or worse. Pino's level of a warning is 40. */
export function isWarning({ level }: Record<string, unknown>): boolean {
  return level === 'warn' || level === 'error' || Number(level) >= 40;
}
