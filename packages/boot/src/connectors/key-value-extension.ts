import { defineKeyValueModel } from '@modelwire/key-value'
import type { BootExtension } from '../extension.ts'

/** Models of keys and values, which LoopBack has as `KeyValueModel`. */
export function keyValueExtension(): BootExtension {
  return {
    name: 'key-value',
    beforeModels({ registry }) {
      defineKeyValueModel(registry)
    }
  }
}
