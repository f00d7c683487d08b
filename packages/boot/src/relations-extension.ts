import { installRelations, type InstalledRelations } from '@modelwire/relations'
import { acceptCallback } from './callback-bridge.ts'
import type { BootExtension } from './extension.ts'
import { joiningTransaction } from './scripts/data-source/script-transaction.ts'
import { addRelationMethods } from './scripts/model/relation-methods.ts'

/** Serves the relations of an application, and what its scripts declare of them. */
export function relationsExtension(): BootExtension {
  let installed: InstalledRelations | undefined
  return {
    name: 'relations',
    beforeModels({ registry, add }) {
      installed = installRelations(registry, {
        style: { wrap: (method) => acceptCallback(joiningTransaction(method)), readsAtOnce: true },
        onMissing: ({ message, where }) =>
          add('ignored', { file: where.model ?? 'model', key: where.key ?? 'relations' }, message, {
            advice: 'correct the name, or define the model and name it in model-config.json'
          })
      })
      addRelationMethods(registry.rootClass, installed)
    },
    beforeScripts() {
      installed?.complete()
    }
  }
}
