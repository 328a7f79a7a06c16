import type { Step } from '../chain/step.ts';
import { useSteps } from '../chain/use-steps.ts';
import { words } from '../words/en/frame.ts';
import { Notice } from './notice.tsx';
import { Signing } from './signing.tsx';

interface Props {
  readonly step: Step;
  readonly title: string;
  readonly more?: string | undefined;
  readonly done: string;
  /** See useSteps. */
  readonly place?: string;
}

/** An offer of one transaction, which the user may ignore. */
export function OfferedStep({ step, title, more, done, place }: Props) {
  const { progress, isBusy, isOff, run } = useSteps(place);
  if (progress.state === 'done') return <Signing progress={progress} done={done} />;
  return (
    <Notice kind="plain" title={title} more={more}>
      <button type="button" className="button" disabled={isOff} onClick={() => void run([step])}>
        {isBusy ? words.signing.signing : step.label}
      </button>
      <Signing progress={progress} done="" />
    </Notice>
  );
}
