import { replayAnswer } from '@bowline/sdk/replay';

// Judges what is pasted in this browser alone: the page asks nobody. `npx vite examples/replay-in-browser` serves it.

const answer = document.querySelector('textarea') as HTMLTextAreaElement;
const result = document.querySelector('#result') as HTMLElement;

answer.addEventListener('input', async () => {
  try {
    const { follows, differing } = await replayAnswer(JSON.parse(answer.value));
    const names = differing.map(({ what }) => what).join(', ');
    result.textContent = follows ? 'The verdict follows from its evidence.' : `It differs: ${names}.`;
  } catch (error) {
    result.textContent = `This is no verdict: ${(error as Error).message}`;
  }
});
