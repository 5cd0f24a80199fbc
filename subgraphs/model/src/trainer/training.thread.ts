import { answerInThread } from '../learners/run-in-thread.ts';
import { trainRequest } from './train-request.ts';

answerInThread(trainRequest);
