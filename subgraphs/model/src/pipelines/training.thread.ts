import { answerInThread } from '../estimators/run-in-thread.ts';
import { trainRequest } from './train-request.ts';

answerInThread(trainRequest);
