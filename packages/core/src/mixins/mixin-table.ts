import type { ModelConstructor } from '../contract/model-instance.ts'
import { softDelete } from './soft-delete.ts'
import { timeStamp } from './time-stamp.ts'

/**
 * Adds properties, observers or methods to a model. `options` is the value under the mixin's name in the model's
 * definition.
 */
export type Mixin = (model: ModelConstructor, options: Record<string, unknown>) => void

/** Mixins that every registry knows. */
export const builtInMixins: ReadonlyMap<string, Mixin> = new Map([
  ['TimeStamp', timeStamp],
  ['SoftDelete', softDelete]
])
