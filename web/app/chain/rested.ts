/** Time for typing to end. */
const REST_MS = 600;

/** A question that is asked once its key rests: a newer one cancels it before it is sent. */
export const onceRested =
  <Answer>(ask: () => Promise<Answer>, restMs = REST_MS) =>
  async ({ signal }: { readonly signal: AbortSignal }): Promise<Answer> => {
    await new Promise((resolve) => setTimeout(resolve, restMs));
    signal.throwIfAborted();
    return ask();
  };

/** Of what is asked of a form's draft. */
export const ofDraft = { refetchInterval: 90_000, retry: 1, gcTime: 0 } as const;
