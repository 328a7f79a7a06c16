import type { AgentAnswer } from '../../wire.ts';
import { askWords } from '../words/en/ask.ts';
import { exactAsOf } from '../words/times.ts';
import { TicketCard } from './ticket-card.tsx';

export type Said =
  | { readonly by: 'you'; readonly text: string }
  | { readonly by: 'trouble'; readonly text: string }
  | {
      readonly by: 'agent';
      readonly answer: AgentAnswer;
      /** When it arrived, by the browser's clock. */
      readonly atMs: number;
    };

/** Renders plain text only: an answer is never parsed as HTML. The questions that it suggests become buttons. */
export function Message({
  said,
  ask,
}: {
  readonly said: Said;
  /** Absent once the conversation has moved on. */
  readonly ask?: ((prompt: string) => void) | undefined;
}) {
  if (said.by === 'you') return <p className="said box mine">{said.text}</p>;
  if (said.by === 'trouble') return <p className="notice bad">{said.text}</p>;
  const { result, tools, tickets, choices, answered_by } = said.answer;
  return (
    <article className="said box">
      {tickets.length > 0 && (
        <div className="tickets stack small">
          {tickets.map((ticket) => (
            <TicketCard key={`${ticket.token_out}-${ticket.token_in}-${ticket.max_amount_in}`} ticket={ticket} />
          ))}
        </div>
      )}
      {result}
      {ask && choices.length > 0 && (
        <section aria-label={askWords.choices} className="buttons">
          {choices.map(({ label, prompt }) => (
            <button key={prompt} type="button" className="button" title={prompt} onClick={() => ask(prompt)}>
              {label}
            </button>
          ))}
        </section>
      )}
      <p className="said-by faint">
        {exactAsOf(said.atMs)} · {answered_by === 'model' ? askWords.byModel : askWords.byRules}
        {tools.length === 0 ? askWords.noTool : askWords.from([...new Set(tools)].join(', '))}
      </p>
    </article>
  );
}
