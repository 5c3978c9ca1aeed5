/** Whether a line of a service's log warns of something, or of worse. Pino: 40 is a warning. */
export function isWarning({ level }: Record<string, unknown>): boolean {
  return level === 'warn' || level === 'error' || Number(level) >= 40;
}
