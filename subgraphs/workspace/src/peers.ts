import { questionsIn } from '@loyalty/platform/base/questions';
import type { Questions } from '#generated/peers';

/** What this subgraph asks of others. */
export const questions = questionsIn<Questions>(import.meta.dirname);
