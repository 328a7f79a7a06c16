import {
  consentTypedData,
  draftConsent,
  type GuardTerms,
  registerFundedCall,
  type SaleTerms,
} from '@bowline/chain/drafts/guard';
import { useMutation } from '@tanstack/react-query';
import { useConfig } from 'wagmi';
import { signTypedData } from 'wagmi/actions';
import { useChain } from '../chain/client.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { fundingWords } from '../words/en/funding.ts';
import { consentLink } from './consent-link.ts';

/** The funder's consent, by its signature alone, and the link that takes it to the borrower. */
export function SignConsent({ terms }: { readonly terms: GuardTerms | SaleTerms }) {
  const client = useChain();
  const config = useConfig();
  const settings = useSettings();
  const { data, isPending, isError, mutate } = useMutation({
    mutationFn: async () => {
      const consent = await draftConsent(client, settings, terms);
      const typed = consentTypedData(settings, consent);
      const signature = await signTypedData(config, { ...typed, account: terms.funder });
      return consentLink(registerFundedCall(settings, consent, signature).data);
    },
  });
  if (data !== undefined) {
    return (
      <Notice kind="good" title={fundingWords.link}>
        <code className="full">{data}</code> <CopyButton text={data} of={fundingWords.ofLink} />
      </Notice>
    );
  }
  return (
    <div className="stack">
      {isError && <Notice kind="bad" title={fundingWords.unsigned} />}
      <button type="button" className="button primary" disabled={isPending} onClick={() => mutate()}>
        {fundingWords.sign}
      </button>
    </div>
  );
}
