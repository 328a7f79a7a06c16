import { BowlineError } from './result.ts';

/** Something the service depends on. */
export interface Dependency {
  readonly name: string;
  /** True if the agent cannot work without it. */
  readonly needed: boolean;
  /** One short sentence about its state; throws if it is unavailable, with the cause in a BowlineError. */
  look(): Promise<string>;
}

export interface Readiness {
  readonly ready: boolean;
  readonly dependencies: Readonly<
    Record<string, { readonly ok: boolean; readonly needed: boolean; readonly detail: string }>
  >;
}

/** Checks all of them concurrently. Failures are reported in our own words, never in a third party's. */
export async function readinessOf(dependencies: readonly Dependency[]): Promise<Readiness> {
  const states = await Promise.all(
    dependencies.map(async ({ name, needed, look }) => {
      const state = await look().then(
        (detail) => ({ ok: true, detail }),
        (error: unknown) => ({
          ok: false,
          detail: error instanceof BowlineError ? error.message : 'It does not answer, or not as it should.',
        }),
      );
      return [name, { ...state, needed }] as const;
    }),
  );
  return { ready: states.every(([, { ok, needed }]) => ok || !needed), dependencies: Object.fromEntries(states) };
}
