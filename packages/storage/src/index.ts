// What @sluice/storage gives to other packages.
export { type EmbeddedStoreOptions, openEmbeddedStore } from './embedded/store.ts';
export { KEY_LIMIT_BYTES } from './keys.ts';
export type { MemoryStoreOptions } from './memory/store.ts';
export { openMemoryStore } from './memory/store.ts';
export type {
  Entry,
  Key,
  Range,
  Revision,
  Store,
  StoreErrorReason,
  StoreEvent,
  Watch,
  WatchListener,
  Write,
} from './store.ts';
export { StoreError } from './store.ts';
