import express, { type ErrorRequestHandler } from 'express';
import { serve } from '../serve.ts';
import { exchange, exchangeRoutes, pairNames, unknownRoute } from './exchange.ts';
import { hermes, hermesRoute } from './hermes.ts';
import type { Market } from './market.ts';
import type { Path } from './path.ts';
import { parseScene, SceneRefused } from './scenes.ts';

const sceneRoute = 'POST /scene {"words": ["crash", "BTCB", "15%"]}';

/**
 * Serves the exchange's API, Pyth's, and `POST /scene` with `{"words": ["crash", "BTCB", "15%"]}`, on loopback. Scenes
 * accept JSON only, which a page of another origin cannot send without a preflight request.
 * @param port 0 lets the system choose.
 * @param clock unix seconds, with a fraction.
 */
export async function serveMarket(market: Market, path: Path, clock: () => number, port: number) {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/', (_request, response) => {
    response.json({
      what: 'The exchange of the local chain, in the wire format of Binance’s spot API, and its Pyth, in that of Hermes.',
      routes: [...exchangeRoutes, hermesRoute, sceneRoute],
      pairs: pairNames,
    });
  });
  app.use(exchange(path, clock));
  app.use(hermes(path, clock));
  app.post('/scene', express.json(), async (request, response) => {
    const words: unknown = request.body?.words;
    if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) {
      response.status(400).json({ error: 'Send {"words": ["crash", "BTCB", "15%"]} as application/json.' });
      return;
    }
    try {
      response.json({ lines: await market.play(parseScene(words)) });
    } catch (error) {
      const refused = error instanceof SceneRefused;
      const sentence = refused ? error.message : 'The scene could not be played: is the chain still running?';
      response.status(refused ? 400 : 500).json({ error: sentence });
    }
  });
  app.use(unknownRoute);
  app.use(onError);

  return serve(app, port);
}

// Express recognises an error handler by its four parameters. Its default handler would send a stack trace.
const onError: ErrorRequestHandler = (error: { status?: number }, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: 'This request could not be read.' });
};
