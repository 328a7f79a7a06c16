import type { CallState } from '../useCalls.ts';

/** What has become of the transactions that the user was asked for. */
export function Calls({ state }: { state: CallState }) {
  if (state.state === 'idle') return null;
  if (state.state === 'busy') {
    const of = state.steps === 1 ? '' : ` (${state.step} of ${state.steps})`;
    return (
      <p className="notice" role="status">
        {state.label}
        {of}: {state.isSent ? 'sent, waiting for a block …' : 'sign it in your wallet …'}
      </p>
    );
  }
  return (
    <p
      className={`notice ${state.state === 'done' ? 'good' : 'bad'}`}
      role={state.state === 'done' ? 'status' : 'alert'}
    >
      {state.text}
    </p>
  );
}
