import { BowlineError } from './result.ts';

/** Whether something that the service stands on is there. */
export interface Dependency {
  readonly name: string;
  /** Without it nothing works; without another one something does. */
  readonly needed: boolean;
  /** One short sentence of what was found; throws when it is not there: a BowlineError says why. */
  look(): Promise<string>;
}

export interface Readiness {
  readonly ready: boolean;
  readonly dependencies: Readonly<
    Record<string, { readonly ok: boolean; readonly needed: boolean; readonly detail: string }>
  >;
}

/** Looks at all of them at once. What is wrong with one is told in our own words, never in a third party's. */
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
