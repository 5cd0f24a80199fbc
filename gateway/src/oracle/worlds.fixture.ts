import { media } from './media.fixture.ts';
import { people } from './people.fixture.ts';
import { shop } from './shop.fixture.ts';
import { travel } from './travel.fixture.ts';
import type { WorldSource } from './world.fixture.ts';

/** The supergraphs that the compiled executor is compared on. */
export const worlds: readonly WorldSource[] = [shop, media, travel, people];
