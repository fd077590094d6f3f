// What @sluice/cache gives to other packages.
export type {
  Change,
  HeldBytes,
  Item,
  ResourceCache,
  Snapshot,
  Subscription,
  WatchCache,
} from './contract.ts';
export { CacheError } from './contract.ts';
export type { EncodingInput } from './encode-leaf.ts';
export { ENCODED_LEAF_MAX_BYTES, encodeLeaf } from './encode-leaf.ts';
export type { LeafEncoder } from './encoding-workers.ts';
export { EncodingWorkers } from './encoding-workers.ts';
export type {
  EncodedLeaf,
  Encoding,
  Form,
  FormKind,
  Holes,
  ItemProblem,
  StoredDefinition,
  View,
} from './forms.ts';
export { FormError, formOf, isDeflatable, leadBytes, runOf } from './forms.ts';
export { HISTORY_BYTES } from './history.ts';
export { filled } from './holes.ts';
export { indentedPieces } from './item-encoders.ts';
export { SNAPSHOT_KEPT_MS } from './kept-snapshots.ts';
export { LabelSets, labelsOf } from './labels.ts';
export { LEAF_MAX_BYTES, Leaf } from './leaf.ts';
export type { TwinKind } from './leaf-twins.ts';
export { resourcePrefix } from './load.ts';
export type { TwinCounts } from './twin.ts';
export type { TwinMakers } from './twins.ts';
export { Twins } from './twins.ts';
export type { WatchCacheOptions } from './watch-cache.ts';
export { openWatchCache } from './watch-cache.ts';
