import { type Sidecar, startSidecar } from '../e2e/sidecar.ts';

/** One process of the agent, from its start to its end. Unix milliseconds. */
export interface Life {
  readonly sidecar: Sidecar;
  readonly fromMs: number;
  /** When it could no longer act, because it was told to stop or was killed. */
  toMs?: number;
  how?: 'SIGTERM' | 'SIGKILL';
}

/** The agent, which can be ended and started again. */
export async function startAgents(settings: Readonly<Record<string, string>>) {
  const lives: Life[] = [];
  /** Periods without a ready process, in Unix milliseconds. */
  const gaps: { readonly fromMs: number; toMs: number }[] = [];
  const start = async () => {
    const sidecar = await startSidecar(settings);
    lives.push({ sidecar, fromMs: Date.now() });
  };
  await start();
  const current = (): Life => lives.at(-1) as Life;
  async function end(how: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const life = current();
    life.toMs = Date.now();
    life.how = how;
    life.sidecar.signal(how);
    return life.sidecar.ended;
  }
  return {
    lives,
    gaps,
    current: () => current().sidecar,
    end,
    async restart(how: 'SIGTERM' | 'SIGKILL'): Promise<void> {
      const gap = { fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
      gaps.push(gap);
      await end(how);
      await start();
      gap.toMs = Date.now();
    },
    /** All lines of all lives, oldest first. */
    log: () => lives.flatMap(({ sidecar }) => sidecar.log),
  };
}
export type Agents = Awaited<ReturnType<typeof startAgents>>;
