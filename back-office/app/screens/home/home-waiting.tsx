import { Card, SimpleGrid, Skeleton } from '@mantine/core';
import { useConditions } from '../../graph/viewer.ts';

/**
 * Stands where the plots will be and is as high, so that nothing below moves when they come. Sales are not
 * counted: a workspace may have none, and beside the other three they take no row of their own.
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
