import type { ModelCardResolvers, ModelVersionResolvers } from '#generated/schema';
import { cardPage } from './card-page.ts';
import { cardOf } from './cards.service.ts';
import { reliabilityDiagram } from './model-card.ts';

export const ModelVersion = {
  card: (version, _, ctx) => cardOf(ctx, version),
} satisfies ModelVersionResolvers;

export const ModelCard = {
  uses: ({ uses }) => [...uses],
  misuses: ({ misuses }) => [...misuses],
  calibration: ({ calibration }) => [...calibration],
  features: ({ features }) => [...features],
  slices: ({ slices }) => [...slices],
  limitations: ({ limitations }) => [...limitations],
  reliabilityDiagram: (card) => reliabilityDiagram(card).markup,
  page: (card) => cardPage(card),
} satisfies ModelCardResolvers;
