import type { Registry } from '../contract/registry.ts'
import { feedsOf } from './change-feed.ts'

/** The change streams of one model, in this process. */
export interface StreamCount {
  readonly model: string
  /** Those that are open. */
  readonly open: number
  /** Events that all of them were given since the start. */
  readonly sent: number
  /** Those that ended because their readers were too slow. */
  readonly dropped: number
}

/** Counts the change streams of every model that had one. */
export function countStreams(registry: Registry): StreamCount[] {
  return feedsOf(registry)
    .all()
    .map(({ model, readers, sent, dropped }) => ({ model: model.name, open: readers, sent, dropped }))
}
