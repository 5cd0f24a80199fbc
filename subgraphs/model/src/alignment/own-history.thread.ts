import { answerInThread } from '../estimators/run-in-thread.ts';
import { fitOwnHistory } from './fit-own-history.ts';

answerInThread(fitOwnHistory);
