import { useConnection } from 'wagmi';
import type { Step } from '../chain/step.ts';
import { useSteps } from '../chain/use-steps.ts';
import { useSettings } from '../settings.tsx';
import { words } from '../words/en/frame.ts';
import { Notice } from './notice.tsx';
import { Signing } from './signing.tsx';

interface Props {
  /** Wraps or unwraps an exact amount. */
  readonly step: Step;
  readonly title: string;
  readonly more?: string | undefined;
  readonly done: string;
}

/** An offer to wrap or unwrap BNB by a step of its own, which may be left. */
export function BnbStep({ step, title, more, done }: Props) {
  const { chainId } = useSettings();
  const connection = useConnection();
  const { progress, isBusy, run } = useSteps();
  if (progress.state === 'done') return <Signing progress={progress} done={done} />;
  return (
    <Notice kind="plain" title={title} more={more}>
      <button
        type="button"
        className="button"
        disabled={isBusy || connection.chainId !== chainId}
        onClick={() => void run([step])}
      >
        {isBusy ? words.signing.signing : step.label}
      </button>
      <Signing progress={progress} done="" />
    </Notice>
  );
}
