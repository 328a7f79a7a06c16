import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { agentAnswer } from '../../wire.ts';
import { ApiError, postJson } from '../api/request.ts';
import { AskForm } from './ask-form.tsx';
import { Message, type Said } from './message.tsx';

const examples = [
  'Is BTCB fairly priced right now?',
  'What does ETH cost?',
  'Which plans are there?',
  'Why was plan 2 deferred?',
];

export function Ask() {
  const [said, setSaid] = useState<readonly Said[]>([]);
  const ask = useMutation({
    mutationFn: (prompt: string) => postJson('/api/agent', { prompt }, agentAnswer),
    onMutate: (prompt) => setSaid((before) => [...before, { by: 'you', text: prompt }]),
    onSuccess: (answer) => setSaid((before) => [...before, { by: 'agent', answer }]),
    onError: (error) => setSaid((before) => [...before, { by: 'trouble', text: troubleOf(error) }]),
  });
  return (
    <>
      <div className="title-row">
        <div>
          <h1>Ask</h1>
          <p className="lead">Questions about prices, plans and loans. Answers sign nothing and move nothing.</p>
        </div>
      </div>
      {said.length === 0 && (
        <section aria-label="Examples" className="buttons">
          {examples.map((example) => (
            <button key={example} type="button" className="button" onClick={() => ask.mutate(example)}>
              {example}
            </button>
          ))}
        </section>
      )}
      <section className="chat" aria-label="Conversation" aria-live="polite">
        {said.map((each, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a conversation only grows at its end
          <Message key={at} said={each} />
        ))}
        {ask.isPending && <p className="faint">The agent is looking …</p>}
      </section>
      <AskForm isBusy={ask.isPending} ask={(prompt) => ask.mutate(prompt)} />
      <p className="faint">
        The agent answers 20 questions a minute, of everybody together. Each answer stands for itself: it remembers none
        before it.
      </p>
    </>
  );
}

function troubleOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'The page’s server does not answer. Try again in a moment.';
  const words: Readonly<Record<string, string>> = {
    rate_limited: `The 20 questions of this minute are used up. Try again in ${error.retryAfterSeconds ?? 60} seconds.`,
    invalid_prompt: 'A question has between 1 and 4,000 characters.',
    model_unavailable: 'The language model does not answer just now. Try again in a moment.',
    chain_unavailable: 'The chain does not answer just now. Try again in a moment.',
    timeout: 'There was no answer in time. Try again, or ask something smaller.',
    payment_required: 'This agent is paid for its answers, and this page does not pay.',
    server_unavailable: 'The page’s server does not answer. Try again in a moment.',
  };
  return words[error.code] ?? `There is no answer: ${error.code.replaceAll('_', ' ')}.`;
}
