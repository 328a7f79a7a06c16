import { askWords } from '../words/en/ask.ts';
import { Talk } from './talk.tsx';

/** The conversation as a section of its own. */
export const Ask = () => (
  <>
    <div className="title-row">
      <div>
        <h1>{askWords.title}</h1>
        <p className="lead">{askWords.lead}</p>
      </div>
    </div>
    <Talk />
  </>
);
