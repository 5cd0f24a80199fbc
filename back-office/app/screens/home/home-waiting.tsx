import { Card, SimpleGrid, Skeleton } from '@mantine/core';
import { useConditions } from '../../graph/viewer.ts';

/**
 * A placeholder for the plots with the same height, so that the content below does not move when they load.
 * It has no card for sales: a workspace may have none, and beside the other three they need no extra row.
 */
export function WaitingPlots() {
  const { canSeeProgram, canSeeCalls } = useConditions('HomePlots');
  const cards = [...(canSeeProgram ? ['joined', 'issued'] : []), ...(canSeeCalls ? ['calls'] : [])];
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} aria-busy="true">
      {cards.map((card) => (
        <Card key={card} withBorder>
          <Skeleton height={8} width="40%" mb={62} />
          <Skeleton height="auto" style={{ aspectRatio: '560 / 180' }} />
        </Card>
      ))}
    </SimpleGrid>
  );
}
