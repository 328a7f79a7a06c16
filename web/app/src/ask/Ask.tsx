import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { askAgent } from '../api.ts';

interface Exchange {
  readonly id: number;
  readonly question: string;
  readonly answer?: string;
  readonly by?: string;
  readonly isBad?: boolean;
}

const starters = [
  'Is BTCB fairly priced right now?',
  'What did ETH cost over the last day?',
  'Would guard 2 rescue its loan now?',
  'How did plan 1 do?',
];

const answeredBy = { embedded: 'Answered by rules', model: 'Answered by a language model' } as const;

/** A conversation with the agent. What it says is shown as text and nothing else. */
export function Ask() {
  const [said, setSaid] = useState<readonly Exchange[]>([]);
  const [text, setText] = useState('');
  const field = useId();
  const question = useMutation({ mutationFn: askAgent });

  async function ask(prompt: string): Promise<void> {
    const id = said.length;
    const settle = (answer: Omit<Exchange, 'id' | 'question'>) =>
      setSaid((before) => before.map((each) => (each.id === id ? { ...each, ...answer } : each)));
    setText('');
    setSaid((before) => [...before, { id, question: prompt }]);
    try {
      const { result, answered_by, tools } = await question.mutateAsync(prompt);
      const used = tools.length === 0 ? '' : ` · ${tools.join(', ')}`;
      settle({ answer: result, by: `${answeredBy[answered_by]}${used}` });
    } catch (error) {
      settle({ answer: (error as Error).message, isBad: true });
    }
  }

  return (
    <section aria-labelledby="ask-title">
      <div className="section-head">
        <div>
          <h1 id="ask-title">Ask</h1>
          <p className="lead">
            About prices, plans and loans. The agent looks at the chain; it cannot sign or send anything.
          </p>
        </div>
      </div>
      <div className="card chat">
        <ol className="talk" aria-live="polite">
          {said.map(({ id, question: asked, answer, by, isBad }) => (
            <li key={id}>
              <p className="asked">{asked}</p>
              {answer === undefined ? (
                <p className="answered muted">Looking …</p>
              ) : (
                <div className={`answered ${isBad ? 'bad' : ''}`} role={isBad ? 'alert' : undefined}>
                  <p>{answer}</p>
                  {by !== undefined && <p className="hint">{by}</p>}
                </div>
              )}
            </li>
          ))}
        </ol>
        {said.length === 0 && (
          <ul className="starters" aria-label="Questions to begin with">
            {starters.map((starter) => (
              <li key={starter}>
                <button type="button" onClick={() => void ask(starter)}>
                  {starter}
                </button>
              </li>
            ))}
          </ul>
        )}
        <form
          className="ask"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') void ask(text.trim());
          }}
        >
          <label htmlFor={field} className="hidden">
            Your question
          </label>
          <input
            id={field}
            value={text}
            maxLength={4_000}
            autoComplete="off"
            placeholder="Is ETH fairly priced for 5,000 USD?"
            onChange={({ target }) => setText(target.value)}
          />
          <button type="submit" className="primary" disabled={text.trim() === '' || question.isPending}>
            Ask
          </button>
        </form>
      </div>
    </section>
  );
}
