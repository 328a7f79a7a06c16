import { setTimeout as sleep } from 'node:timers/promises';
import { samplesIn } from '../../agent/test/process/promql.ts';
import type { Sidecar } from '../../test/e2e/sidecar.ts';

/** Memory of one process after its garbage was collected. */
export interface Sample {
  readonly life: number;
  readonly atMs: number;
  readonly heapMb: number;
  readonly rssMb: number;
}

/** Undefined while it does not answer. */
export async function sampleOf(sidecar: Sidecar, life: number): Promise<Sample | undefined> {
  try {
    sidecar.signal('SIGUSR2');
    await sleep(500);
    const answer = await fetch(`${sidecar.url}/metrics`, { signal: AbortSignal.timeout(5_000) });
    const samples = samplesIn(await answer.text());
    const mb = (metric: string) => (samples.find(({ name }) => name === metric)?.value ?? Number.NaN) / 1e6;
    const [heapMb, rssMb] = [mb('nodejs_heap_size_used_bytes'), mb('process_resident_memory_bytes')];
    return { life, atMs: Date.now(), heapMb, rssMb };
  } catch {
    return undefined;
  }
}

/** Median of the slopes between all pairs (Theil–Sen), per hour: some high samples do not change it. */
export function slopePerHour(points: readonly (readonly [atMs: number, value: number])[]): number {
  const slopes: number[] = [];
  for (const [i, [fromMs, from]] of points.entries()) {
    for (const [toMs, to] of points.slice(i + 1)) slopes.push(((to - from) / (toMs - fromMs)) * 3_600_000);
  }
  return slopes.toSorted((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? Number.NaN;
}
