import type { ServiceProcess } from '../../support/service-process.ts';

/** The resident memory that a process reports, in MiB. */
export async function residentMiB(service: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${service.adminUrl()}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes\S* (\S+)$/m.exec(text)?.[1];
  if (bytes === undefined) throw new Error('the metrics do not contain the resident memory');
  return Number(bytes) / 2 ** 20;
}
