import type { Questions } from '#generated/peers';
import { questionsIn } from './base/questions.ts';

/** What the platform itself asks of subgraphs. */
export const questions = questionsIn<Questions>(import.meta.dirname);
