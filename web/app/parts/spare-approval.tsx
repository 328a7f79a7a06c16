import type { Address } from 'viem';
import { useConnection } from 'wagmi';
import { assetAt } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import { useSteps } from '../chain/use-steps.ts';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { partWords } from '../words/en/parts.ts';
import { Notice } from './notice.tsx';
import { Signing } from './signing.tsx';

interface Props {
  /** Of its steps: unlike every other one's. */
  readonly name: string;
  readonly spender: Address;
  readonly token: Address;
  /** Of a token that the page does not list. */
  readonly otherwise?: { readonly symbol: string; readonly decimals: number } | undefined;
  /** Base units: what is approved, and what must stay so. */
  readonly allowance: bigint;
  readonly kept: bigint;
  readonly says: {
    readonly spare: (amount: string) => string;
    readonly spareMore: string;
    readonly takenBack: string;
  };
}

/** An approval that nothing needs any more, with a button that takes back exactly that. */
export function SpareApproval({ name, spender, token, otherwise, allowance, kept, says }: Props) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const { progress, isBusy: isTaking, run } = useSteps(name);
  const asset = assetAt(settings, token) ?? otherwise;
  const spare = allowance - kept;
  const shown = asset ? `${exactAmount(spare, asset.decimals)} ${asset.symbol}` : partWords.units(spare);
  const label = words.signing.takeBack(shown);
  return (
    <Notice kind="plain" title={says.spare(shown)} more={says.spareMore}>
      <button
        type="button"
        className="button"
        disabled={isTaking || chainId !== settings.chainId}
        onClick={() => void run([approveStep(label, token, spender, kept)])}
      >
        {isTaking ? words.signing.signing : label}
      </button>
      <Signing progress={progress} done={says.takenBack} />
    </Notice>
  );
}
