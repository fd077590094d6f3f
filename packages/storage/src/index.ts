// What @sluice/storage gives to other packages.
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
