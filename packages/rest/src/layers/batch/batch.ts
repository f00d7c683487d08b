import { fillDefaults } from '@modelwire/server'
import { BatchOptionsSchema } from '../../options.ts'
import { idempotentOf } from '../idempotency/idempotent-requests.ts'
import type { Layer } from '../layer.ts'
import { endAfterAdmission } from './admission.ts'

/** Several requests sent as one. */
export const batch: Layer = {
  mount: (mounting) => {
    const { batch: option } = mounting.settings
    if (option === false) return undefined
    // The answer of a batch that had a key is given again as far as its caller is still admitted.
    const readmits = idempotentOf(mounting) !== undefined
    return {
      claim: () => (readmits ? { hooks: () => ({ preHandler: [endAfterAdmission] }) } : undefined),
      document: async (routes) => {
        const { addBatch } = await import('./add-batch.ts')
        const settings = fillDefaults(BatchOptionsSchema, option === true ? {} : option)
        return { batch: addBatch(mounting, routes, settings) }
      }
    }
  }
}
