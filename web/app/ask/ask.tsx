import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { agentAnswer } from '../../wire.ts';
import { postJson } from '../api/request.ts';
import { refusalOf } from '../words/refusals.ts';
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
    onError: (error) => setSaid((before) => [...before, { by: 'trouble', text: refusalOf(error) }]),
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
          <Message key={at} said={each} ask={at === said.length - 1 && !ask.isPending ? ask.mutate : undefined} />
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
