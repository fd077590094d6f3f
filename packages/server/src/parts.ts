// What the handlers work with: where objects lie, how they are read, which kinds there are, what is switched on, what time it is.
import type { WatchCache } from '@sluice/cache';
import type { Kinds } from '@sluice/resources';
import type { Store } from '@sluice/storage';
import type { Gates } from './gates.ts';

export type Parts = { store: Store; cache: WatchCache; kinds: Kinds; gates: Gates; now: () => Date };
